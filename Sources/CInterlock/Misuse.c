#include "CInterlock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <stdlib.h>

// Crash reports quote the string at this pointer.
const char *__crashreporter_info__ __attribute__((visibility("hidden"), used)) = NULL;
__asm__(".desc ___crashreporter_info__, 0x10");
#endif

void interlock_print_last_words(const char *line) {
#if defined(__APPLE__)
    __crashreporter_info__ = strdup(line);
#endif
    for (size_t left = strlen(line); left > 0;) {
        ssize_t written = write(STDERR_FILENO, line, left);
        if (written < 0 && errno == EINTR) continue;
        // Standard error can't be written to. The trap still ends the process.
        if (written <= 0) break;
        line += written;
        left -= (size_t)written;
    }
}

void interlock_trap_refused(const char *what) {
    char line[160];
    snprintf(line, sizeof line,
             "Interlock: modules: the system refused %s; use less memory and fewer keys of pthread_key_create\n", what);
    interlock_print_last_words(line);
    interlock_trap();
}

bool interlock_is_signal(int32_t number) {
    sigset_t set;
    return number > 0 && number < NSIG && sigemptyset(&set) == 0 && sigaddset(&set, number) == 0;
}
