#include "CForking.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Waits for the end of `child` for about a minute, and ends it then. A child that hangs, even before it runs a line
// of the test, would keep the output of the tests open, and the program that reads this output would wait for ever.
static bool has_exited(pid_t child, int *status) {
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int waits = 0; waits < 60000; waits++) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended != 0) return ended == child && WIFEXITED(*status);
        nanosleep(&pause, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return false;
}

int in_forked_child(int (*body)(void)) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) _exit(body());
    int status = 0;
    return has_exited(child, &status) ? WEXITSTATUS(status) : -1;
}
