#if defined(__linux__)

#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t loading_thread;

static pid_t thread_id(void) { return (pid_t)syscall(SYS_gettid); }

__attribute__((constructor)) static void note_loading_thread(void) { loading_thread = thread_id(); }

// Whether the calling thread has started the process, or has loaded this code, by `dlopen`.
//
// `MainLoop+Linux.swift` declares this function. The headers, which are for users, don't.
int32_t interlock_rows_is_main_thread(void);
int32_t interlock_rows_is_main_thread(void) { return thread_id() == loading_thread || thread_id() == getpid(); }

#endif
