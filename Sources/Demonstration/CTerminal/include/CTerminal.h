// Code that runs inside signal handlers, where Swift code must not: Swift code may allocate, acquire a lock
// or initialise a global.
//
// There is one terminal and one set of signals per process.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

// MARK: The terminal

// Takes the terminal at `descriptor`: remembers its modes, switches to keys that arrive one by one and
// unechoed (Ctrl-C and Ctrl-Z stay signals), and writes `enter`. From then on until `terminal_restore` a
// crash of the process, SIGQUIT and every other signal that ends a program restore the terminal before they
// take their course, and what is written to standard error, where that is a terminal too, is kept back until
// then: it would be lost with the screen.
//
// `leave`, at most 64 bytes, is copied. Returns 0, or an errno value, in which case nothing has changed.
int terminal_take(int descriptor, const char *enter, const char *leave);

// Writes `leave`, restores the modes, and prints the output that was kept back from standard error. Does
// nothing if the terminal is not taken over. Safe in a signal handler and on any thread.
void terminal_restore(void);

// MARK: Signals

// Returns a descriptor at which each of `signals` arrives as a byte, its number; -1 and errno when the system refuses.
//
// SIGINT, SIGTERM and SIGHUP ask the program to end. The first one writes `notice`, at most 127 bytes or NULL, to
// standard error. One that comes at least two seconds later restores the terminal and ends the process. Those in
// between have no effect, because some senders send two (`timeout`). SIGHUP stays ignored if it was.
int terminal_watch_signals(const int *signals, size_t count, const char *notice);

// Whether one of these three has arrived.
int terminal_is_to_end(void);

#endif
