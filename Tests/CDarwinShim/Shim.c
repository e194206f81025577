#define _GNU_SOURCE
#include "CDarwinShim.h"

#include <dirent.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Noreturn static void refuse(const char *message) {
    fprintf(stderr, "DarwinShim: %s\n", message);
    abort();
}

// MARK: The chosen system

static double version = 14.4;
static unsigned early_every;

__attribute__((constructor(101))) static void choose(void) {
    const char *text = getenv("DARWIN_SHIM_MACOS");
    if (text != NULL) version = atof(text);
    text = getenv("DARWIN_SHIM_EARLY");
    if (text != NULL) early_every = (unsigned)atoi(text);
}

bool darwin_is_available(const char *condition) {
    double needed;
    if (sscanf(condition, "macOS %lf", &needed) != 1) refuse("a condition does not name macOS first");
    return version >= needed;
}

// Returns 0 for a wait that must sleep, and another number for one that ends early.
static unsigned early_end(void) {
    static unsigned waits;
    if (early_every == 0) return 0;
    unsigned wait = __atomic_add_fetch(&waits, 1, __ATOMIC_RELAXED);
    return wait % early_every == 0 ? wait / early_every : 0;
}

// MARK: Time

// A tick takes 125/3 ns (mach_timebase_info on Apple's processors). The counter does not begin with Linux's clock.
#define EPOCH 3000000000000u

static uint64_t ns_from(uint64_t ticks) { return ticks / 3 * 125 + ticks % 3 * 125 / 3; }
static uint64_t ticks_from(uint64_t ns) { return ns / 125 * 3 + ns % 125 * 3 / 125; }

static uint64_t ticks_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return EPOCH + ticks_from((uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec);
}

uint64_t clock_gettime_nsec_np(int clock) {
    if (clock == CLOCK_UPTIME_RAW) return ns_from(ticks_of(CLOCK_MONOTONIC));
    if (clock == CLOCK_UPTIME_RAW_APPROX) return ns_from(ticks_of(CLOCK_MONOTONIC_COARSE));
    refuse("a clock that the package did not use before");
}

// The time on Linux's clock at which `ns` nanoseconds from now have passed, in whole ticks as Apple's kernel rounds them.
static struct timespec linux_time_after(uint64_t ns) {
    // Linux's clock can't represent a later time.
    uint64_t most = (uint64_t)INT64_MAX / 2, left = ns_from(ticks_from(ns < most ? ns : most));
    uint64_t time = ns_from(ticks_of(CLOCK_MONOTONIC) - EPOCH) + left;
    return (struct timespec){.tv_sec = (time_t)(time / 1000000000u), .tv_nsec = (long)(time % 1000000000u)};
}

// MARK: Waiting on an address

static long futex(const void *address, int operation, uint32_t value, const struct timespec *time) {
    return syscall(SYS_futex, address, operation | FUTEX_PRIVATE_FLAG, value, time, NULL, FUTEX_BITSET_MATCH_ANY);
}

static int fail(int error) {
    errno = error;
    return -1;
}

static int wait_on(void *address, uint64_t value, size_t size, uint32_t flags, const struct timespec *time) {
    if (address == NULL || (uintptr_t)address % 4 != 0 || size != 4 || flags != 0) return fail(EINVAL);
    unsigned end = early_end();
    if (end != 0) {
        // The last is a wake-up that was sent to another word that was at this address before.
        static const int errors[] = {EINTR, ENOMEM, EFAULT, 0};
        int error = errors[end % 4];
        return error == 0 ? 0 : fail(error);
    }
    long result = futex(address, FUTEX_WAIT_BITSET, (uint32_t)value, time);
    if (result != 0 && errno != EAGAIN) return -1;
    // The number of threads that still wait, which Linux does not tell.
    static unsigned ends;
    return (int)(__atomic_fetch_add(&ends, 1, __ATOMIC_RELAXED) % 3);
}

int os_sync_wait_on_address(void *address, uint64_t value, size_t size, uint32_t flags) {
    return wait_on(address, value, size, flags, NULL);
}

int os_sync_wait_on_address_with_timeout(void *address, uint64_t value, size_t size, uint32_t flags, uint32_t clock,
                                         uint64_t timeout_ns) {
    if (clock != OS_CLOCK_MACH_ABSOLUTE_TIME || timeout_ns == 0) return fail(EINVAL);
    struct timespec time = linux_time_after(timeout_ns);
    return wait_on(address, value, size, flags, &time);
}

static int wake(void *address, size_t size, uint32_t flags, uint32_t count) {
    if (address == NULL || size != 4 || flags != 0) return fail(EINVAL);
    return futex(address, FUTEX_WAKE, count, NULL) > 0 ? 0 : fail(ENOENT);
}

int os_sync_wake_by_address_any(void *address, size_t size, uint32_t flags) { return wake(address, size, flags, 1); }

int os_sync_wake_by_address_all(void *address, size_t size, uint32_t flags) {
    return wake(address, size, flags, INT32_MAX);
}

// MARK: os_unfair_lock

// The word is 0, or the name of the owner's port. A thread that waits clears the name's lowest bit.
#define NO_WAITERS 1u

static mach_port_t name_of(pid_t thread) { return (mach_port_t)thread << 8 | 3; }

static mach_port_t own_name(void) { return name_of((pid_t)syscall(SYS_gettid)); }

static bool acquire(uint32_t *word, uint32_t name) {
    uint32_t free = 0;
    return __atomic_compare_exchange_n(word, &free, name, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

bool os_unfair_lock_trylock(os_unfair_lock_t lock) { return acquire(&lock->_os_unfair_lock_opaque, own_name()); }

void os_unfair_lock_lock(os_unfair_lock_t lock) {
    uint32_t *word = &lock->_os_unfair_lock_opaque, name = own_name();
    // Once it has slept, it does not know whether others still do.
    for (uint32_t desired = name; !acquire(word, desired); desired = name & ~NO_WAITERS) {
        uint32_t state = __atomic_load_n(word, __ATOMIC_RELAXED), waiting = state & ~NO_WAITERS;
        if (waiting == (name & ~NO_WAITERS)) refuse("os_unfair_lock: recursion");
        if (state == 0) continue;
        if (state != waiting &&
            !__atomic_compare_exchange_n(word, &state, waiting, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
        futex(word, FUTEX_WAIT_BITSET, waiting, NULL);
    }
}

void os_unfair_lock_unlock(os_unfair_lock_t lock) {
    uint32_t state = __atomic_exchange_n(&lock->_os_unfair_lock_opaque, 0, __ATOMIC_RELEASE), name = own_name();
    if (state == name) return;
    if (state != (name & ~NO_WAITERS)) refuse("os_unfair_lock: unlocked by another thread than its owner");
    futex(&lock->_os_unfair_lock_opaque, FUTEX_WAKE, 1, NULL);
}

// MARK: Threads

mach_port_t pthread_mach_thread_np(pthread_t thread) {
    if (!pthread_equal(thread, pthread_self())) refuse("the port of another thread");
    return own_name();
}

// The rights and the memory that `task_threads` has given away.
static unsigned rights;
static size_t bytes;

kern_return_t task_threads(mach_port_t task, thread_act_array_t *threads, mach_msg_type_number_t *count) {
    if (task != mach_task_self()) refuse("another task");
    if (rights != 0 || bytes != 0) refuse("rights or memory of an earlier call of task_threads are left");
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL) return 5;  // KERN_FAILURE
    mach_port_t *names = NULL;
    mach_msg_type_number_t found = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        names = realloc(names, (found + 1) * sizeof *names);
        names[found++] = name_of(atoi(entry->d_name));
    }
    closedir(folder);
    rights = found;
    bytes = found * sizeof *names;
    *threads = names;
    *count = found;
    return KERN_SUCCESS;
}

kern_return_t mach_port_deallocate(mach_port_t task, mach_port_t name) {
    if (task != mach_task_self() || name == 0 || rights == 0) refuse("mach_port_deallocate");
    rights--;
    return KERN_SUCCESS;
}

kern_return_t vm_deallocate(mach_port_t task, vm_address_t address, vm_size_t size) {
    if (task != mach_task_self() || size != bytes) refuse("vm_deallocate");
    free((void *)address);
    bytes = 0;
    return KERN_SUCCESS;
}

// MARK: pthread

int darwin_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    // Others can acquire the mutex, as in a wait.
    if (early_end() == 0) return pthread_cond_wait(condition, mutex);
    pthread_mutex_unlock(mutex);
    sched_yield();
    return pthread_mutex_lock(mutex);
}

int pthread_cond_timedwait_relative_np(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *left) {
    if (left->tv_sec < 0 || left->tv_nsec < 0 || left->tv_nsec >= 1000000000) return EINVAL;
    if (early_end() != 0) return 0;
    struct timespec time = linux_time_after((uint64_t)left->tv_sec * 1000000000u + (uint64_t)left->tv_nsec);
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &time);
}

// Apple's lock favors writers.
int darwin_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    if (attributes != NULL) refuse("attributes of a pthread_rwlock_t");
    pthread_rwlockattr_t own;
    pthread_rwlockattr_init(&own);
    pthread_rwlockattr_setkind_np(&own, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    int result = pthread_rwlock_init(lock, &own);
    pthread_rwlockattr_destroy(&own);
    return result;
}

// MARK: unistd.h and errno.h

long darwin_sysconf(int32_t name) {
    if (name != darwin_processors_online) refuse("a value of sysconf that the package did not use before");
    return sysconf(_SC_NPROCESSORS_ONLN);
}

int32_t darwin_close(int32_t descriptor) { return close(descriptor); }

int32_t darwin_errno(void) { return errno; }
