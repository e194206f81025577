#include "CInterlock.h"

#include <stdlib.h>

#if defined(__APPLE__)
_Thread_local uint32_t interlock_cached_thread_id = 0;
#else
_Thread_local uint32_t interlock_cached_thread_id __attribute__((tls_model("initial-exec"))) = 0;
#endif

// A thread's identifier is the system's number for it, with one exception in a child made by `fork`. The child's first thread keeps
// the identifier that it had in the parent, so that the sections it is in stay its own. The system numbers it anew, and may give its
// old number to another thread. So the child exchanges the two numbers: who gets the first one is identified by the second, and the
// other way round. An exchange keeps different numbers different, whatever the system does.
//
// Both are 0, which is no thread's number, where there is nothing to exchange. They are written while the child has one thread.
static uint32_t number_in_parent;
static uint32_t number_in_child;

uint32_t interlock_thread_id_for(uint32_t system_id) {
    if (system_id == number_in_parent) return number_in_child;
    if (system_id == number_in_child) return number_in_parent;
    return system_id;
}

// In a child of a child, too: the only thread that is left of those before has `interlock_cached_thread_id`.
static void in_child(void) {
    number_in_parent = interlock_cached_thread_id;
    number_in_child = number_in_parent == 0 ? 0 : interlock_system_thread_id();
}

static void watch_forks(void) {
    if (pthread_atfork(NULL, NULL, in_child) != 0) abort();
}

uint32_t interlock_ask_thread_id(void) {
    // No earlier: before the first identifier there is none to keep.
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    interlock_cached_thread_id = interlock_thread_id_for(interlock_system_thread_id());
    return interlock_cached_thread_id;
}
