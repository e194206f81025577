#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// MARK: State
// `taken` is 1 while a terminal is taken. `terminal_take` writes the variables below before it sets `taken`.
// The one thread that changes `taken` back to 0 may then read these variables, to restore the terminal.

// The signals that `ends` handles: each of them ends a process by default. SIGINT and other requests to end
// have another handler (see `terminal_watch_signals`).
static const int fatal[] = {
    SIGILL,  SIGTRAP, SIGABRT, SIGSEGV, SIGBUS,    SIGFPE,  SIGALRM,
    SIGUSR1, SIGUSR2, SIGSYS,  SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF,
#ifdef __linux__
    SIGIO,   SIGPWR,  SIGSTKFLT,
#endif
};
enum { fatal_count = sizeof fatal / sizeof fatal[0], longest_leave = 64 };

static volatile sig_atomic_t taken;
static int terminal;
static struct termios modes_before;
static char leave_sequence[longest_leave];
static size_t leave_length;
static struct sigaction actions_before[fatal_count];

// The descriptors of the original standard error and of the file that replaces it; both are -1 while standard
// error is not replaced.
static int error_before = -1;
static int kept_error = -1;

// MARK: Functions that are safe in signal handlers

static void write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// Sets the modes of the terminal; returns 0 or an errno value. Blocks SIGTTOU during the call, because that
// signal would stop a background process that calls `tcsetattr`.
static int set_modes(const struct termios *modes) {
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    int result;
    do {
        result = tcsetattr(terminal, TCSADRAIN, modes);
    } while (result != 0 && errno == EINTR);
    int error = result == 0 ? 0 : errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void print_kept_error(void) {
    if (kept_error < 0) return;
    dup2(error_before, STDERR_FILENO);
    lseek(kept_error, 0, SEEK_SET);
    char bytes[512];
    ssize_t count;
    while ((count = read(kept_error, bytes, sizeof bytes)) > 0) {
        write_all(STDERR_FILENO, bytes, (size_t)count);
    }
    close(kept_error);
    close(error_before);
    kept_error = error_before = -1;
}

// Restores the signal handlers that the crash handlers replaced.
static void remove_fatal_handlers(void) {
    for (int i = 0; i < fatal_count; i++) sigaction(fatal[i], &actions_before[i], NULL);
}

void terminal_restore(void) {
    if (!__atomic_exchange_n(&taken, 0, __ATOMIC_ACQ_REL)) return;
    int error = errno;
    write_all(terminal, leave_sequence, leave_length);
    set_modes(&modes_before);
    print_kept_error();
    remove_fatal_handlers();
    errno = error;
}

// The handler of a signal that ends the program: restores the terminal, and then lets the signal have the
// effect that it had before `terminal_take`.
static void ends(int signal, siginfo_t *info, void *context) {
    (void)context;
    terminal_restore();
    // After a fault, the processor executes the faulting instruction again on return, which raises the signal
    // again. Any other signal must be raised here, even a fault's signal that a process has sent, whose
    // `si_code` is at most 0. The raised signal is blocked until this handler returns.
    int is_fault = signal == SIGILL || signal == SIGTRAP || signal == SIGSEGV || signal == SIGBUS
        || signal == SIGFPE;
    if (!is_fault || info->si_code <= 0) raise(signal);
}

// MARK: Taking the terminal

// If standard error is a terminal, redirects it to a temporary file, so that its output is not lost with the
// screen. On failure, standard error stays as it is.
static void keep_error(void) {
    if (!isatty(STDERR_FILENO)) return;
    FILE *file = tmpfile();
    if (file == NULL) return;
    kept_error = dup(fileno(file));
    fclose(file);
    if (kept_error < 0) return;
    error_before = dup(STDERR_FILENO);
    if (error_before < 0 || dup2(kept_error, STDERR_FILENO) < 0) {
        close(kept_error);
        if (error_before >= 0) close(error_before);
        kept_error = error_before = -1;
    }
}

int terminal_take(int descriptor, const char *enter, const char *leave) {
    if (taken || strlen(leave) > longest_leave) return EINVAL;
    if (tcgetattr(descriptor, &modes_before) != 0) return errno;
    terminal = descriptor;
    leave_length = strlen(leave);
    memcpy(leave_sequence, leave, leave_length);

    struct termios modes = modes_before;
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    modes.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR);
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    int error = set_modes(&modes);
    if (error != 0) return error;

    keep_error();
    struct sigaction action = {0};
    action.sa_sigaction = ends;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < fatal_count; i++) {
        sigaction(fatal[i], NULL, &actions_before[i]);
        // A signal that is ignored can't end the program, so it needs no handler.
        if (actions_before[i].sa_handler != SIG_IGN) sigaction(fatal[i], &action, NULL);
    }
    __atomic_store_n(&taken, 1, __ATOMIC_RELEASE);
    write_all(terminal, enter, strlen(enter));
    return 0;
}

// MARK: Signals

static int signal_pipe[2] = {-1, -1};
static char ending_notice[128];
// The monotonic time, in nanoseconds, at which the first request to end arrived; 0 if none has arrived.
static long long first_ending;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void arrived(int signal) {
    int error = errno;
    if (signal == SIGINT || signal == SIGQUIT || signal == SIGTERM || signal == SIGHUP) {
        long long time = now(), first = 0;
        if (__atomic_compare_exchange_n(
                &first_ending, &first, time, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            write_all(STDERR_FILENO, ending_notice, strlen(ending_notice));
        } else if (time - first >= 2000000000LL) {
            terminal_restore();
            // End the process by the signal's default action, because the program may no longer read the
            // signal pipe.
            struct sigaction action = {0};
            action.sa_handler = SIG_DFL;
            sigaction(signal, &action, NULL);
            raise(signal);
        }
    }
    unsigned char byte = (unsigned char)signal;
    // If the pipe is full, the byte is dropped: the bytes in the pipe wake its reader anyway.
    if (write(signal_pipe[1], &byte, 1) < 0) { /* nothing to do about it here */ }
    errno = error;
}

int terminal_watch_signals(const int *signals, size_t count, const char *notice) {
    ending_notice[0] = 0;
    if (notice != NULL) strncpy(ending_notice, notice, sizeof ending_notice - 1);
    if (signal_pipe[0] < 0) {
        if (pipe(signal_pipe) != 0) return -1;
        for (int end = 0; end < 2; end++) {
            fcntl(signal_pipe[end], F_SETFD, FD_CLOEXEC);
            fcntl(signal_pipe[end], F_SETFL, O_NONBLOCK);
        }
    }
    struct sigaction action = {0};
    action.sa_handler = arrived;
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < count; i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) != 0) return -1;
        // SIGHUP stays ignored if the program was started with it ignored, as under `nohup`.
        if (signals[i] == SIGHUP && before.sa_handler == SIG_IGN) continue;
        if (sigaction(signals[i], &action, NULL) != 0) return -1;
    }
    return signal_pipe[0];
}
