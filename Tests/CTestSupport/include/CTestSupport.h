#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stdbool.h>

/// The events of the process's test run, as the descriptor that they are read from.
///
/// A function in Swift; it is called before `main`, in a process of `swift test` only.
void test_run_begins(int events);

/// The same for a process in which the body of an exit test runs. It has no events.
void exit_test_begins(void);

/// How many return addresses of a thread are noted.
enum { test_stack_capacity = 48 };

/// Notes where a thread of this process is.
///
/// The thread writes down its own stack, in a handler of `SIGPROF`: the one signal that threads of a dispatch
/// queue let through.
///
/// - Parameters:
///   - thread: The system's number of the thread.
///   - addresses: Gets the addresses, the innermost call first; there is room for `test_stack_capacity`.
/// - Returns: How many there are; 0 where the thread has not answered within a second.
int test_stack(int thread, void *_Nullable *_Nonnull addresses);

/// The file that has the machine code at an address, and where in the file; `NULL` where there is none.
const char *_Nullable test_code_file(const void *_Nonnull address, unsigned long *_Nonnull offset);

/// The readable form of a symbol's name, to be freed; `NULL` where the name is not one of Swift's.
char *_Nullable test_demangle(const char *_Nonnull name);

#endif
