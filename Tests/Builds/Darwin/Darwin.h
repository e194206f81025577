// The declarations of Apple's system headers that this package uses, only for type-checking on other systems.
// They follow Apple's published sources (xnu, libpthread, libplatform), availability included.

#ifndef INTERLOCK_DARWIN_H
#define INTERLOCK_DARWIN_H

#include <stddef.h>
#include <stdint.h>

#define SINCE_OS_SYNC __attribute__((availability(macos, introduced=14.4), availability(ios, introduced=17.4), \
    availability(tvos, introduced=17.4), availability(watchos, introduced=10.4), availability(visionos, introduced=1.1)))
#define SINCE_CLOCKS __attribute__((availability(macos, introduced=10.12), availability(ios, introduced=10.0), \
    availability(tvos, introduced=10.0), availability(watchos, introduced=3.0)))

typedef long ssize_t;
typedef long time_t;
struct timespec { time_t tv_sec; long tv_nsec; };

// errno.h
int *_Nonnull __error(void);
#if !defined(INTERLOCK_SWIFT)
#define errno (*__error())
#endif
int interlock_stub_errno(void) __attribute__((swift_name("getter:errno()")));  // as the Swift overlay has it
#define EINTR 4
#define EBADF 9
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EAGAIN 35
#define ETIMEDOUT 60
#define ENOSYS 78

// stdlib.h, string.h
void *_Nullable malloc(size_t);
void free(void *_Nullable);
_Noreturn void abort(void);
char *_Nullable getenv(const char *_Nonnull);
int issetugid(void);
int atexit(void (*_Nonnull)(void));
size_t strlen(const char *_Nonnull);
int memcmp(const void *_Null_unspecified, const void *_Null_unspecified, size_t);
void *_Nonnull memset(void *_Nonnull, int, size_t);
void *_Nonnull memcpy(void *_Nonnull, const void *_Nonnull, size_t);
char *_Nullable strdup(const char *_Nonnull);
int snprintf(char *_Nonnull, size_t, const char *_Nonnull, ...);
int strcmp(const char *_Nonnull, const char *_Nonnull);

// stdio.h
typedef struct __sFILE FILE;
extern FILE *_Null_unspecified __stderrp;
#define stderr __stderrp
FILE *_Nullable fopen(const char *_Null_unspecified, const char *_Null_unspecified);
size_t fwrite(const void *_Null_unspecified, size_t, size_t, FILE *_Null_unspecified);
int fclose(FILE *_Null_unspecified);

// dlfcn.h
typedef struct dl_info {
    const char *_Null_unspecified dli_fname;
    void *_Null_unspecified dli_fbase;
    const char *_Null_unspecified dli_sname;
    void *_Null_unspecified dli_saddr;
} Dl_info;
int dladdr(const void *_Null_unspecified, Dl_info *_Null_unspecified);

// unistd.h
typedef int pid_t;
pid_t getpid(void);
#define STDERR_FILENO 2
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int);
int close(int);
ssize_t write(int, const void *_Nonnull, size_t);
ssize_t read(int, void *_Nonnull, size_t);
int pipe(int[_Nonnull 2]);

// time.h
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_UPTIME_RAW = 8, _CLOCK_UPTIME_RAW_APPROX = 9 } clockid_t;
#if defined(INTERLOCK_SWIFT)
extern const clockid_t CLOCK_UPTIME_RAW;  // Swift sees it, although it is a macro for another name
#else
#define CLOCK_UPTIME_RAW_APPROX _CLOCK_UPTIME_RAW_APPROX
#define CLOCK_UPTIME_RAW _CLOCK_UPTIME_RAW
#endif
uint64_t clock_gettime_nsec_np(clockid_t) SINCE_CLOCKS;
int nanosleep(const struct timespec *_Nonnull, struct timespec *_Nullable);

// pthread.h
typedef struct _opaque_pthread_t { long sig; char opaque[8176]; } *pthread_t;
typedef struct { long sig; char opaque[56]; } pthread_mutex_t;
typedef struct { long sig; char opaque[40]; } pthread_cond_t;
typedef struct { long sig; char opaque[192]; } pthread_rwlock_t;
typedef struct { long sig; char opaque[8]; } pthread_once_t;
typedef struct { long sig; char opaque[56]; } pthread_attr_t;
typedef struct { long sig; char opaque[8]; } pthread_mutexattr_t;
typedef struct { long sig; char opaque[8]; } pthread_condattr_t;
typedef struct { long sig; char opaque[16]; } pthread_rwlockattr_t;
typedef unsigned long pthread_key_t;
typedef uint32_t mach_port_t;
#define PTHREAD_ONCE_INIT {0x30B1BCBA, {0}}
#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}
int pthread_once(pthread_once_t *_Nonnull, void (*_Nonnull)(void));
int pthread_atfork(void (*_Nullable)(void), void (*_Nullable)(void), void (*_Nullable)(void));
pthread_t _Nonnull pthread_self(void);
mach_port_t pthread_mach_thread_np(pthread_t _Nonnull);
int pthread_main_np(void);
void *_Null_unspecified pthread_get_stackaddr_np(pthread_t _Nonnull);
size_t pthread_get_stacksize_np(pthread_t _Nonnull);
int pthread_create(pthread_t _Nullable *_Nonnull, const pthread_attr_t *_Nullable,
                   void *_Nullable (*_Nonnull)(void *_Nonnull), void *_Nullable);
int pthread_join(pthread_t _Nonnull, void *_Nullable *_Nullable);
int pthread_detach(pthread_t _Nonnull);
int pthread_key_create(pthread_key_t *_Nonnull, void (*_Nullable)(void *_Nonnull));
void *_Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *_Nullable);
int pthread_mutex_init(pthread_mutex_t *_Nonnull, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull);
int pthread_cond_init(pthread_cond_t *_Nonnull, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *_Nonnull);
int pthread_cond_wait(pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull);
int pthread_cond_signal(pthread_cond_t *_Nonnull);
int pthread_cond_broadcast(pthread_cond_t *_Nonnull);
int pthread_cond_timedwait_relative_np(pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull,
                                       const struct timespec *_Nullable);
int pthread_rwlock_init(pthread_rwlock_t *_Nonnull, const pthread_rwlockattr_t *_Nullable);
int pthread_rwlock_destroy(pthread_rwlock_t *_Nonnull);
int pthread_rwlock_rdlock(pthread_rwlock_t *_Nonnull);
int pthread_rwlock_wrlock(pthread_rwlock_t *_Nonnull);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *_Nonnull);
int pthread_rwlock_trywrlock(pthread_rwlock_t *_Nonnull);
int pthread_rwlock_unlock(pthread_rwlock_t *_Nonnull);
int sched_yield(void);

// mach/mach.h
typedef int kern_return_t;
typedef unsigned int mach_msg_type_number_t;
typedef mach_port_t *thread_act_array_t;
typedef uintptr_t vm_address_t, vm_size_t;
#define KERN_SUCCESS 0
extern mach_port_t mach_task_self_;
#define mach_task_self() mach_task_self_
kern_return_t task_threads(mach_port_t, thread_act_array_t _Nullable *_Nonnull, mach_msg_type_number_t *_Nonnull);
kern_return_t mach_port_deallocate(mach_port_t, mach_port_t);
kern_return_t vm_deallocate(mach_port_t, vm_address_t, vm_size_t);

int pthread_equal(pthread_t _Nullable, pthread_t _Nullable);

// fcntl.h
#define O_RDONLY 0x0
#define O_NONBLOCK 0x4
#define O_CLOEXEC 0x01000000
#define F_SETFD 2
#define F_SETFL 4
#define FD_CLOEXEC 1
int open(const char *_Nonnull, int, ...);
int fcntl(int, int, ...);

// poll.h
struct pollfd { int fd; short events; short revents; };
typedef unsigned int nfds_t;
#define POLLIN 0x1
int poll(struct pollfd *_Nonnull, nfds_t, int);

// sys/mman.h
typedef int64_t off_t;
#define PROT_READ 0x1
#define PROT_WRITE 0x2
#define MAP_PRIVATE 0x2
#define MAP_FIXED 0x10
#define MAP_NORESERVE 0x40
#define MAP_ANON 0x1000
#define MAP_FAILED ((void *)-1)
void *_Null_unspecified mmap(void *_Nullable, size_t, int, int, int, off_t);
int munmap(void *_Nonnull, size_t);

// signal.h
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGUSR2 31
#define NSIG 32
#define SA_ONSTACK 0x1
#define SA_RESTART 0x2
#define SA_RESETHAND 0x4
#define SA_SIGINFO 0x40
#define SIG_SETMASK 3
#define SIG_DFL ((void (*_Nullable)(int))0)
#define SIG_IGN ((void (*_Nullable)(int))1)
typedef uint32_t sigset_t;
typedef struct __siginfo { int si_signo; int si_errno; int si_code; } siginfo_t;  // and more
struct sigaction {
    union {
        void (*_Nullable __sa_handler)(int);
        void (*_Nullable __sa_sigaction)(int, siginfo_t *_Nullable, void *_Nullable);
    } __sigaction_u;
    sigset_t sa_mask;
    int sa_flags;
};
#if !defined(INTERLOCK_SWIFT)
#define sa_handler __sigaction_u.__sa_handler
#define sa_sigaction __sigaction_u.__sa_sigaction
#endif
int sigaction(int, const struct sigaction *_Nullable, struct sigaction *_Nullable);
void (*_Nullable signal(int, void (*_Nullable)(int)))(int);
int raise(int);
int kill(pid_t, int);
int sigfillset(sigset_t *_Nonnull);
int sigemptyset(sigset_t *_Nonnull);
int sigaddset(sigset_t *_Nonnull, int);
int sigdelset(sigset_t *_Nonnull, int);
int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);

// os/lock.h
typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;
void os_unfair_lock_lock(os_unfair_lock_t _Nonnull) SINCE_CLOCKS;
_Bool os_unfair_lock_trylock(os_unfair_lock_t _Nonnull) SINCE_CLOCKS;
void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull) SINCE_CLOCKS;

// Declarations of os/os_sync_wait_on_address.h and os/clock.h.
typedef enum : uint32_t { OS_CLOCK_MACH_ABSOLUTE_TIME = 32 } __attribute__((enum_extensibility(open))) os_clockid_t;
typedef enum : uint32_t {
    OS_SYNC_WAIT_ON_ADDRESS_NONE SINCE_OS_SYNC = 0,
    OS_SYNC_WAIT_ON_ADDRESS_SHARED SINCE_OS_SYNC = 1,
} __attribute__((enum_extensibility(open), flag_enum)) os_sync_wait_on_address_flags_t;
typedef enum : uint32_t {
    OS_SYNC_WAKE_BY_ADDRESS_NONE SINCE_OS_SYNC = 0,
    OS_SYNC_WAKE_BY_ADDRESS_SHARED SINCE_OS_SYNC = 1,
} __attribute__((enum_extensibility(open), flag_enum)) os_sync_wake_by_address_flags_t;
int os_sync_wait_on_address(void *_Nonnull, uint64_t, size_t, os_sync_wait_on_address_flags_t) SINCE_OS_SYNC;
int os_sync_wait_on_address_with_timeout(void *_Nonnull, uint64_t, size_t, os_sync_wait_on_address_flags_t, os_clockid_t,
                                         uint64_t) SINCE_OS_SYNC;
int os_sync_wake_by_address_any(void *_Nonnull, size_t, os_sync_wake_by_address_flags_t) SINCE_OS_SYNC;
int os_sync_wake_by_address_all(void *_Nonnull, size_t, os_sync_wake_by_address_flags_t) SINCE_OS_SYNC;

#endif
