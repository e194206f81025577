// Functions that the system's headers hide from Swift.

#ifndef CPSEUDOTERMINAL_H
#define CPSEUDOTERMINAL_H

#include <stddef.h>

// Opens a pseudo-terminal and writes the path of its other end to `path`. Returns a descriptor, or -1 with
// errno.
int pseudo_terminal_open(char *path, size_t size);

// The number of cells that a character takes on a terminal, by the system's library in the locale C.UTF-8; -1
// if the library does not say. Only one thread may call this at a time.
int pseudo_terminal_cell_count(unsigned int scalar);

// The flag of `posix_spawn` that starts a new session.
extern const short pseudo_terminal_spawn_in_session;

#endif
