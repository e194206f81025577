#if defined(__linux__)

#define _GNU_SOURCE
#include "CInterlock.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The kernel's thread number: unique among live threads, below 2^22 (PID_MAX_LIMIT).
uint32_t interlock_system_thread_id(void) { return (uint32_t)syscall(SYS_gettid); }

static struct timespec timespec_from(uint64_t nanoseconds) {
    return (struct timespec){
        .tv_sec = (time_t)(nanoseconds / 1000000000u),
        .tv_nsec = (long)(nanoseconds % 1000000000u),
    };
}

int interlock_futex_wait(const uint32_t *address, uint32_t expected, uint64_t deadline_ns) {
    struct timespec deadline = timespec_from(deadline_ns);
    // FUTEX_WAIT_BITSET takes an absolute time on CLOCK_MONOTONIC, so a wait that is interrupted and repeated
    // does not drift.
    long result = syscall(SYS_futex, address, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
                          deadline_ns == UINT64_MAX ? NULL : &deadline, NULL, FUTEX_BITSET_MATCH_ANY);
    return result == 0 ? 0 : errno;
}

int interlock_futex_wake(const uint32_t *address, int32_t count) {
    long result = syscall(SYS_futex, address, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, NULL, NULL, 0);
    return result < 0 ? 0 : (int)result;
}

bool interlock_register_process_barrier(void) {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

int interlock_process_barrier(void) {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0 ? 0 : errno;
}

uint64_t interlock_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t interlock_coarse_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
