#include "CInterlock.h"

INTERLOCK_THREAD_LOCAL uint32_t interlock_cached_thread_id = 0;

// A thread's identifier is the system's number for the thread, except in a child made by `fork`.
//
// The child's only thread keeps the identifier that it had in the parent, because it still owns the locks
// that it held at the fork. The system gives this thread a new number, and may give its old number to another
// thread of the child. So the child exchanges the two numbers: a thread that the system numbers with one gets
// the other as its identifier. An exchange keeps different numbers different.
//
// In a process that exchanges no numbers, both variables are 0, which is no thread's number. All are written only while
// the child has one thread.
static uint32_t number_in_parent;
static uint32_t number_in_child;
static uint32_t forks;

uint32_t interlock_forks(void) { return forks; }

uint32_t interlock_thread_id_for(uint32_t system_id) {
    if (system_id == number_in_parent) return number_in_child;
    if (system_id == number_in_child) return number_in_parent;
    return system_id;
}

// Runs in a child made by `fork`. In a child of a child, too, `interlock_cached_thread_id` holds the
// identifier of the one thread that is left.
static void in_child(void) {
    forks++;
    number_in_parent = interlock_cached_thread_id;
    number_in_child = number_in_parent == 0 ? 0 : interlock_system_thread_id();
}

static void watch_forks(void) {
    if (pthread_atfork(NULL, NULL, in_child) != 0) interlock_trap_refused("a fork handler");
}

uint32_t interlock_ask_thread_id(void) {
    // The handler is registered with the first identifier. Before that, a fork has no identifier to keep.
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    interlock_cached_thread_id = interlock_thread_id_for(interlock_system_thread_id());
    return interlock_cached_thread_id;
}
