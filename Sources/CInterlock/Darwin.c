#if defined(__APPLE__)

#include "CInterlock.h"

#include <errno.h>
#include <mach/mach.h>
#include <os/clock.h>
#include <os/os_sync_wait_on_address.h>
#include <stdlib.h>
#include <time.h>

// The index of the thread's port in the task's name table: 24 bits, unique among live threads, never 0. The
// low eight bits of a port's name are a generation count and would not fit beside a lock's flags.
uint32_t interlock_system_thread_id(void) { return (uint32_t)(pthread_mach_thread_np(pthread_self()) >> 8); }

int interlock_futex_wait(const uint32_t *address, uint32_t expected, uint64_t deadline_ns) {
    void *word = (void *)(uintptr_t)address;
    int result;
    if (deadline_ns == UINT64_MAX) {
        result = os_sync_wait_on_address(word, expected, sizeof *address, OS_SYNC_WAIT_ON_ADDRESS_NONE);
    } else {
        uint64_t now_ns = interlock_monotonic_ns();
        if (now_ns >= deadline_ns) return ETIMEDOUT;
        result = os_sync_wait_on_address_with_timeout(word, expected, sizeof *address, OS_SYNC_WAIT_ON_ADDRESS_NONE,
                                                      OS_CLOCK_MACH_ABSOLUTE_TIME, deadline_ns - now_ns);
    }
    // A result of zero or more is the number of threads that still wait there. The call also succeeds when the
    // value differed. EFAULT means that the page was not in memory.
    if (result >= 0) return 0;
    return errno == EFAULT ? EAGAIN : errno;
}

int interlock_futex_wake(const uint32_t *address, int32_t count) {
    void *word = (void *)(uintptr_t)address;
    int result = count == 1 ? os_sync_wake_by_address_any(word, sizeof *address, OS_SYNC_WAKE_BY_ADDRESS_NONE)
                            : os_sync_wake_by_address_all(word, sizeof *address, OS_SYNC_WAKE_BY_ADDRESS_NONE);
    // The system does not report how many threads it woke.
    return result == 0 ? 1 : 0;
}

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
