#define _GNU_SOURCE
#include "CTestSupport.h"

// This header defines the macro by which the C library is recognised.
#include <stdlib.h>
#include <sys/resource.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: The start of a test process

// The environment variable with the descriptors of the event pipe, for the second start of the test process.
static const char pipe_variable[] = "INTERLOCK_TEST_EVENTS";

static bool is_test_run(int count, char **arguments) {
  bool result = false;
  for (int index = 1; index < count; index++) {
    // Another program, such as an editor, already reads the events.
    if (strstr(arguments[index], "event-stream")) return false;
    if (strcmp(arguments[index], "swift-testing") == 0) result = true;
  }
  return result;
}

// Starts the program a second time, with options that make it write its events into a pipe. The testing
// library reads these options only from the arguments. If this fails, the run goes on without its watchdog.
static void start_with_events(int count, char **arguments) {
  int ends[2];
  if (pipe(ends) != 0) return;
  char path[32], descriptors[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
  snprintf(descriptors, sizeof descriptors, "%d %d", ends[0], ends[1]);
  char *options[] = {"--event-stream-output-path", path, "--event-stream-version", "0", NULL};
  char **all = calloc((size_t)count + 5, sizeof *all);
  if (!all) return;
  memcpy(all, arguments, (size_t)count * sizeof *all);
  memcpy(all + count, options, sizeof options);
  setenv(pipe_variable, descriptors, 1);
  execv("/proc/self/exe", all);
  unsetenv(pipe_variable);
  close(ends[0]);
  close(ends[1]);
  free(all);
}

__attribute__((constructor)) static void start(int count, char **arguments) {
  const char *descriptors = getenv(pipe_variable);
  int reader, writer;
  if (getenv("SWT_EXIT_TEST_ID")) {
    exit_test_begins();
  } else if (descriptors && sscanf(descriptors, "%d %d", &reader, &writer) == 2) {
    // Child processes must not inherit the pipe. The testing library opens its writing end again, by its
    // path.
    fcntl(reader, F_SETFD, FD_CLOEXEC);
    fcntl(writer, F_SETFD, FD_CLOEXEC);
    unsetenv(pipe_variable);
    test_run_begins(reader);
    atexit(test_run_ends);
  } else if (is_test_run(count, arguments)) {
    start_with_events(count, arguments);
  }
}

// MARK: The number of processors

long __sysconf(int name);

// Replaces the C library's function: the library finds as many processors as `INTERLOCK_PROCESSORS` says. With one,
// no thread spins, and there are few slots, so that stress tests often take paths that are rare otherwise. Not instrumented:
// ThreadSanitizer calls it before it is ready for calls of instrumented functions.
__attribute__((disable_sanitizer_instrumentation)) long sysconf(int name) {
  const char *number = name == _SC_NPROCESSORS_ONLN ? getenv("INTERLOCK_PROCESSORS") : NULL;
  return number ? atol(number) : __sysconf(name);
}

// MARK: Where a thread is

struct stack {
  int depth;
  void *addresses[test_stack_capacity];
};

static struct stack stack;
static _Atomic bool is_asked;
static sem_t is_answered;

static void answer(int signal) {
  (void)signal;
  int error = errno;
  if (atomic_exchange(&is_asked, false)) {
    stack.depth = backtrace(stack.addresses, test_stack_capacity);
    sem_post(&is_answered);
  }
  errno = error;
}

int test_stack(int thread, void **addresses) {
  static bool is_ready;
  if (!is_ready) {
    // The first call of `backtrace` loads a library, which is not allowed in a signal handler.
    backtrace(addresses, 1);
    sem_init(&is_answered, 0, 0);
    struct sigaction action = {.sa_handler = answer, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    is_ready = true;
  }
  atomic_store(&is_asked, true);
  if (syscall(SYS_tgkill, getpid(), thread, SIGPROF) != 0) return 0;
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 10;
  while (sem_timedwait(&is_answered, &limit) != 0) {
    if (errno == EINTR) continue;
    // If the thread has already begun to answer, this waits for the answer.
    if (atomic_exchange(&is_asked, false)) return 0;
    sem_wait(&is_answered);
    break;
  }
  memcpy(addresses, stack.addresses, (size_t)stack.depth * sizeof *addresses);
  return stack.depth;
}

const char *test_code_file(const void *address, unsigned long *offset) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname) return NULL;
  *offset = (unsigned long)((const char *)address - (const char *)info.dli_fbase);
  return info.dli_fname;
}

char *test_demangle(const char *name) {
  char *(*demangle)(const char *, size_t, char *, size_t *, unsigned) =
      (char *(*)(const char *, size_t, char *, size_t *, unsigned))dlsym(RTLD_DEFAULT, "swift_demangle");
  return demangle ? demangle(name, strlen(name), NULL, NULL, 0) : NULL;
}

#else

#include <unistd.h>

// On other systems the watchdog watches only races, and a crash report has the stacks of the threads. An alarm ends the
// process of an exit test that hangs.
__attribute__((constructor)) static void start(void) {
  if (getenv("SWT_EXIT_TEST_ID")) alarm(120);
}

int test_stack(int thread, void **addresses) {
  (void)thread;
  (void)addresses;
  return 0;
}

const char *test_code_file(const void *address, unsigned long *offset) {
  (void)address;
  (void)offset;
  return NULL;
}

char *test_demangle(const char *name) {
  (void)name;
  return NULL;
}

#endif

long test_sleeps(void) {
#if defined(RUSAGE_THREAD)
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) == 0) return usage.ru_nvcsw;
#endif
    return -1;
}

#if defined(__linux__)

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

long test_thread(void) { return syscall(SYS_gettid); }

long test_sleeps_of(long thread) {
    char text[64];
    long sleeps = -1;
    snprintf(text, sizeof text, "/proc/self/task/%ld/status", thread);
    FILE *file = fopen(text, "r");
    if (!file) return sleeps;
    while (sleeps < 0 && fgets(text, sizeof text, file)) sscanf(text, "voluntary_ctxt_switches: %ld", &sleeps);
    fclose(file);
    return sleeps;
}

#else

long test_thread(void) { return 0; }
long test_sleeps_of(long thread) {
    (void)thread;
    return -1;
}

#endif

void test_overwrite_freed_memory(void) {
#if defined(__GLIBC__)
    mallopt(M_PERTURB, 0xa5);
#endif
}

void test_release_free_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}
