#include "CForking.h"

#include <sys/wait.h>
#include <unistd.h>

int in_forked_child(int (*body)(void)) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) _exit(body());
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}
