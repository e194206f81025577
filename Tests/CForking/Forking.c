#include "CForking.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int in_forked_child(int (*body)(void)) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        // A child that hangs would keep the output of the tests open, and the program that reads this output
        // would wait for ever.
        sigset_t alarms;
        sigemptyset(&alarms);
        sigaddset(&alarms, SIGALRM);
        sigprocmask(SIG_UNBLOCK, &alarms, NULL);
        signal(SIGALRM, SIG_DFL);
        alarm(60);
        _exit(body());
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}
