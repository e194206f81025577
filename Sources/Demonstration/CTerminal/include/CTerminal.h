// Control of the terminal and of signals. It is written in C, because it runs inside signal handlers. Swift
// code must not run in a handler: it may allocate, acquire a lock or initialize a global.
//
// A process can take one terminal at a time. All watched signals share one pipe.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

// MARK: The terminal

// Takes the terminal at `descriptor`: saves its modes, makes keys arrive one by one and unechoed, and writes
// the text `enter`. Ctrl-C, Ctrl-\ and Ctrl-Z stay signals. Returns 0; or an errno value, and then nothing
// has changed.
//
// Until `terminal_restore` is called, a crash or another signal that ends the program restores the terminal
// first. A request to end, such as SIGINT, does not restore it (see `terminal_watch_signals`). If standard
// error is a terminal too, its output is held back until the terminal is restored. Otherwise the output would
// be lost with the screen.
//
// `leave` is copied, and written by `terminal_restore`. It must have at most 64 bytes; otherwise, and if a
// terminal is already taken, the result is EINVAL.
int terminal_take(int descriptor, const char *enter, const char *leave);

// Writes the text `leave` that was passed to `terminal_take`, restores the modes, and prints the output of
// standard error that was held back. Does nothing if no terminal is taken. Safe in a signal handler and on
// any thread.
void terminal_restore(void);

// MARK: Signals

// Watches `signals`: returns a nonblocking descriptor to read from. Each signal that arrives writes one byte,
// its number. Returns -1, with errno set, if the system refuses.
//
// SIGINT, SIGQUIT, SIGTERM and SIGHUP ask the program to end. The first one writes `notice`, at most 127
// bytes or NULL, to standard error. One that comes at least two seconds later restores the terminal and ends
// the process. Requests in between only write their bytes, because some senders, such as `timeout`, send two.
// SIGHUP stays ignored if it was ignored before.
int terminal_watch_signals(const int *signals, size_t count, const char *notice);

#endif
