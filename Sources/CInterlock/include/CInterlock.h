// Functions that Swift can't express: thread-local storage, variadic system calls and the pause instruction.
//
// Every operation on a lock word is Swift code of this package. ThreadSanitizer instruments that code, so it sees each
// acquire and release. This module makes one atomic access, in `ParkingTable.c`: it compares a word before it waits.

#ifndef CINTERLOCK_H
#define CINTERLOCK_H

#if defined(__ANDROID__) || !(defined(__linux__) || defined(__APPLE__))
#error "Interlock is not ported to this system: it needs Linux with glibc or musl, or a system of Apple."
#endif

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

// Each image uses its own copy of these functions and variables. With the default visibility, the loader would bind all
// copies to those of one image: a thread's record would then refer to the tables of another image. The visibility is for
// this module's definitions alone, because the linker expects the definition in each image that declares it.
#if defined(__linux__) && defined(INTERLOCK_MODULE)
#pragma GCC visibility push(protected)
#endif

// MARK: The end

// Writes `line` to standard error and, where the system supports it, into the crash report.
void interlock_print_last_words(const char *line);

_Noreturn static inline void interlock_trap(void) { __builtin_trap(); }

// Traps because the system has refused something that the modules can't do without.
_Noreturn void interlock_trap_refused(const char *what);

// Keeps the image that contains this function loaded until the process ends, even after `dlclose`.
//
// Must be called before code of the image is given to the system for a time that no caller limits: a function for
// the ends of threads, or a detached thread.
void interlock_keep_loaded(void);

// MARK: Signals of threads

// The package's own code runs with all signals blocked, and the program's code with the program's signal mask: a process that
// it starts inherits the mask, and would ignore SIGTERM.

// Blocks all signals on the calling thread, one of the package's own, but those that a thread raises itself: the program may
// wait for a signal that its threads block, or handle it on a thread of its choice. Workers of libdispatch do the same.
//
// Inline, because the dynamic symbols of a C file would be part of each program.
static inline void interlock_leave_signals(void) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPIPE};
    sigset_t blocked;
    sigfillset(&blocked);
    for (unsigned index = 0; index < sizeof own / sizeof own[0]; index++) sigdelset(&blocked, own[index]);
    pthread_sigmask(SIG_SETMASK, &blocked, 0);
}

// Gives the calling thread, which is about to run code of the program, the program's signal mask.
//
// That is the mask with which the thread was started, as for all threads. But a worker of libdispatch and a thread of the
// package, which block all signals, may have started it. Then it is the main thread's current mask, so that the thread also
// leaves alone what the program waits for with `sigwait`. Nothing changes if the system does not tell that: on Darwin, or
// without /proc.
void interlock_take_signals(void);

// The calling thread's signal mask: bit n - 1 stands for signal n, up to 64.
uint64_t interlock_signal_mask(void);

// Gives the calling thread a signal mask that `interlock_signal_mask` has returned.
void interlock_set_signal_mask(uint64_t mask);

// Calls `body`, which is code of the program, with the signal mask of `interlock_take_signals`.
void interlock_run_with_signals(void (*body)(uintptr_t), uintptr_t argument);

// MARK: Calls out of line

// Declares a function that preserves all registers, except the result's and those of floating point. A fast
// path beside such a call saves no registers before it knows whether it needs the call.
//
// Each module gets its own copy. A call into another library may go through the system's lazy binding, which
// does not preserve all of these registers.
#if defined(__x86_64__) || defined(__aarch64__)
#define INTERLOCK_PRESERVING static __attribute__((preserve_most, noinline, unused))
#else
#define INTERLOCK_PRESERVING static __attribute__((noinline, unused))
#endif

typedef uintptr_t (*interlock_slow_path)(uintptr_t, uintptr_t);

// Calls `function`, an ordinary function, and preserves the caller's registers. `first` is the first argument
// because a method of an object usually has the object in that register already.
INTERLOCK_PRESERVING uintptr_t interlock_call_preserving(uintptr_t first, uintptr_t second, interlock_slow_path function) {
    return function(first, second);
}

// The entry point for Swift, which does not know the attribute `preserve_most`. This function is inlined into
// Swift code, and the call in it keeps the attribute.
static inline __attribute__((always_inline)) uintptr_t interlock_call_out_of_line(uintptr_t first, uintptr_t second,
                                                                                  interlock_slow_path function) {
    return interlock_call_preserving(first, second, function);
}

// MARK: Thread identity

// A variable of each thread. With the initial-exec model, reading it takes one instruction in an executable and two in a
// shared library, and no call.
#if defined(__APPLE__)
#define INTERLOCK_THREAD_LOCAL _Thread_local
#else
#define INTERLOCK_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#endif

// The calling thread's identifier, or 0 before the first request for it.
extern INTERLOCK_THREAD_LOCAL uint32_t interlock_cached_thread_id;

// Determines the calling thread's identifier and caches it.
uint32_t interlock_ask_thread_id(void);

// The identifier of the thread whose system number is `system_id`.
uint32_t interlock_thread_id_for(uint32_t system_id);

// The number of forks between the program's start and this process, since the first request for an identifier.
uint32_t interlock_forks(void);

// The system's number for the calling thread. It is unique among the live threads of the process, never 0,
// and below 2^25.
uint32_t interlock_system_thread_id(void);

// Whether the process has no thread but the calling one, except for a main thread that has ended by `pthread_exit`.
// A thread that waits for work until the process ends must poll this, and end then: it keeps the process alive.
bool interlock_is_last_thread(void);

INTERLOCK_PRESERVING uint32_t interlock_thread_id_slow(void) { return interlock_ask_thread_id(); }

// The calling thread's identifier. It is unique among the live threads of the process, never 0, and below
// 2^25. In a child made by `fork`, the forking thread keeps its identifier.
static inline uint32_t interlock_thread_id(void) {
    uint32_t id = interlock_cached_thread_id;
    return __builtin_expect(id != 0, 1) ? id : interlock_thread_id_slow();
}

// MARK: Task identity

// A function of Swift's runtime, which Swift code may not declare. It returns NULL outside of tasks.
__attribute__((swiftcall, visibility("default"))) void *swift_task_getCurrent(void);

// A number that identifies the task that the calling thread runs; 0 outside of tasks. It is the address of the task,
// so it is a multiple of 16, and a later task may have it again.
static inline uintptr_t interlock_task_id(void) { return (uintptr_t)swift_task_getCurrent(); }

// Another such function. It returns the address of the calling task's innermost value for a `TaskLocal`, or NULL.
__attribute__((swiftcall, visibility("default"))) void *swift_task_localValueGet(const void *task_local);

static inline uintptr_t interlock_task_local_address(uintptr_t task_local) {
    return (uintptr_t)swift_task_localValueGet((const void *)task_local);
}

// MARK: Waiting on an address

#if defined(__linux__) && !defined(__LP64__)
#error "Interlock's futex calls are written for 64-bit Linux, where `struct timespec` has one layout."
#endif

// Sleeps while `*address == expected`, until a wake-up or until `interlock_monotonic_ns` reaches `deadline_ns`.
// UINT64_MAX means no deadline. Wake-ups may be spurious. Returns 0 (woken) or an errno value: EAGAIN (the value
// differs), EINTR, ETIMEDOUT.
int interlock_futex_wait(const uint32_t *address, uint32_t expected, uint64_t deadline_ns);

// Wakes up to `count` threads that sleep on `address`, and returns how many it woke, or 1 where the system does not
// count them. The address need not be mapped any more.
int interlock_futex_wake(const uint32_t *address, int32_t count);

// MARK: Thread records

// A thread samples one of this many reads of biased locks. A sample writes to the line of the lock's word, and
// so costs each reader as much as dozens of reads; it should cost hundredths of those between two samples. The
// number is prime, so that a thread that reads several locks in turn samples all of them.
#define INTERLOCK_READS_PER_SAMPLE 1021

// A thread's record: the locks that the thread holds for reading. Only the thread itself uses its record, so no
// field is atomic.
typedef struct {
    // The keys of the locks. A vacant entry is 0, except the first one: while it is vacant, it counts the reads
    // left until the next sample.
    uintptr_t entries[8];
    // The slot of the slot table that the thread tries first.
    uintptr_t slot;
    // The address of the list of the locks that have no entry; 0 if it is empty.
    uintptr_t further;
} interlock_thread_record;

// The calling thread's record. It needs no allocation, no registration and no cleanup at the thread's end.
extern INTERLOCK_THREAD_LOCAL interlock_thread_record interlock_this_thread;

__attribute__((returns_nonnull))
static inline interlock_thread_record *interlock_current_thread_record(void) { return &interlock_this_thread; }

// MARK: Deliveries

// A thread's deliveries to lifecycles. Only the thread itself uses its record.
typedef struct {
    // The address of the innermost delivery, which is on the thread's stack; 0 outside deliveries.
    uintptr_t innermost;
    // The slot of the table of deliveries that the thread tries first.
    uintptr_t slot;
    // Whether the thread vacates its slots with an exchange, because the system has no barrier for all threads.
    uintptr_t exchanges;
} interlock_delivery_record;

extern INTERLOCK_THREAD_LOCAL interlock_delivery_record interlock_this_delivery;

static inline uintptr_t interlock_innermost_delivery(void) { return interlock_this_delivery.innermost; }
static inline void interlock_set_innermost_delivery(uintptr_t delivery) { interlock_this_delivery.innermost = delivery; }
static inline uintptr_t interlock_delivery_slot(void) { return interlock_this_delivery.slot; }
static inline bool interlock_exchanges_deliveries(void) { return interlock_this_delivery.exchanges != 0; }
static inline void interlock_set_delivery_slot(uintptr_t slot, bool exchanges) {
    interlock_this_delivery.slot = slot;
    interlock_this_delivery.exchanges = exchanges;
}

// MARK: Resumptions of tasks

// The number of resumptions of tasks that are under way on the calling thread's stack.
extern INTERLOCK_THREAD_LOCAL intptr_t interlock_this_resumption_depth;

static inline intptr_t interlock_resumption_depth(void) { return interlock_this_resumption_depth; }
static inline void interlock_set_resumption_depth(intptr_t depth) { interlock_this_resumption_depth = depth; }

// MARK: Hazard slots

// A thread's own record of its hazard slots, in which it announces the values that it reads.
typedef struct {
    // The address of the thread's first block of slots. A thread without a block has the address of a placeholder,
    // whose first slot is never vacant.
    uintptr_t block;
    // Whether the thread fills its slots with an exchange, because the system has no barrier for all threads.
    uintptr_t exchanges;
} interlock_hazard_record;

extern INTERLOCK_THREAD_LOCAL interlock_hazard_record interlock_this_hazard_record;

static inline uintptr_t interlock_hazard_block(void) { return interlock_this_hazard_record.block; }
static inline bool interlock_exchanges_hazards(void) { return interlock_this_hazard_record.exchanges != 0; }

// To be called once, before the functions below. `end` gets the block of each thread that ends, and `child` that of
// the only thread of a child made by `fork`.
// Returns 0, or an errno value: EAGAIN where the process has no key for thread-local values left, ENOMEM where it has no
// memory for a handler.
int interlock_prepare_hazard_records(void (*end)(uintptr_t block), void (*child)(uintptr_t block));

// Sets the calling thread's block.
void interlock_set_hazard_block(uintptr_t block, bool exchanges);

// Makes the end of the calling thread give back `block`.
void interlock_end_hazard_block_with_thread(uintptr_t block);

// Makes the calling thread one without a block.
void interlock_reset_hazard_record(void);

// Changes how the calling thread, which has a block, fills its slots.
void interlock_set_exchanges_hazards(bool exchanges);

// MARK: A barrier for all threads of the process

// Keeps the compiler from moving memory accesses across it. It is no instruction.
static inline __attribute__((always_inline)) void interlock_compiler_barrier(void) { __asm__ __volatile__("" ::: "memory"); }

// Asks the system for `interlock_process_barrier`. Returns whether the process may use it.
bool interlock_register_process_barrier(void);

// Returns after each running thread of the process has executed a full memory barrier. Returns 0, or an errno value.
int interlock_process_barrier(void);

// MARK: Exploration

// These functions exist only with the trait `Exploration`.

// The object to which the calling thread passes its operations in an execution of the explorer; NULL outside
// of executions.
void *interlock_explored_thread(void);
void interlock_set_explored_thread(void *thread);

// Makes the calling thread's record that of a new thread.
void interlock_reset_thread_record(void);

// MARK: Deadlock detection

// These functions are defined only with the trait `DeadlockDetection` or `Exploration`.

// Returns the address of the detector's functions, an `any ProbeHooks` of `InterlockCore`. The module `DeadlockDetection`, which
// is above that one, defines it; exists only with the trait of that name.
const void *interlock_probe_hooks(void);

// Points to the list of locks that the calling thread holds; NULL before the thread's first acquisition.
extern INTERLOCK_THREAD_LOCAL void *interlock_thread_locks;

static inline void *interlock_current_thread_locks(void) { return interlock_thread_locks; }

// Sets the calling thread's list of locks. When the thread ends, it calls `end` with the list.
void interlock_keep_thread_locks(void *locks, void (*end)(void *));

// Acquire and release the mutex of the deadlock detector. The detector does not watch this mutex itself.
void interlock_detector_lock(void);
void interlock_detector_unlock(void);

// Acquire and release the mutex under which reports are written. A thread that holds it may acquire the detector's mutex.
void interlock_reports_lock(void);
void interlock_reports_unlock(void);

// Return the address of the calling function's stack frame, and of the frame of that function's caller.
static inline __attribute__((always_inline)) uintptr_t interlock_frame_address(void) {
    return (uintptr_t)__builtin_frame_address(0);
}
static inline __attribute__((always_inline)) uintptr_t interlock_caller_frame_address(void) {
    return *(uintptr_t *)__builtin_frame_address(0);
}

// Returns the number of frames in the calling thread's stack that begin at addresses below `address`.
uint32_t interlock_frames_below(uintptr_t address);

// Stores the return addresses of the calling thread's frames, innermost first, and returns how many it stored: at most
// `limit`, and 0 if the thread runs on a stack of its own making. The walk ends before the frame at `end`, if that is not 0.
uint32_t interlock_return_addresses(uintptr_t *addresses, uint32_t limit, uintptr_t end);

// MARK: Time

// Nanoseconds on the clock of the timed waits. The clock never jumps, and does not count time in which the
// machine sleeps.
uint64_t interlock_monotonic_ns(void);

// The same clock, read in a few nanoseconds, and late by up to ten milliseconds.
uint64_t interlock_coarse_ns(void);

// MARK: The system's read/write lock
// The lock is behind a pointer, so its address is stable and callers don't depend on the system's type.

// A read/write lock that prefers writers where the system has that setting. NULL when memory runs out or the
// system refuses.
void *interlock_rwlock_create(void);
void interlock_rwlock_destroy(void *lock);

// Each of these functions returns 0 or an errno value. The timed functions return ETIMEDOUT at `deadline_ns`
// on the monotonic clock.
static inline int interlock_rwlock_rdlock(void *lock) { return pthread_rwlock_rdlock((pthread_rwlock_t *)lock); }
static inline int interlock_rwlock_wrlock(void *lock) { return pthread_rwlock_wrlock((pthread_rwlock_t *)lock); }
static inline int interlock_rwlock_tryrdlock(void *lock) { return pthread_rwlock_tryrdlock((pthread_rwlock_t *)lock); }
static inline int interlock_rwlock_trywrlock(void *lock) { return pthread_rwlock_trywrlock((pthread_rwlock_t *)lock); }
static inline int interlock_rwlock_unlock(void *lock) { return pthread_rwlock_unlock((pthread_rwlock_t *)lock); }
int interlock_rwlock_rdlock_until(void *lock, uint64_t deadline_ns);
int interlock_rwlock_wrlock_until(void *lock, uint64_t deadline_ns);

// MARK: The processor

// A counter of the processor with a constant rate, for comparing durations. It has no particular unit. It is
// read after all earlier instructions have completed.
static inline uint64_t interlock_ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_lfence();
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks)::"memory");
    return ticks;
#else
#error "Interlock has no tick counter for this processor."
#endif
}

// Tells the processor that this is a spin loop.
static inline void interlock_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    // `isb` waits for the pipeline to drain, about as long as x86's `pause`; `yield` is a no-op on most
    // cores.
    __asm__ __volatile__("isb" ::: "memory");
#else
    __asm__ __volatile__("" ::: "memory");
#endif
}

// The value of an environment variable; NULL if it is not set, or if the process has raised privileges. The libraries
// read the environment only with this function, because the caller of a setuid program chooses the environment.
const char *interlock_environment(const char *name);

// Whether a program can watch for a signal with this number.
bool interlock_is_signal(int32_t number);

#if defined(__linux__)
// To be called before libdispatch begins to watch for a signal, when it has begun, before it ends, and when it has ended. The
// third call restores the action that the first one found; the fourth does if libdispatch began meanwhile.
void interlock_will_watch_signal(int32_t number);
void interlock_did_watch_signal(int32_t number);
void interlock_end_watching_signal(int32_t number);
void interlock_did_end_watching_signal(int32_t number);

// Makes an epoll instance that can be read while `descriptor` can be read (or written, if `for_writing`), or has an error,
// or has hung up; for a regular file, which epoll refuses, an object that can be read at any time. Returns its descriptor;
// -1 if epoll can't watch `descriptor`, which may not be open; or -2 if the process may open no further one, or the system
// has no memory left.
int32_t interlock_epoll_of(int32_t descriptor, bool for_writing);

// Removes `descriptor` from `instance`, which can't be read any more then. Returns false if the number was closed, and is
// now that of another file.
bool interlock_epoll_remove(int32_t instance, int32_t descriptor);

// Returns how many bytes of a socket's send buffer are free: an estimate, at least 1. Returns 1 for other descriptors.
int32_t interlock_free_send_buffer(int32_t descriptor);
#endif

#if defined(__linux__) && defined(INTERLOCK_MODULE)
#pragma GCC visibility pop
#endif

#if defined(__cplusplus)
}
#endif

#endif
