// Code that runs inside signal handlers, where Swift code must not: Swift code may allocate, acquire a lock
// or initialise a global.
//
// There is one terminal and one set of signals per process.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

// MARK: The terminal

// Takes the terminal at `descriptor`: saves its modes, makes keys arrive one by one and unechoed, and writes
// `enter`. Ctrl-C, Ctrl-\ and Ctrl-Z stay signals. Returns 0, or an errno value, in which case nothing has
// changed.
//
// Until `terminal_restore`, a crash and every other signal that ends a program restore the terminal before
// they have their effect. Requests to end (see `terminal_watch_signals`) don't. If standard error is a
// terminal too, its output is kept back until then, because it would be lost with the screen.
//
// `leave`, at most 64 bytes, is copied; `terminal_restore` writes it.
int terminal_take(int descriptor, const char *enter, const char *leave);

// Writes `leave`, restores the modes, and prints the output that was kept back from standard error. Does
// nothing if the terminal is not taken over. Safe in a signal handler and on any thread.
void terminal_restore(void);

// MARK: Signals

// Returns a descriptor from which one byte is read for each of `signals` that arrives: the signal's number.
// Returns -1, with errno set, if the system refuses.
//
// SIGINT, SIGQUIT, SIGTERM and SIGHUP ask the program to end. The first one writes `notice`, at most 127
// bytes or NULL, to standard error. One that comes at least two seconds later restores the terminal and ends
// the process. Signals in between have no effect, because some senders, such as `timeout`, send two. SIGHUP
// stays ignored if it was ignored before.
int terminal_watch_signals(const int *signals, size_t count, const char *notice);

// Whether SIGINT, SIGQUIT, SIGTERM or SIGHUP has arrived, so that the program has to end.
int terminal_is_to_end(void);

#endif
