#include "CInterlock.h"

// The slot of a thread that has no slot of the table yet. It is never vacant, so the first attempt to fill it
// fails and the slow path finds a slot.
static _Alignas(128) uintptr_t no_slot = 1;

#define FIRST_RECORD {.entries = {INTERLOCK_READS_PER_SAMPLE}, .slot = (uintptr_t)&no_slot}

#if defined(__APPLE__)
_Thread_local interlock_thread_record interlock_this_thread = FIRST_RECORD;
#else
_Thread_local interlock_thread_record interlock_this_thread __attribute__((tls_model("initial-exec"))) = FIRST_RECORD;
#endif

#if defined(__APPLE__)
_Thread_local uintptr_t interlock_this_delivery = 0;
_Thread_local intptr_t interlock_this_resumption_depth = 0;
#else
_Thread_local uintptr_t interlock_this_delivery __attribute__((tls_model("initial-exec"))) = 0;
_Thread_local intptr_t interlock_this_resumption_depth __attribute__((tls_model("initial-exec"))) = 0;
#endif

#if defined(INTERLOCK_EXPLORATION)
static _Thread_local void *explored_thread;

void *interlock_explored_thread(void) { return explored_thread; }

void interlock_set_explored_thread(void *thread) { explored_thread = thread; }

void interlock_reset_thread_record(void) {
    interlock_this_thread = (interlock_thread_record)FIRST_RECORD;
    interlock_this_delivery = 0;
    interlock_this_resumption_depth = 0;
    interlock_reset_hazard_record();
}
#endif
