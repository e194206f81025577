// Functions that the system's headers hide from Swift.

#ifndef CPSEUDOTERMINAL_H
#define CPSEUDOTERMINAL_H

#include <stddef.h>

// Opens a pseudo-terminal and writes the path of its other end to `path`. Returns a descriptor, or -1 with
// errno.
int pseudo_terminal_open(char *path, size_t size);

// How many cells a terminal of the locale C.UTF-8 takes for a character; -1 where the system's library has none.
// One thread may call it.
int pseudo_terminal_cell_count(unsigned int scalar);

// The flag of `posix_spawn` that starts a new session.
extern const short pseudo_terminal_spawn_in_session;

#endif
