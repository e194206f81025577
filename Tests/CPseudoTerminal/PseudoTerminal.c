#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <fcntl.h>
#include <locale.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

const short pseudo_terminal_spawn_in_session = POSIX_SPAWN_SETSID;

int pseudo_terminal_cell_count(unsigned int scalar) {
    static locale_t locale = (locale_t)0;
    if (locale == (locale_t)0) locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (locale == (locale_t)0) return -1;
    locale_t before = uselocale(locale);
    int count = wcwidth((wchar_t)scalar);
    uselocale(before);
    return count;
}

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
