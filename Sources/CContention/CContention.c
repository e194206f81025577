#define _GNU_SOURCE
#include "CContention.h"
#include "CInterlock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__)
#include <elf.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#endif

// MARK: The stack

typedef struct {
    uintptr_t low, high;
} stack_bounds;

// The bounds of the stack that the system gave to the calling thread; both 0 before they are known.
static _Thread_local stack_bounds own_stack;

// The bounds of the calling thread's stack, of which `here` is an address.
static stack_bounds stack_at(uintptr_t here) {
    if (own_stack.high == 0) {
#if defined(__APPLE__)
        own_stack.high = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
        own_stack.low = own_stack.high - pthread_get_stacksize_np(pthread_self());
#else
        pthread_attr_t attributes;
        void *low = NULL;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &low, &size);
            pthread_attr_destroy(&attributes);
        }
        own_stack.low = (uintptr_t)low;
        own_stack.high = own_stack.low + size;
#endif
    }
    if (own_stack.low <= here && here < own_stack.high) return own_stack;
    // The main thread's stack has grown since, or the thread runs on a stack that the program has allocated, and may
    // return to its own. Only this page is known to be mapped.
    return (stack_bounds){here, (here | 4095) + 1};
}

// Removes the bits of a frame pointer or return address that are not part of the address. Swift marks the
// frames of asynchronous functions in bit 60, and arm64e signs return addresses in the bits above 47.
static uintptr_t plain(uintptr_t word) { return word & 0x0000ffffffffffff; }

// The bounds of the function in Swift's runtime that runs a part of a task; both 0 before `contention_prepare`, or if
// the function is not known.
static uintptr_t executor_low, executor_high;

// Whether the frame at `words` is that of an asynchronous function, which has the address of its context below the
// frame pointer that it has saved.
//
// On Darwin bit 60 of that frame pointer says so. On Linux it is a function that the executor has called for a task.
__attribute__((no_sanitize("address", "thread"))) static bool is_asynchronous(const uintptr_t *words) {
    if ((uint64_t)words[0] & UINT64_C(1) << 60) return true;
    uintptr_t address = plain(words[1]);
    return address > executor_low && address <= executor_high && interlock_task_id() != 0;
}

// The part of Swift's asynchronous contexts that its debuggers rely on.
typedef struct context {
    struct context *caller;
    uintptr_t resume;
} context;

// Stores where the callers of an asynchronous function resume. They have no frames on the thread's stack.
__attribute__((no_sanitize("address", "thread"))) static unsigned
asynchronous_callers(const context *context, uintptr_t *addresses, unsigned count, unsigned capacity) {
    while (context != NULL && (uintptr_t)context % 16 == 0 && count < capacity) {
        // A return address is behind a call, and this is the beginning of a function.
        uintptr_t address = plain(context->resume) + 1;
        if (address < 4096) break;
        addresses[count++] = address;
        context = (const struct context *)plain((uintptr_t)context->caller);
    }
    return count;
}

__attribute__((noinline, no_sanitize("address", "thread"))) unsigned contention_stack(uintptr_t *addresses,
                                                                                     unsigned capacity) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    stack_bounds stack = stack_at(frame);
    unsigned count = 0;
    // Code without frame pointers may leave anything in the register. Each frame has to be above the one
    // before, and inside the stack.
    while (count < capacity && frame >= stack.low && frame + 2 * sizeof(uintptr_t) <= stack.high &&
           frame % sizeof(uintptr_t) == 0) {
        const uintptr_t *words = (const uintptr_t *)frame;
        uintptr_t address = plain(words[1]);
        if (address < 4096) break;
        addresses[count++] = address;
        uintptr_t next = plain(words[0]);
        if (next <= frame) break;
        if (next < stack.high && is_asynchronous(words)) {
            // The executor called this function, so its return address tells nothing.
            return asynchronous_callers((const context *)plain(words[-1]), addresses, count - 1, capacity);
        }
        frame = next;
    }
    return count;
}

// MARK: Symbols

#if defined(__linux__)
// A function that is sought in a file's table of all symbols. Addresses are offsets from where the file's first segment
// is loaded.
typedef struct {
    // The function's name; NULL if it is sought by an address in it.
    const char *name;
    uintptr_t address;
    // The function that was found: a copy of its name, NULL if there is none, and its bounds.
    char *found;
    uintptr_t low, high;
} sought_function;

static void find_in_file(const char *path, sought_function *sought) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) != 0 || (size_t)status.st_size < sizeof(Elf64_Ehdr)) goto close_file;
    size_t size = (size_t)status.st_size;
    const char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) goto close_file;

    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) goto unmap;
    if (header->e_phoff + header->e_phnum * sizeof(Elf64_Phdr) > size) goto unmap;
    if (header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > size) goto unmap;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(bytes + header->e_phoff);
    uintptr_t start = 0;
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type != PT_LOAD) continue;
        start = segments[i].p_vaddr & ~(uintptr_t)4095;
        break;
    }
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
    for (int i = 0; i < header->e_shnum && sought->found == NULL; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
        const Elf64_Shdr *names = &sections[sections[i].sh_link];
        if (sections[i].sh_offset + sections[i].sh_size > size || names->sh_offset + names->sh_size > size) continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(bytes + sections[i].sh_offset);
        for (size_t j = 0; j < sections[i].sh_size / sizeof(Elf64_Sym); j++) {
            const Elf64_Sym *symbol = &symbols[j];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_name >= names->sh_size) continue;
            const char *name = bytes + names->sh_offset + symbol->st_name;
            size_t longest = names->sh_size - symbol->st_name;
            uintptr_t low = symbol->st_value - start;
            if (sought->name != NULL ? strncmp(name, sought->name, longest) != 0
                                     : sought->address < low || sought->address - low >= symbol->st_size)
                continue;
            sought->found = strndup(name, longest);
            sought->low = low;
            sought->high = low + symbol->st_size;
            break;
        }
    }
unmap:
    munmap((void *)bytes, size);
close_file:
    close(file);
}

// Finds a function in the file that is loaded as `info` says.
static void find_in_image(const Dl_info *info, sought_function *sought) {
    // For the program itself the loader has the name of the command, which need not lead to the file.
    bool is_program = getauxval(AT_PHDR) - (uintptr_t)info->dli_fbase < 4096;
    find_in_file(is_program ? "/proc/self/exe" : info->dli_fname, sought);
}
#endif

#if defined(__linux__)
// A function of the Swift runtime.
extern void swift_job_run(void);

static void find_executor(void) {
    Dl_info info;
    if (dladdr((const void *)swift_job_run, &info) == 0 || info.dli_fname == NULL) return;
    sought_function sought = {.name = "_ZN5swift34runJobInEstablishedExecutorContextEPNS_3JobE"};
    find_in_image(&info, &sought);
    if (sought.found == NULL) return;
    free(sought.found);
    executor_low = (uintptr_t)info.dli_fbase + sought.low;
    executor_high = (uintptr_t)info.dli_fbase + sought.high;
}
#else
static void find_executor(void) {}
#endif

char *contention_symbol_at(uintptr_t address) {
    Dl_info info;
    if (dladdr((const void *)address, &info) == 0 || info.dli_fname == NULL) return NULL;
#if defined(__linux__)
    // The loader knows exported symbols alone.
    sought_function sought = {.address = address - (uintptr_t)info.dli_fbase};
    find_in_image(&info, &sought);
    if (sought.found != NULL) return sought.found;
#endif
    return info.dli_sname != NULL ? strdup(info.dli_sname) : NULL;
}

// A function of the Swift runtime.
extern char *swift_demangle(const char *symbol, size_t length, char *buffer, size_t *size, uint32_t flags);

char *contention_demangle(const char *symbol) { return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0); }

// MARK: Preparation

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void (*call_in_child)(void);

void contention_lock(void) { pthread_mutex_lock(&mutex); }
void contention_unlock(void) { pthread_mutex_unlock(&mutex); }

static void unlock_in_child(void) {
    contention_unlock();
    if (call_in_child != NULL) call_in_child();
}

// Holds the mutex during `fork`, so that no other thread is changing the records that the child gets. The handlers of
// the program, which may use locks, are registered later: so those before a `fork` come before this one.
__attribute__((constructor)) static void register_fork_handlers(void) {
    if (pthread_atfork(contention_lock, contention_unlock, unlock_in_child) != 0) interlock_trap_refused("a fork handler");
}

// The process that has called `contention_prepare`, and none that it has forked.
static pid_t profiled_process;

void contention_prepare(void (*in_child)(void)) {
    profiled_process = getpid();
    call_in_child = in_child;
    find_executor();
}

// MARK: Beginning and end

const char *contention_path(void) { return interlock_environment("INTERLOCK_CONTENTION"); }

const char *contention_hidden_modules(void) { return interlock_environment("INTERLOCK_CONTENTION_HIDE"); }

// Defined in Swift, in `AtLaunch.swift`.
void interlock_contention_begin_at_launch(void);

__attribute__((constructor)) static void begin_at_launch(void) {
    const char *path = contention_path();
    if (path != NULL && path[0] != '\0') interlock_contention_begin_at_launch();
}

static void (*at_exit)(void);
static pid_t process_with_report;

// Held while a report is written, so that two threads don't write into one file.
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

// Keeps the mutex: a report that begins later would leave a file that ends where the process ends.
static void exit_of_process(void) {
    if (getpid() != process_with_report) return;
    at_exit();
    pthread_mutex_lock(&writing);
}

void contention_call_at_exit(void (*function)(void)) {
    at_exit = function;
    process_with_report = getpid();
    atexit(exit_of_process);
}

long contention_process(void) { return getpid(); }

int contention_write(const char *path, const char *bytes, size_t size) {
    // A child made by `fork` may have no thread that unlocks it.
    bool excludes = getpid() == profiled_process;
    if (excludes) pthread_mutex_lock(&writing);
    FILE *file = strcmp(path, "-") == 0 ? stderr : fopen(path, "we");
    int result = file == NULL || fwrite(bytes, 1, size, file) != size ? errno : 0;
    if (file != NULL && file != stderr && fclose(file) != 0 && result == 0) result = errno;
    if (excludes) pthread_mutex_unlock(&writing);
    return result;
}

// MARK: Signals

// The longest time that a trapping thread waits for the report, in milliseconds.
static const int longest_report = 2000;

typedef struct {
    int signal;
    // Whether a thread waits for the report, because it has trapped.
    bool is_awaited;
} request;

static int requests[2], answers[2];
static void (*write_report)(void);
static pid_t process_with_signals;
static pthread_t reporter;
static struct sigaction earlier_actions[NSIG];

// In a child made by `fork`, which has no reporter, the signals do what they do in other processes.
static bool end_in_child(int signal_number) {
    if (getpid() == process_with_signals) return false;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    return true;
}

static void send(request request) {
    int error = errno;
    if (write(requests[1], &request, sizeof request) < 0) { /* The reporter has more to do than it can. */ }
    errno = error;
}

static void request_report(int signal) {
    if (!end_in_child(signal)) send((request){signal, false});
}

// Runs on the thread that has trapped, which may hold any lock: that of the allocator, for instance. So it
// waits only for a time.
static void report_trap(int signal, siginfo_t *info, void *state) {
    (void)state;
    if (getpid() == process_with_signals && !pthread_equal(pthread_self(), reporter)) {
        struct pollfd answer = {.fd = answers[0], .events = POLLIN};
        // The answer to an earlier trap that another handler has recovered from.
        char earlier;
        while (poll(&answer, 1, 0) > 0 && read(answers[0], &earlier, 1) > 0) {}
        send((request){signal, true});
        const uint64_t end = interlock_monotonic_ns() + longest_report * UINT64_C(1000000);
        uint64_t now;
        // A signal that comes again and again must not make the wait longer.
        while ((now = interlock_monotonic_ns()) < end) {
            if (poll(&answer, 1, (int)((end - now) / 1000000) + 1) >= 0 || errno != EINTR) break;
        }
    }
    // The instruction traps again when this function returns, and then ends the process as it would have. Signals
    // that were sent, and `int3`, which ends behind its instruction, are raised again.
    sigaction(signal, &earlier_actions[signal], NULL);
    if (info->si_code <= 0 || signal == SIGTRAP) raise(signal);
}

// How often the reporter looks whether it is the last thread, in milliseconds. No system call waits for that.
static const int look_interval = 100;

static void *run_reporter(void *unused) {
    (void)unused;
    request request;
    while (true) {
        struct pollfd next = {.fd = requests[0], .events = POLLIN};
        int requests_to_read = poll(&next, 1, look_interval);
        // All threads of the program have ended, the main thread by `pthread_exit`. The end of this thread, the last
        // one, ends the process.
        if (requests_to_read == 0 && interlock_is_last_thread()) return NULL;
        if (requests_to_read <= 0) continue;
        ssize_t size = read(requests[0], &request, sizeof request);
        if (size < 0 && errno == EINTR) continue;
        if (size != sizeof request) return NULL;
        write_report();
        if (request.is_awaited) {
            if (write(answers[1], "", 1) < 0) { /* The thread goes on when its time is over. */ }
        } else if (request.signal != SIGUSR2) {
            // The handler was for one time, so the signal ends the process now.
            kill(getpid(), request.signal);
        }
    }
}

static void handle(int signal, struct sigaction action, bool replaces_handlers) {
    struct sigaction *earlier = &earlier_actions[signal];
    if (sigaction(signal, NULL, earlier) != 0) return;
    bool is_default = !(earlier->sa_flags & SA_SIGINFO) && earlier->sa_handler == SIG_DFL;
    bool is_ignored = !(earlier->sa_flags & SA_SIGINFO) && earlier->sa_handler == SIG_IGN;
    if (is_default || (replaces_handlers && !is_ignored)) sigaction(signal, &action, NULL);
}

static bool make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    // A handler must not block.
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    return true;
}

void contention_call_on_signals(void (*function)(void)) {
    interlock_keep_loaded();
    write_report = function;
    process_with_signals = getpid();
    if (!make_pipe(requests) || !make_pipe(answers)) return;
    // The reporter gets SIGUSR2 if all other threads block it. Threads of libdispatch do, and programs that they
    // start inherit that. Other signals stay as they are, because a program may block them to wait for them.
    sigset_t all, mask;
    sigfillset(&all);
    sigdelset(&all, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    int error = pthread_create(&reporter, NULL, run_reporter, NULL);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (error != 0) return;
    pthread_detach(reporter);

    struct sigaction on_demand = {.sa_handler = request_report, .sa_flags = SA_RESTART};
    handle(SIGUSR2, on_demand, false);
    struct sigaction at_end = {.sa_handler = request_report, .sa_flags = SA_RESTART | SA_RESETHAND};
    const int ends[] = {SIGTERM, SIGINT, SIGHUP};
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) handle(ends[i], at_end, false);
    struct sigaction at_trap = {.sa_sigaction = report_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const int traps[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV};
    for (unsigned i = 0; i < sizeof traps / sizeof *traps; i++) handle(traps[i], at_trap, true);
}

// MARK: Objects

// A function of the Swift runtime: the sizes of a class's instances before and behind their addresses.
typedef struct {
    size_t negative, positive;
} extents;
extern extents _swift_getSwiftClassInstanceExtents(const void *metadata);

size_t contention_object_size(const void *metadata) { return _swift_getSwiftClassInstanceExtents(metadata).positive; }
