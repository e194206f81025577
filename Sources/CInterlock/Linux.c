#if defined(__linux__)

#define _GNU_SOURCE
#include "CInterlock.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
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

void *interlock_rwlock_create(void) {
    pthread_rwlock_t *lock = malloc(sizeof *lock);
    if (lock == NULL) return NULL;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
#if defined(__GLIBC__)
    // This setting prefers writers. By default, and always with musl, which lacks the setting, overlapping
    // readers starve writers.
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    int result = pthread_rwlock_init(lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    if (result == 0) return lock;
    free(lock);
    return NULL;
}

void interlock_rwlock_destroy(void *lock) {
    pthread_rwlock_destroy(lock);
    free(lock);
}

uint64_t interlock_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int32_t interlock_epoll_of(int32_t descriptor, bool for_writing) {
    int instance = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = for_writing ? EPOLLOUT : EPOLLIN};
    if (instance < 0) return -2;
    if (epoll_ctl(instance, EPOLL_CTL_ADD, descriptor, &event) == 0) return instance;
    int result = errno == ENOMEM || errno == ENOSPC ? -2 : -1;
    close(instance);
    return result;
}

void interlock_epoll_remove(int32_t instance, int32_t descriptor) {
    // The call fails only if the descriptor was closed, which has the same effect.
    (void)epoll_ctl(instance, EPOLL_CTL_DEL, descriptor, NULL);
}

int32_t interlock_free_send_buffer(int32_t descriptor) {
    int size, queued;
    socklen_t length = sizeof size;
    if (getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, &length) != 0) return 1;
    if (ioctl(descriptor, SIOCOUTQ, &queued) != 0 || queued >= size) return 1;
    return size - queued;
}

#if defined(INTERLOCK_EXPLORATION)
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
#endif

#endif
