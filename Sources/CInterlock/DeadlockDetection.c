#if defined(INTERLOCK_DEADLOCK_DETECTION) || defined(INTERLOCK_EXPLORATION)

#define _GNU_SOURCE
#include "CInterlock.h"

#include <stdatomic.h>

INTERLOCK_THREAD_LOCAL void *interlock_thread_locks;

static pthread_key_t key;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static void (*_Atomic end_of_locks)(void *);

static void end_thread(void *locks) {
    // Thread-local destructors that run later may use locks. They make a new object, for which this function
    // is called again.
    interlock_thread_locks = NULL;
    end_of_locks(locks);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void interlock_detector_lock(void) { pthread_mutex_lock(&mutex); }
void interlock_detector_unlock(void) { pthread_mutex_unlock(&mutex); }

static pthread_mutex_t reports_mutex = PTHREAD_MUTEX_INITIALIZER;

void interlock_reports_lock(void) { pthread_mutex_lock(&reports_mutex); }
void interlock_reports_unlock(void) { pthread_mutex_unlock(&reports_mutex); }

static void lock_all(void) {
    interlock_reports_lock();
    interlock_detector_lock();
}

static void unlock_all(void) {
    interlock_detector_unlock();
    interlock_reports_unlock();
}

static void prepare(void) {
    interlock_keep_loaded();
    if (pthread_key_create(&key, end_thread) != 0) interlock_trap_refused("a key for thread-local values");
}

// Holds the mutexes during `fork`, so that no other thread holds them at that moment and the child can use them. The
// handlers of the program, which may use locks, are registered later: so those before a `fork` come before these.
__attribute__((constructor)) static void register_fork_handlers(void) {
    if (pthread_atfork(lock_all, unlock_all, unlock_all) != 0) interlock_trap_refused("a fork handler");
}

void interlock_keep_thread_locks(void *locks, void (*end)(void *)) {
    end_of_locks = end;
    pthread_once(&prepared, prepare);
    pthread_setspecific(key, locks);
    interlock_thread_locks = locks;
}

// The bounds of the calling thread's stack; both are 0 if the system does not know them.
struct stack { uintptr_t start, end; };

static struct stack find_stack(void) {
#if defined(__APPLE__)
    uintptr_t end = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
    return (struct stack){end - pthread_get_stacksize_np(pthread_self()), end};
#else
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return (struct stack){0, 0};
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    return (struct stack){(uintptr_t)start, (uintptr_t)start + size};
#endif
}

// The saved frame pointer in `frame`, or 0 at the end. A function without a frame pointer may leave any number in the
// register, so the walk stays inside the stack, where every read is safe.
static uintptr_t caller_of(uintptr_t frame) {
    static _Thread_local struct stack stack;
    if (stack.end == 0) stack = find_stack();
    if (frame < stack.start || frame >= stack.end || stack.end - frame < 2 * sizeof frame) return 0;
    uintptr_t caller = *(uintptr_t *)frame;
    return caller > frame && caller < stack.end && caller % sizeof caller == 0 ? caller : 0;
}

__attribute__((noinline)) uint32_t interlock_frames_below(uintptr_t address) {
    uint32_t count = 0;
    for (uintptr_t frame = (uintptr_t)__builtin_frame_address(0); frame != 0 && frame < address; count++)
        frame = caller_of(frame);
    return count;
}

__attribute__((noinline)) uint32_t interlock_return_addresses(uintptr_t *addresses, uint32_t limit, uintptr_t end) {
    uint32_t count = 0;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0), caller;
    for (; count < limit && (end == 0 || frame < end) && (caller = caller_of(frame)) != 0; frame = caller)
        addresses[count++] = ((uintptr_t *)frame)[1];
    return count;
}

#else
// C does not allow an empty file.
typedef int interlock_no_deadlock_detection;
#endif
