// Runs a program and counts the instructions that it executes between each SIGUSR1 and SIGUSR2 that its first thread sends itself. It stores
// the number where the second signal's value points (`pthread_sigqueue`), and prints it if the signal has no value (`raise`).
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(pid_t child, long steps) {
    siginfo_t signal;
    if (ptrace(PTRACE_GETSIGINFO, child, NULL, &signal) == 0 && signal.si_code == SI_QUEUE) {
        ptrace(PTRACE_POKEDATA, child, signal.si_value.sival_ptr, (void *)steps);
    } else {
        printf("%ld\n", steps);
        fflush(stdout);
    }
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    setenv("COSTS_TRACED", "1", 1);
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(126);
        execv(arguments[1], arguments + 1);
        _exit(127);
    }
    long steps = -1;  // -1 outside the part that is counted
    int status;
    while (waitpid(child, &status, 0) == child) {
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
        long received = WSTOPSIG(status);
        if (received == SIGUSR1) {
            steps = 0;
            received = 0;
        } else if (received == SIGUSR2) {
            report(child, steps);
            steps = -1;
            received = 0;
        } else if (received == SIGTRAP) {
            if (steps >= 0) steps++;
            received = 0;
        }
        ptrace(steps >= 0 ? PTRACE_SINGLESTEP : PTRACE_CONT, child, NULL, received);
    }
    return 1;
}
