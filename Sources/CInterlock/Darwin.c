#if defined(__APPLE__)

#include "CInterlock.h"

#include <errno.h>
#include <mach/mach.h>
#include <stdlib.h>
#include <time.h>

// The index of the thread's port in the task's name table: 24 bits, unique among live threads, never 0. The
// low eight bits of a port's name are a generation count and would not fit beside a lock's flags.
uint32_t interlock_system_thread_id(void) { return (uint32_t)(pthread_mach_thread_np(pthread_self()) >> 8); }

// Darwin's lock has no setting that prefers writers, and it does not starve them.
void *interlock_rwlock_create(void) {
    pthread_rwlock_t *lock = malloc(sizeof *lock);
    if (lock == NULL) return NULL;
    if (pthread_rwlock_init(lock, NULL) == 0) return lock;
    free(lock);
    return NULL;
}

void interlock_rwlock_destroy(void *lock) {
    pthread_rwlock_destroy(lock);
    free(lock);
}

uint64_t interlock_monotonic_ns(void) { return clock_gettime_nsec_np(CLOCK_UPTIME_RAW); }

#endif
