#define _GNU_SOURCE
#include "Counters.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The program's own code begins and ends here: that of the package is in it, that of libraries is not.
extern char __executable_start, etext;
#define IS_OWN(address) ((char *)(address) >= &__executable_start && (char *)(address) < &etext)
#define IS_CALLED_BY_OWN_CODE IS_OWN(__builtin_return_address(0))
#define ORIGINAL(name) ((__typeof__(&name))original(&originals.name, #name))

static struct {
    void *syscall, *pthread_create, *sched_yield, *clock_gettime, *nanosleep, *clock_nanosleep;
} originals;

static void *original(void **address, const char *name) {
    if (*address == NULL) *address = dlsym(RTLD_NEXT, name);
    return *address;
}

static atomic_int is_counting;
static atomic_long counts[COSTS_COUNTERS];
// A thread of a scenario has its number and says whether it is in a wait of the package.
static __thread int own_index = -1;
static _Atomic pid_t ids[COSTS_MOST_THREADS];
static atomic_int waiting[COSTS_MOST_THREADS];
static __thread int skips_waits;
static __thread uint64_t skipped;

// Whether the calling thread runs code of the scenario that does not count.
static __thread int is_outside;

static void count(int counter) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed) && !is_outside) atomic_fetch_add(&counts[counter], 1);
}

// Whether the allocations of one thread count only, and whether the calling thread is that one.
static atomic_int is_one_allocating;
static __thread int is_allocating;

static void count_allocation(void) {
    if (is_allocating || !atomic_load_explicit(&is_one_allocating, memory_order_relaxed)) count(COSTS_ALLOCATIONS);
}

void costs_count_own_allocations(int is_own) {
    is_allocating = is_own;
    atomic_store(&is_one_allocating, is_own);
}

void costs_leave(int leaves) { is_outside = leaves; }

void costs_evaluate(void) { count(COSTS_EVALUATIONS); }

void costs_begin(void) {
    for (int counter = 0; counter < COSTS_COUNTERS; counter++) atomic_store(&counts[counter], 0);
    atomic_store(&is_counting, 1);
}

void costs_end(void) { atomic_store(&is_counting, 0); }

long costs_count(int counter) { return atomic_load(&counts[counter]); }

// MARK: The system

static uint64_t nanoseconds(const struct timespec *time) { return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec; }

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a[6];
    for (int index = 0; index < 6; index++) a[index] = va_arg(list, long);
    va_end(list);
    int isWait = 0, isWakeUp = 0;
    if (IS_CALLED_BY_OWN_CODE) {
        int operation = (int)a[1] & FUTEX_CMD_MASK;
        isWait = number == SYS_futex && (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET);
        isWakeUp = number == SYS_futex && !isWait;
        count(isWait ? COSTS_SLEEPS : number == SYS_futex ? COSTS_WAKE_UPS : COSTS_CALLS);
        if (isWait && skips_waits && a[3] != 0) {
            uint64_t end = nanoseconds((const struct timespec *)a[3]);
            if (end > skipped) skipped = end;
            errno = ETIMEDOUT;
            return -1;
        }
    }
    isWait = isWait && own_index >= 0;
    if (isWait) atomic_store(&waiting[own_index], 1);
    long result = ORIGINAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (isWait) atomic_store(&waiting[own_index], 0);
    if (isWakeUp && atomic_load(&is_counting)) {
        long most = atomic_load(&counts[COSTS_WOKEN_TOGETHER]);
        while (result > most && !atomic_compare_exchange_weak(&counts[COSTS_WOKEN_TOGETHER], &most, result)) {}
    }
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = ORIGINAL(clock_gettime)(clock, time);
    if (skips_waits && IS_CALLED_BY_OWN_CODE && clock == CLOCK_MONOTONIC && nanoseconds(time) < skipped) {
        time->tv_sec = (time_t)(skipped / 1000000000u);
        time->tv_nsec = (long)(skipped % 1000000000u);
    }
    return result;
}

void costs_skip_waits(int skips) {
    skips_waits = skips;
    skipped = 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    if (IS_CALLED_BY_OWN_CODE) count(COSTS_THREADS);
    return ORIGINAL(pthread_create)(thread, attributes, run, argument);
}

int sched_yield(void) {
    if (IS_CALLED_BY_OWN_CODE) count(COSTS_YIELDS);
    return ORIGINAL(sched_yield)();
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    if (IS_CALLED_BY_OWN_CODE) count(COSTS_YIELDS);
    return ORIGINAL(nanosleep)(time, left);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    if (IS_CALLED_BY_OWN_CODE) count(COSTS_YIELDS);
    return ORIGINAL(clock_nanosleep)(clock, flags, time, left);
}

// MARK: Allocations, also those of the runtime for the package

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) { return count_allocation(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return count_allocation(), __libc_calloc(number, size); }
void *realloc(void *block, size_t size) { return count_allocation(), __libc_realloc(block, size); }
void *memalign(size_t alignment, size_t size) { return count_allocation(), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    *result = memalign(alignment, size);
    return *result == NULL ? ENOMEM : 0;
}

// MARK: Threads of the scenarios

typedef struct {
    int index;
    void (*run)(void *);
    void *context;
} start;

static pthread_t threads[COSTS_MOST_THREADS];
static start starts[COSTS_MOST_THREADS];

static void *run_thread(void *argument) {
    start *start = argument;
    own_index = start->index;
    atomic_store(&ids[own_index], (pid_t)ORIGINAL(syscall)(SYS_gettid));
    start->run(start->context);
    return NULL;
}

void costs_start_thread(int index, void (*run)(void *), void *context) {
    starts[index] = (start){index, run, context};
    atomic_store(&ids[index], 0);
    if (ORIGINAL(pthread_create)(&threads[index], NULL, run_thread, &starts[index]) != 0) abort();
}

void costs_join_thread(int index) {
    if (pthread_join(threads[index], NULL) != 0) abort();
}

void costs_sleep(long microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    ORIGINAL(nanosleep)(&time, NULL);
}

// Whether the thread is in the state S of the system.
static int sleeps(pid_t id) {
    char name[64], text[256];
    snprintf(name, sizeof name, "/proc/self/task/%d/stat", id);
    FILE *file = fopen(name, "r");
    if (file == NULL) return 0;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    // The name of the thread may contain a parenthesis.
    char *state = strrchr(text, ')');
    return state != NULL && state[1] == ' ' && state[2] == 'S';
}

static int is_asleep(int index) {
    pid_t id = atomic_load(&ids[index]);
    return id != 0 && atomic_load(&waiting[index]) && sleeps(id) && atomic_load(&waiting[index]);
}

void costs_wait_until_asleep(int index) {
    int was_outside = is_outside;
    is_outside = 1;
    while (!is_asleep(index)) costs_sleep(100);
    is_outside = was_outside;
}

static int others_sleep(void) {
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL) abort();
    pid_t own = (pid_t)ORIGINAL(syscall)(SYS_gettid);
    int result = 1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        pid_t id = atoi(entry->d_name);
        if (id != 0 && id != own && !sleeps(id)) result = 0;
    }
    closedir(folder);
    return result;
}

void costs_wait_until_others_sleep(void) {
    int was_outside = is_outside;
    is_outside = 1;
    while (!others_sleep()) costs_sleep(100);
    is_outside = was_outside;
}

// MARK: Jobs

#define SWIFT __attribute__((swiftcall))
extern SWIFT void swift_job_run(void *job, void *identity, void *implementation);

enum { MOST_JOBS = 1 << 17 };
static void *jobs[MOST_JOBS];
static unsigned first, last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static SWIFT void enqueue(void *job, void *original) {
    count(COSTS_JOBS);
    pthread_mutex_lock(&lock);
    jobs[last++ % MOST_JOBS] = job;
    pthread_mutex_unlock(&lock);
}

int costs_take_jobs(void) {
    void **hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
    if (hook == NULL) return 0;
    *hook = (void *)enqueue;
    return 1;
}

void costs_run_jobs(void) {
    while (1) {
        pthread_mutex_lock(&lock);
        void *job = first == last ? NULL : jobs[first++ % MOST_JOBS];
        pthread_mutex_unlock(&lock);
        if (job == NULL) return;
        swift_job_run(job, NULL, NULL);
    }
}

// MARK: Instructions

static volatile long steps;

static int is_traced(void) {
    static int known = -1;
    if (known < 0) known = getenv("COSTS_TRACED") != NULL;
    return known;
}

void costs_begin_steps(void) {
    steps = -1;
    if (is_traced()) pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){0});
}

long costs_end_steps(void) {
    if (is_traced()) pthread_sigqueue(pthread_self(), SIGUSR2, (union sigval){.sival_ptr = (void *)&steps});
    return steps;
}

// MARK: Controls

static void *nothing(void *argument) { return argument; }

// These calls are the program's own, as those of the package are.
void costs_control(long passes) {
    static const char *control;
    if (control == NULL && (control = getenv("COSTS_CONTROL")) == NULL) control = "";
    if (*control == 0) return;
    if (strcmp(control, "thread") == 0) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, nothing, NULL) != 0) abort();
        pthread_join(thread, NULL);
    } else if (strcmp(control, "poll") == 0) {
        sched_yield();
    } else if (strcmp(control, "call") == 0) {
        syscall(SYS_getppid, 0, 0, 0, 0, 0, 0);
    } else if (strcmp(control, "wake") == 0) {
        static uint32_t word;
        syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
    } else if (strcmp(control, "allocation") == 0) {
        void *volatile block = malloc(1);
        free(block);
    } else if (strcmp(control, "pass") == 0) {
        for (volatile long pass = 0; pass < passes; pass++) {}
    } else {
        abort();
    }
}
