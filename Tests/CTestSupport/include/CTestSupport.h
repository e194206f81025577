#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stdbool.h>

/// Starts the watchdog of a test run. It reads the run's events from the descriptor `events`.
///
/// Implemented in Swift, and called before `main`, only in a process of `swift test`.
void test_run_begins(int events);

/// Called when the process of a test run ends by itself. Ends it with a failure if a test has left something behind.
///
/// Implemented in Swift.
void test_run_ends(void);

/// Starts the watchdog of a process that runs the body of an exit test, and so has no events.
void exit_test_begins(void);

/// The greatest number of return addresses that `test_stack` records.
enum { test_stack_capacity = 48 };

/// Records the call stack of a thread of this process.
///
/// The thread writes down its own stack, in a handler of `SIGPROF`: the one signal that threads of a dispatch
/// queue don't block.
///
/// - Parameters:
///   - thread: The system's number of the thread.
///   - addresses: Memory for `test_stack_capacity` return addresses, which begin with the innermost call.
/// - Returns: The number of addresses; 0 if the thread has not answered within ten seconds.
int test_stack(int thread, void *_Nullable *_Nonnull addresses);

/// The file that has the machine code at an address, and the code's offset in it; `NULL` if there is none.
const char *_Nullable test_code_file(const void *_Nonnull address, unsigned long *_Nonnull offset);

/// The readable form of a Swift symbol's name, which the caller has to free; `NULL` for other names.
char *_Nullable test_demangle(const char *_Nonnull name);

/// How often the calling thread has gone to sleep; -1 where the system does not say so.
///
/// A thread that yields, or that another thread interrupts, does not sleep.
long test_sleeps(void);

/// Identifies the calling thread for `test_sleeps_of`.
long test_thread(void);

/// How often another thread of this process has gone to sleep; -1 where the system does not say so.
long test_sleeps_of(long thread);

/// Makes this process overwrite memory as soon as it is freed, so that a use of freed memory crashes.
///
/// It has no effect with a C library other than glibc.
void test_overwrite_freed_memory(void);

/// Returns to the system what the allocator keeps for later allocations, where it can.
void test_release_free_memory(void);

#endif
