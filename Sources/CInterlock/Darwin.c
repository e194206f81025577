#if defined(__APPLE__)

#include "CInterlock.h"
#include "ParkingTable.h"

#include <errno.h>
#include <mach/mach.h>
#include <os/clock.h>
#include <os/os_sync_wait_on_address.h>
#include <stdlib.h>
#include <time.h>

// The index of the thread's port in the task's name table: 24 bits, unique among live threads, never 0. The
// low eight bits of a port's name are a generation count and would not fit beside a lock's flags.
uint32_t interlock_system_thread_id(void) { return (uint32_t)(pthread_mach_thread_np(pthread_self()) >> 8); }

bool interlock_is_last_thread(void) {
    thread_act_array_t threads;
    mach_msg_type_number_t count;
    if (task_threads(mach_task_self(), &threads, &count) != KERN_SUCCESS) return false;
    for (mach_msg_type_number_t i = 0; i < count; i++) mach_port_deallocate(mach_task_self(), threads[i]);
    vm_deallocate(mach_task_self(), (vm_address_t)threads, count * sizeof *threads);
    return count == 1;
}

// The first systems with `os_sync_wait_on_address`. Older ones have only functions that Apple does not publish. The
// attribute says the same to the compiler, which checks it.
#define HAS_OS_SYNC __builtin_available(macOS 14.4, iOS 17.4, tvOS 17.4, watchOS 10.4, visionOS 1.1, *)
#define USES_OS_SYNC \
    __attribute__((availability(macos, introduced=14.4), availability(ios, introduced=17.4), \
                   availability(tvos, introduced=17.4), availability(watchos, introduced=10.4), \
                   availability(visionos, introduced=1.1)))

USES_OS_SYNC static int os_sync_wait(const uint32_t *address, uint32_t expected, uint64_t deadline_ns) {
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
    // value differed. EFAULT means that the page was not in memory, and ENOMEM that the kernel had none for the wait:
    // by the header, both may pass.
    if (result >= 0) return 0;
    return errno == EFAULT || errno == ENOMEM ? EAGAIN : errno;
}

USES_OS_SYNC static int os_sync_wake(const uint32_t *address, int32_t count) {
    void *word = (void *)(uintptr_t)address;
    int result = count == 1 ? os_sync_wake_by_address_any(word, sizeof *address, OS_SYNC_WAKE_BY_ADDRESS_NONE)
                            : os_sync_wake_by_address_all(word, sizeof *address, OS_SYNC_WAKE_BY_ADDRESS_NONE);
    // The system does not report how many threads it woke.
    return result == 0 ? 1 : 0;
}

int interlock_futex_wait(const uint32_t *address, uint32_t expected, uint64_t deadline_ns) {
    if (HAS_OS_SYNC) return os_sync_wait(address, expected, deadline_ns);
    return interlock_parking_wait(address, expected, deadline_ns);
}

int interlock_futex_wake(const uint32_t *address, int32_t count) {
    if (HAS_OS_SYNC) return os_sync_wake(address, count);
    return interlock_parking_wake(address, count);
}

// The system has no such call. Threads fill their hazard slots with an exchange instead.
bool interlock_register_process_barrier(void) { return false; }

int interlock_process_barrier(void) { return ENOSYS; }

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

uint64_t interlock_coarse_ns(void) { return clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX); }

#endif
