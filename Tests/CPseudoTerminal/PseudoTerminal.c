#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const short pseudo_terminal_spawn_in_session = POSIX_SPAWN_SETSID;

int pseudo_terminal_open(char *path, size_t size) {
    int descriptor = posix_openpt(O_RDWR | O_NOCTTY);
    if (descriptor < 0) return -1;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    const char *name = grantpt(descriptor) == 0 && unlockpt(descriptor) == 0 ? ptsname(descriptor) : NULL;
    if (name == NULL || strlen(name) >= size) {
        close(descriptor);
        return -1;
    }
    strcpy(path, name);
    return descriptor;
}
