// The hold of the explorer on the tasks of Swift's runtime. Empty without the trait `Exploration`.
#if defined(INTERLOCK_EXPLORATION)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CExploration.h"
#include "CInterlock.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))

/// A reference to a serial executor, as the runtime passes it.
typedef struct {
    void *identity;
    void *implementation;
} executor;

typedef SWIFT_ASYNC void (*resume_function)(ASYNC_CONTEXT void *context);

extern SWIFT executor swift_task_getCurrentExecutor(void);
extern SWIFT void swift_job_run(void *job, void *identity, void *implementation);
extern SWIFT uint64_t swift_task_getJobTaskId(void *job);

static interlock_task_hooks hooks;

typedef SWIFT void (*original_enqueue)(void *job);

static SWIFT void enqueue_global(void *job, original_enqueue original) {
    if (interlock_explored_thread() == NULL) return original(job);
    hooks.enqueue((uintptr_t)job);
}

// The runtime of Swift 6.3 enqueues the main actor's jobs on an executor in Swift, without a call of its hook for them. So explored threads
// get another main executor.
static SWIFT executor main_executor(SWIFT executor (*original)(void)) {
    if (interlock_explored_thread() == NULL) return original();
    return (executor){(void *)hooks.main_executor, (void *)hooks.main_executor_implementation};
}

// ThreadSanitizer's functions, if the program is built with it.
static void (*sanitizer_acquire)(void *object);
static void (*sanitizer_release)(void *object);

// The types of tasks and of jobs that run an actor's queue.
static const void *const *task_type;
static const void *const *job_type;

// The runtime also acquires what is no job, for instance the token of a first initialization.
static bool is_job(void *object) {
    const void *type = *(const void **)object;
    return type == *task_type || type == *job_type;
}

static void did_acquire(void *object) {
    if (sanitizer_acquire != NULL) sanitizer_acquire(object);
    if (interlock_explored_thread() == NULL) return;
    hooks.acquire((uintptr_t)object, swift_task_getCurrent() == NULL && is_job(object));
}

static void will_release(void *object) {
    if (sanitizer_release != NULL) sanitizer_release(object);
    if (interlock_explored_thread() != NULL) hooks.release((uintptr_t)object);
}

static bool set_hook(const char *name, void *function) {
    void **hook = dlsym(RTLD_DEFAULT, name);
    if (hook == NULL) return false;
    *hook = function;
    return true;
}

static bool chain_hook(const char *name, void *function, void (**previous)(void *)) {
    void **hook = dlsym(RTLD_DEFAULT, name);
    if (hook == NULL) return false;
    *previous = (void (*)(void *))*hook;
    *hook = function;
    return true;
}

typedef SWIFT_ASYNC void (*switch_function)(
    ASYNC_CONTEXT void *context, resume_function resume, void *identity, void *implementation);

static _Atomic(switch_function) runtime_switch;

static switch_function original_switch(void) {
    switch_function original = atomic_load_explicit(&runtime_switch, memory_order_relaxed);
    if (original == NULL) {
        original = (switch_function)dlsym(RTLD_NEXT, "swift_task_switch");
        atomic_store_explicit(&runtime_switch, original, memory_order_relaxed);
    }
    return original;
}

bool interlock_explore_tasks(const interlock_task_hooks *functions) {
    hooks = *functions;
    task_type = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskMetadata");
    job_type = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_jobMetadata");
    return original_switch() != NULL && task_type != NULL && job_type != NULL && set_hook("swift_task_enqueueGlobal_hook", (void *)enqueue_global)
        && set_hook("swift_task_getMainExecutor_hook", (void *)main_executor)
        && chain_hook("_swift_tsan_acquire", (void *)did_acquire, &sanitizer_acquire)
        && chain_hook("_swift_tsan_release", (void *)will_release, &sanitizer_release);
}

/// Goes on with a task that has given up an actor, and now waits for the next one, if any.
static SWIFT_ASYNC void resume_after_leaving(ASYNC_CONTEXT void *context) {
    interlock_task_switch target = hooks.did_leave();
    if (target.identity == 0) return ((resume_function)target.resume.function)(context);
    return original_switch()(
        context, (resume_function)target.resume.function, (void *)target.identity, (void *)target.implementation);
}

/// Takes the place of the runtime's function of the same name, for the code that is linked with this file.
///
/// The compiler calls it wherever a task may have to change its executor. In the runtime, an uncontended change is made without an enqueue,
/// so that no hook of the runtime sees it.
SWIFT_ASYNC void swift_task_switch(ASYNC_CONTEXT void *context, resume_function resume, void *identity, void *implementation) {
    if (interlock_explored_thread() != NULL) {
        void *current = swift_task_getCurrentExecutor().identity;
        if (current != identity) {
            interlock_task_switch next = {
                {(uintptr_t)resume, (uintptr_t)context}, (uintptr_t)identity, (uintptr_t)implementation};
            if (current != NULL) {
                hooks.will_leave(next);
                return original_switch()(context, resume_after_leaving, NULL, NULL);
            }
            hooks.will_enter(next);
        }
    }
    return original_switch()(context, resume, identity, implementation);
}

// MARK: Traps

// Swift's traps are instructions that the processor refuses; the runtime calls `abort`.
static const int trap_signals[] = {SIGILL, SIGTRAP, SIGABRT};
static struct sigaction before_traps[3];
static void (*on_trap)(void);

static void did_trap(int signal) {
    if (interlock_explored_thread() != NULL) on_trap();
    // Returns to the instruction that traps, with the action that the program had before.
    for (int index = 0; index < 3; index++) {
        if (trap_signals[index] == signal) sigaction(signal, &before_traps[index], NULL);
    }
}

void interlock_catch_traps(void (*action)(void)) {
    struct sigaction catching = {.sa_handler = did_trap, .sa_flags = SA_NODEFER};
    on_trap = action;
    for (int index = 0; index < 3; index++) sigaction(trap_signals[index], &catching, &before_traps[index]);
}

void interlock_stop_catching_traps(void) {
    for (int index = 0; index < 3; index++) sigaction(trap_signals[index], &before_traps[index], NULL);
}

// MARK: Yields and sleeps

// The runtime of Swift 6.3 enqueues the end of a yield or a sleep on its own executor, without a call of a hook. So these functions take the
// place of the runtime's, for the code that is linked with this file.

/// In the module `Exploration`.
extern SWIFT_ASYNC void interlock_explored_yield(ASYNC_CONTEXT void *context);
extern SWIFT_ASYNC void interlock_explored_sleep(ASYNC_CONTEXT void *context);

typedef SWIFT_ASYNC void (*async_function)(
    ASYNC_CONTEXT void *context, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,
    __attribute__((swift_context)) void *self);

/// The runtime's function of a name.
static async_function runtime_function(const char *name) {
    static _Thread_local const char *last_name;
    static _Thread_local async_function last;
    if (last_name != name) {
        last = (async_function)dlsym(RTLD_NEXT, name);
        last_name = name;
    }
    return last;
}

#if defined(__APPLE__)
#define ASSEMBLER_NAME(name) "_" name
#define DATA_SECTION ".section __DATA,__const"
#else
#define ASSEMBLER_NAME(name) name
#define DATA_SECTION ".section .rodata,\"a\",@progbits"
#endif

/// Defines the function `function` in the place of the runtime's function `name`.
///
/// The caller allocates as many bytes as stand behind the function's address. They suffice for each of the functions that may run.
#define REPLACE(function, name, instead, condition)                                                                                     \
    SWIFT_ASYNC void function(                                                                                                          \
        ASYNC_CONTEXT void *context, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,                      \
        __attribute__((swift_context)) void *self) __asm__(ASSEMBLER_NAME(name));                                                       \
    SWIFT_ASYNC void function(                                                                                                          \
        ASYNC_CONTEXT void *context, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,                      \
        __attribute__((swift_context)) void *self) {                                                                                    \
        if (interlock_explored_thread() != NULL && (condition)) return instead(context);                                                \
        return runtime_function(name)(context, a, b, c, d, e, f, self);                                                                 \
    }                                                                                                                                   \
    __asm__(DATA_SECTION "\n"                                                                                                           \
                         ".p2align 3\n"                                                                                                 \
                         ".globl \"" ASSEMBLER_NAME(name) "Tu\"\n"                                                                      \
                         "\"" ASSEMBLER_NAME(name) "Tu\":\n"                                                                            \
                         ".long \"" ASSEMBLER_NAME(name) "\" - .\n"                                                                     \
                         ".long 1024\n"                                                                                                 \
                         ".text\n")

// MARK: Cancellation

// The runtime calls handlers of a cancellation while it holds a lock of the task. If another explored thread ran meanwhile, it could wait
// for that lock, and the explorer would not know.

typedef SWIFT void (*cancel_function)(
    uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, __attribute__((swift_context)) void *self);

#define REPLACE_CANCEL(function, name)                                                                                                  \
    SWIFT void function(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, __attribute__((swift_context)) void *self)                  \
        __asm__(ASSEMBLER_NAME(name));                                                                                                  \
    SWIFT void function(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, __attribute__((swift_context)) void *self) {                \
        bool is_explored = interlock_explored_thread() != NULL;                                                                         \
        if (is_explored) hooks.set_undivided(true);                                                                                     \
        ((cancel_function)runtime_function(name))(a, b, c, d, self);                                                                    \
        if (is_explored) hooks.set_undivided(false);                                                                                    \
    }

REPLACE_CANCEL(task_cancel, "$sScT6cancelyyF")
REPLACE_CANCEL(current_task_cancel, "$sSct6cancelyyF")
REPLACE_CANCEL(group_cancel, "$sScG9cancelAllyyF")
REPLACE_CANCEL(throwing_group_cancel, "$sScg9cancelAllyyF")
REPLACE_CANCEL(discarding_group_cancel, "$ss19DiscardingTaskGroupV9cancelAllyyF")
REPLACE_CANCEL(throwing_discarding_group_cancel, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")

// Two checks in one step could find no cancellation between them.

#define REPLACE_CHECK(function, name)                                                                                                   \
    SWIFT uintptr_t function(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, __attribute__((swift_context)) void *self)             \
        __asm__(ASSEMBLER_NAME(name));                                                                                                  \
    SWIFT uintptr_t function(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, __attribute__((swift_context)) void *self) {           \
        typedef SWIFT uintptr_t (*check)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, __attribute__((swift_context)) void *);            \
        bool is_explored = interlock_explored_thread() != NULL;                                                                         \
        if (is_explored) hooks.will_check_cancellation();                                                                               \
        uintptr_t result = ((check)runtime_function(name))(a, b, c, d, self);                                                           \
        if (is_explored) hooks.did_check_cancellation(result & 1);                                                                      \
        return result;                                                                                                                  \
    }

REPLACE_CHECK(is_cancelled, "swift_task_isCancelled")
REPLACE_CHECK(current_task_is_cancelled, "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ")
REPLACE_CHECK(task_is_cancelled, "$sScT11isCancelledSbvg")
REPLACE_CHECK(unsafe_task_is_cancelled, "$sSct11isCancelledSbvg")
REPLACE_CHECK(group_is_cancelled, "$sScG11isCancelledSbvg")
REPLACE_CHECK(throwing_group_is_cancelled, "$sScg11isCancelledSbvg")
REPLACE_CHECK(discarding_group_is_cancelled, "$ss19DiscardingTaskGroupV11isCancelledSbvg")
REPLACE_CHECK(throwing_discarding_group_is_cancelled, "$ss27ThrowingDiscardingTaskGroupV11isCancelledSbvg")

#define CHECK_CANCELLATION "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ"
#define THROWING_PARAMETERS __attribute__((swift_context)) void *self, __attribute__((swift_error_result)) void **error

SWIFT void check_cancellation(THROWING_PARAMETERS) __asm__(ASSEMBLER_NAME(CHECK_CANCELLATION));
SWIFT void check_cancellation(THROWING_PARAMETERS) {
    bool is_explored = interlock_explored_thread() != NULL;
    if (is_explored) hooks.will_check_cancellation();
    ((SWIFT void (*)(THROWING_PARAMETERS))runtime_function(CHECK_CANCELLATION))(self, error);
    if (is_explored) hooks.did_check_cancellation(*error != NULL);
}

// MARK: References

// The last release of an object is no step, and a reference that does not keep the object alive shows whether it has happened. The functions
// are hidden from other libraries, such as that of the tests, whose own references are no part of the program.

#define REPLACE_LOAD(function, name)                                                                                                    \
    __attribute__((visibility("hidden"))) void *function(void *reference) __asm__(ASSEMBLER_NAME(name));                                \
    void *function(void *reference) {                                                                                                   \
        typedef void *(*load)(void *);                                                                                                  \
        static _Atomic(load) original;                                                                                                  \
        if (atomic_load_explicit(&original, memory_order_relaxed) == NULL) {                                                            \
            atomic_store_explicit(&original, (load)dlsym(RTLD_NEXT, name), memory_order_relaxed);                                       \
        }                                                                                                                               \
        if (interlock_explored_thread() != NULL) hooks.will_load_reference();                                                           \
        return atomic_load_explicit(&original, memory_order_relaxed)(reference);                                                        \
    }

REPLACE_LOAD(weak_load, "swift_weakLoadStrong")
REPLACE_LOAD(weak_take, "swift_weakTakeStrong")
REPLACE_LOAD(unowned_retain, "swift_unownedRetainStrong")

// MARK: Mutexes

// A handler of a cancellation may wait, while its thread holds the runtime's mutex of the task. Then other explored threads run, and the task
// needs the mutex when it leaves `withTaskCancellationHandler`. So an explored thread waits in the explorer for a mutex that another one
// holds. These functions take the place of the system's, for the runtime too: the program exports them, because its libraries use them.
#if defined(__linux__) && !__has_feature(thread_sanitizer)
typedef int (*mutex_function)(pthread_mutex_t *mutex);

static _Atomic(mutex_function) system_lock, system_unlock;

static int call(_Atomic(mutex_function) *function, const char *name, pthread_mutex_t *mutex) {
    mutex_function original = atomic_load_explicit(function, memory_order_relaxed);
    if (original == NULL) {
        original = (mutex_function)dlsym(RTLD_NEXT, name);
        atomic_store_explicit(function, original, memory_order_relaxed);
    }
    return original(mutex);
}

// The mutexes that explored threads hold. One explored thread runs at a time, so that they need no lock. A mutex for which there is no room
// is one that no explored thread holds.
static struct {
    pthread_mutex_t *mutex;
    void *thread;
} held[256];
static size_t held_count;

/// Whether an explored thread other than `thread` holds the mutex.
static bool another_holds(pthread_mutex_t *mutex, void *thread) {
    for (size_t index = held_count; index-- > 0;) {
        if (held[index].mutex == mutex) return held[index].thread != thread;
    }
    return false;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    void *thread = interlock_explored_thread();
    if (thread == NULL) return call(&system_lock, "pthread_mutex_lock", mutex);
    int result = pthread_mutex_trylock(mutex);
    while (result == EBUSY && another_holds(mutex, thread) && hooks.wait_for_mutex((uintptr_t)mutex)) {
        result = pthread_mutex_trylock(mutex);
    }
    if (result == EBUSY) result = call(&system_lock, "pthread_mutex_lock", mutex);
    if (result == 0 && held_count < sizeof held / sizeof held[0]) {
        held[held_count].mutex = mutex;
        held[held_count++].thread = thread;
    }
    return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    int result = call(&system_unlock, "pthread_mutex_unlock", mutex);
    if (interlock_explored_thread() == NULL) return result;
    for (size_t index = held_count; index-- > 0;) {
        if (held[index].mutex != mutex) continue;
        held_count--;
        for (; index < held_count; index++) held[index] = held[index + 1];
        hooks.did_unlock((uintptr_t)mutex);
        break;
    }
    return result;
}
#endif

// MARK: Clocks

/// Whether a type is that of a clock of the system.
static bool is_system_clock(uintptr_t metadata) {
    static _Atomic(uintptr_t) continuous, suspending;
    if (atomic_load(&suspending) == 0) {
        atomic_store(&continuous, (uintptr_t)dlsym(RTLD_DEFAULT, "$ss15ContinuousClockVN"));
        atomic_store(&suspending, (uintptr_t)dlsym(RTLD_DEFAULT, "$ss15SuspendingClockVN"));
    }
    return metadata == atomic_load(&continuous) || metadata == atomic_load(&suspending);
}

REPLACE(task_yield, "$sScTss5NeverORszABRs_rlE5yieldyyYaFZ", interlock_explored_yield, true);
REPLACE(task_sleep, "$sScTss5NeverORszABRs_rlE5sleep11nanosecondsys6UInt64V_tYaKFZ", interlock_explored_sleep, true);
REPLACE(
    task_sleep_until, "$sScTss5NeverORszABRs_rlE5sleep5until9tolerance5clocky7InstantQyd___8DurationQyd__Sgqd__tYaKs5ClockRd__lFZ",
    interlock_explored_sleep, is_system_clock(d));
REPLACE(
    continuous_clock_sleep, "$ss15ContinuousClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF", interlock_explored_sleep, true);
REPLACE(
    suspending_clock_sleep, "$ss15SuspendingClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF", interlock_explored_sleep, true);
REPLACE(
    clock_sleep, "$ss5ClockP5sleep5until9tolerancey7InstantQz_8DurationQzSgtYaKFTj", interlock_explored_sleep, is_system_clock(c));

uint64_t interlock_job_number(uintptr_t job) { return swift_task_getJobTaskId((void *)job); }

// The flags of a job follow its header and two words that executors may use. Their lowest byte is the kind.
uint8_t interlock_job_kind(uintptr_t job) { return ((uint8_t *)job)[4 * sizeof(void *)]; }

// The actor of a job that runs an actor's queue follows the function that runs the job.
uintptr_t interlock_job_actor(uintptr_t job) { return ((uintptr_t *)job)[8]; }

// In a task's job, the function is that with which the task goes on, and the context follows.
interlock_resume_point interlock_job_resume_point(uintptr_t job) {
    uintptr_t *words = (uintptr_t *)job;
    if (job == 0 || interlock_job_kind(job) != 0) return (interlock_resume_point){0, 0};
    return (interlock_resume_point){words[7], words[8]};
}

/// Calls `body` with two frames above it: one that returns to the resume point, and one of an asynchronous function with its context.
static void call_from(interlock_resume_point point, void (*body)(void *), void *argument) {
#if defined(__x86_64__)
    // From its second byte on, a return address belongs to the function.
    uintptr_t frames[4] = {(uintptr_t)&frames[3], point.function + 1, point.context, (uintptr_t)1 << 60};
    // The call must leave the red zone alone, where a debug build keeps the frames, and needs an aligned stack.
    __asm__ volatile("movq %%rbp, %%rbx\n\tmovq %%rsp, %%r12\n\tsubq $128, %%rsp\n\tandq $-16, %%rsp\n\t"
                     "movq %[frames], %%rbp\n\tcallq *%[body]\n\tmovq %%r12, %%rsp\n\tmovq %%rbx, %%rbp"
                     : "+D"(argument)
                     : [frames] "r"(frames), [body] "r"(body)
                     : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3",
                       "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#else
    (void)point;
    body(argument);
#endif
}

void interlock_capture(interlock_resume_point point, void (*body)(void *), void *argument) {
    // A capture throws errors, and Swift Testing follows the stack of each error: beyond the frames of a task, it crashes.
    void **throwing[] = {dlsym(RTLD_DEFAULT, "_swift_willThrow"), dlsym(RTLD_DEFAULT, "_swift_willThrowTypedImpl")};
    void *saved[2];
    for (int index = 0; index < 2; index++) {
        if (throwing[index] != NULL) saved[index] = __atomic_exchange_n(throwing[index], NULL, __ATOMIC_SEQ_CST);
    }
    if (point.function == 0) {
        body(argument);
    } else {
        call_from(point, body, argument);
    }
    for (int index = 0; index < 2; index++) {
        if (throwing[index] != NULL) __atomic_store_n(throwing[index], saved[index], __ATOMIC_SEQ_CST);
    }
}

void interlock_run_job(uintptr_t job, bool on_main_actor) {
    executor on = {NULL, NULL};
    if (on_main_actor) on = (executor){(void *)hooks.main_executor, (void *)hooks.main_executor_implementation};
    swift_job_run((void *)job, on.identity, on.implementation);
}
#endif
