// Functions that Swift can't express: walking a stack, asking the loader for a symbol, and code that runs before `main`.

#ifndef CCONTENTION_H
#define CCONTENTION_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// For the reason in CInterlock.h: two copies with one mutex would both lock it before a `fork`.
#if defined(__linux__) && defined(CONTENTION_MODULE)
#pragma GCC visibility push(protected)
#endif

// Stores the return addresses of the calling thread's stack, innermost first, and returns how many there are.
// It follows the chain of frame pointers, within the bounds of the thread's stack. It takes no lock, except on
// a thread's first call.
unsigned contention_stack(uintptr_t *_Nonnull addresses, unsigned capacity);

// Prepares `contention_stack` for the callers of asynchronous functions, and makes each child made by `fork` call
// `in_child`. Call this function once, and first.
void contention_prepare(void (*_Nonnull in_child)(void));

// A mutex for the records of waits. `fork` waits for it.
void contention_lock(void);
void contention_unlock(void);

// The symbol of the function that contains `address`, which the caller must free; NULL if there is none.
char *_Nullable contention_symbol_at(uintptr_t address);

// Returns the readable form of a Swift symbol, which the caller must free; NULL if `symbol` is not a Swift
// symbol.
char *_Nullable contention_demangle(const char *_Nonnull symbol);

// The path of the report that the environment asks for; NULL if it asks for none, or if the process has raised
// privileges.
const char *_Nullable contention_path(void);

// The names of modules, separated by commas, whose functions reports leave out; NULL if the environment has none, or if
// the process has raised privileges.
const char *_Nullable contention_hidden_modules(void);

static inline void contention_free(void *_Nullable memory) { free(memory); }

// Calls `function` when this process exits, but not when a child made by `fork` does.
void contention_call_at_exit(void (*_Nonnull function)(void));

// Calls `function` on a thread of its own, which ends when it is the last one, when the process gets a signal:
// - SIGUSR2;
// - SIGTERM, SIGINT and SIGHUP, which then end the process. A second one ends it immediately;
// - a signal by which a trap or an abort ends the process. The thread that traps waits for `function`, at most for
//   two seconds, because it may hold a lock that `function` needs.
//
// Signals of the first two kinds are left alone if the process already handles or ignores them; the last ones if it
// ignores them.
void contention_call_on_signals(void (*_Nonnull function)(void));

// The size of the instances of a Swift class.
size_t contention_object_size(const void *_Nonnull metadata);

// The number of this process.
long contention_process(void);

// Writes `size` bytes to the file at `path`, or to standard error if the path is "-". Returns 0 or an errno
// value.
int contention_write(const char *_Nonnull path, const char *_Nullable bytes, size_t size);

#if defined(__linux__) && defined(CONTENTION_MODULE)
#pragma GCC visibility pop
#endif

#endif
