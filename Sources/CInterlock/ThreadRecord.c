#include "CInterlock.h"

// The slot of a thread that has no slot of the table yet. It is never vacant, so the first attempt to fill it
// fails and the slow path finds a slot.
static _Alignas(128) uintptr_t no_slot = 1;

#define FIRST_RECORD {.entries = {INTERLOCK_READS_PER_SAMPLE}, .slot = (uintptr_t)&no_slot}

INTERLOCK_THREAD_LOCAL interlock_thread_record interlock_this_thread = FIRST_RECORD;

#define FIRST_DELIVERY {.slot = (uintptr_t)&no_slot}

INTERLOCK_THREAD_LOCAL interlock_delivery_record interlock_this_delivery = FIRST_DELIVERY;
INTERLOCK_THREAD_LOCAL intptr_t interlock_this_resumption_depth = 0;

#if defined(INTERLOCK_EXPLORATION)
static _Thread_local void *explored_thread;

void *interlock_explored_thread(void) { return explored_thread; }

void interlock_set_explored_thread(void *thread) { explored_thread = thread; }

void interlock_reset_thread_record(void) {
    interlock_this_thread = (interlock_thread_record)FIRST_RECORD;
    interlock_this_delivery = (interlock_delivery_record)FIRST_DELIVERY;
    interlock_this_resumption_depth = 0;
    interlock_reset_hazard_record();
}
#endif
