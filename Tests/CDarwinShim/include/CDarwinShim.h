// Calls of Apple's systems on Linux, for tests of the files that make them: `.ci/darwin` says what it builds with them.
//
// Written from Apple's published headers and manuals: `os/lock.h`, `os/os_sync_wait_on_address.h`, `os/clock.h`,
// `pthread_cond_timedwait_relative_np`, `clock_gettime_nsec_np`, `task_threads`. Error numbers are Linux's. Two variables
// of the environment choose what the system does:
//
//     DARWIN_SHIM_MACOS=13.0   its version; 14.4 without the variable
//     DARWIN_SHIM_EARLY=3      each third wait ends early, in each way that the system may choose

#ifndef DARWIN_SHIM_H
#define DARWIN_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAMED(name) __attribute__((swift_name(name)))

// os/lock.h
typedef struct { uint32_t _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;
void os_unfair_lock_lock(os_unfair_lock_t _Nonnull);
bool os_unfair_lock_trylock(os_unfair_lock_t _Nonnull);
void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull);

// unistd.h and errno.h, as Swift sees them
static const int32_t darwin_processors_online NAMED("_SC_NPROCESSORS_ONLN") = 58;
long darwin_sysconf(int32_t name) NAMED("sysconf(_:)");
int32_t darwin_close(int32_t descriptor) NAMED("close(_:)");
int32_t darwin_errno(void) NAMED("getter:errno()");

// Whether the chosen version is at least the one that a condition names first, as in "macOS 14.4, iOS 17.4, *".
bool darwin_is_available(const char *_Nonnull condition);

// os/os_sync_wait_on_address.h and os/clock.h
#define OS_CLOCK_MACH_ABSOLUTE_TIME 32
#define OS_SYNC_WAIT_ON_ADDRESS_NONE 0
#define OS_SYNC_WAKE_BY_ADDRESS_NONE 0
int os_sync_wait_on_address(void *_Nonnull, uint64_t value, size_t size, uint32_t flags);
int os_sync_wait_on_address_with_timeout(void *_Nonnull, uint64_t value, size_t size, uint32_t flags, uint32_t clock,
                                         uint64_t timeout_ns);
int os_sync_wake_by_address_any(void *_Nonnull, size_t size, uint32_t flags);
int os_sync_wake_by_address_all(void *_Nonnull, size_t size, uint32_t flags);

// time.h. The processor's counter has the rate of Apple's processors, 24 MHz.
#define CLOCK_UPTIME_RAW 8
#define CLOCK_UPTIME_RAW_APPROX 9
uint64_t clock_gettime_nsec_np(int clock);

// mach/mach.h
typedef uint32_t mach_port_t;
typedef int kern_return_t;
typedef unsigned mach_msg_type_number_t;
typedef mach_port_t *thread_act_array_t;
typedef uintptr_t vm_address_t, vm_size_t;
#define KERN_SUCCESS 0
#define mach_task_self() 0x203u
kern_return_t task_threads(mach_port_t, thread_act_array_t _Nullable *_Nonnull, mach_msg_type_number_t *_Nonnull);
kern_return_t mach_port_deallocate(mach_port_t, mach_port_t);
kern_return_t vm_deallocate(mach_port_t, vm_address_t, vm_size_t);

// pthread.h
mach_port_t pthread_mach_thread_np(pthread_t);
int pthread_cond_timedwait_relative_np(pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull, const struct timespec *_Nonnull);
int darwin_cond_wait(pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull);
int darwin_rwlock_init(pthread_rwlock_t *_Nonnull, const pthread_rwlockattr_t *_Nullable);

#undef NAMED

#endif
