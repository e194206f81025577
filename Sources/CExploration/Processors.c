#if defined(INTERLOCK_EXPLORATION)
#if defined(__linux__)
#define _GNU_SOURCE  // sched_getcpu, cpu_set_t
#endif
#include "CExploration.h"

#if defined(__linux__)

#include <sched.h>
#include <string.h>

// An error of these system calls changes nothing but the speed.
interlock_processors interlock_stay_on_processor(void) {
    interlock_processors before, one;
    int processor = sched_getcpu();
    memset(&before, 0, sizeof before);
    memset(&one, 0, sizeof one);
    if (sched_getaffinity(0, sizeof before, (cpu_set_t *)&before) == 0 && processor >= 0 && processor < CPU_SETSIZE) {
        CPU_SET((size_t)processor, (cpu_set_t *)&one);
        (void)sched_setaffinity(0, sizeof one, (cpu_set_t *)&one);
    }
    return before;
}

void interlock_set_processors(interlock_processors processors) {
    (void)sched_setaffinity(0, sizeof processors, (cpu_set_t *)&processors);
}

#else

// Threads of Darwin can't be bound to a processor.
interlock_processors interlock_stay_on_processor(void) { return (interlock_processors){{0}}; }

void interlock_set_processors(interlock_processors processors) { (void)processors; }

#endif
#endif
