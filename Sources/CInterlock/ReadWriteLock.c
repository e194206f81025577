#define _GNU_SOURCE
#include "CInterlock.h"

#include <errno.h>
#include <time.h>

// Polls `try_lock` with pauses that grow to a millisecond.
//
// The system's timed functions are no use here. Darwin has none. glibc's lock that prefers writers can spin
// forever after the deadline (seen with glibc 2.36).
static int lock_until(pthread_rwlock_t *lock, uint64_t deadline_ns, int (*try_lock)(pthread_rwlock_t *)) {
    struct timespec pause = {.tv_sec = 0, .tv_nsec = 1000};
    for (;;) {
        int result = try_lock(lock);
        if (result != EBUSY) return result;
        uint64_t now_ns = interlock_monotonic_ns();
        if (now_ns >= deadline_ns) return ETIMEDOUT;
        uint64_t left_ns = deadline_ns - now_ns;
        if (left_ns < (uint64_t)pause.tv_nsec) pause.tv_nsec = (long)left_ns;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000) pause.tv_nsec *= 2;
    }
}

int interlock_rwlock_rdlock_until(void *lock, uint64_t deadline_ns) {
    return lock_until(lock, deadline_ns, pthread_rwlock_tryrdlock);
}

int interlock_rwlock_wrlock_until(void *lock, uint64_t deadline_ns) {
    return lock_until(lock, deadline_ns, pthread_rwlock_trywrlock);
}
