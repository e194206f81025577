#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CBenchmarkCounters.h"

#include <errno.h>

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The file descriptor of the calling thread's counter, plus 1. The value is 0 before the first request, and a
// negated errno value if the system gives no counter.
static _Thread_local int64_t counter;

static int64_t open_counter(void) {
    struct perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.size = sizeof event;
    event.type = PERF_TYPE_HARDWARE;
    event.config = PERF_COUNT_HW_INSTRUCTIONS;
    event.exclude_kernel = 1;
    event.exclude_hv = 1;
    long descriptor = syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -(int64_t)errno : (int64_t)descriptor + 1;
}

int64_t benchmark_instructions(void) {
    if (counter == 0) {
        counter = open_counter();
    }
    if (counter < 0) {
        return counter;
    }
    int64_t count;
    if (read((int)(counter - 1), &count, sizeof count) != (ssize_t)sizeof count) {
        return -(int64_t)EIO;
    }
    return count;
}

int64_t benchmark_thread(void) { return syscall(SYS_gettid); }

#else

int64_t benchmark_thread(void) { return 0; }

int64_t benchmark_instructions(void) { return -(int64_t)ENOTSUP; }

#endif
