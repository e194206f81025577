#if defined(__linux__)

#define _GNU_SOURCE
#include "CInterlock.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool blocks_all(const sigset_t *mask) {
    // A worker of libdispatch leaves out the signals of faults, SIGPIPE and SIGPROF; `interlock_leave_signals` those that it names.
    static const int asked[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD, SIGURG, SIGWINCH};
    for (unsigned index = 0; index < sizeof asked / sizeof asked[0]; index++) {
        if (!sigismember(mask, asked[index])) return false;
    }
    return true;
}

// Reads the main thread's mask, and whether that thread sleeps; returns whether the system tells.
static bool read_mask_of_main_thread(sigset_t *mask, bool *sleeps) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", getpid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0) return false;
    text[size] = 0;
    const char *blocked = strstr(text, "\nSigBlk:\t");
    if (blocked == NULL) return false;
    unsigned long long bits = strtoull(blocked + strlen("\nSigBlk:\t"), NULL, 16);
    sigemptyset(mask);
    for (int signal = 1; signal < NSIG; signal++) {
        if (bits >> (signal - 1) & 1) sigaddset(mask, signal);
    }
    *sleeps = strstr(text, "\nState:\tS") != NULL;
    return true;
}

void interlock_take_signals(void) {
    sigset_t mask;
    bool sleeps;
    if (pthread_sigmask(SIG_SETMASK, NULL, &mask) != 0 || !blocks_all(&mask)) return;
    // The C library blocks all signals of the main thread for a moment while that starts a thread or a process.
    for (int tries = 0; tries < 100; tries++) {
        if (!read_mask_of_main_thread(&mask, &sleeps)) return;
        if (sleeps || !blocks_all(&mask)) break;
        sched_yield();
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

#else

#include "CInterlock.h"

void interlock_take_signals(void) {}

#endif

#include <string.h>

// The system's part of a `sigset_t`, which is greater with glibc.
#define MASK_SIZE (sizeof(sigset_t) < sizeof(uint64_t) ? sizeof(sigset_t) : sizeof(uint64_t))

uint64_t interlock_signal_mask(void) {
    sigset_t mask;
    uint64_t bits = 0;
    sigemptyset(&mask);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    memcpy(&bits, &mask, MASK_SIZE);
    return bits;
}

void interlock_set_signal_mask(uint64_t bits) {
    sigset_t mask;
    sigemptyset(&mask);
    memcpy(&mask, &bits, MASK_SIZE);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void interlock_run_with_signals(void (*body)(uintptr_t), uintptr_t argument) {
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    interlock_take_signals();
    body(argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
