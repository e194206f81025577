// Functions that Swift can't express: walking a stack, asking the loader for a symbol, and code that runs before `main`.

#ifndef CCONTENTION_H
#define CCONTENTION_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Stores the return addresses of the calling thread's stack, innermost first, and returns how many there are.
// It follows the chain of frame pointers, within the bounds of the thread's stack. It takes no lock, except on
// a thread's first call.
unsigned contention_stack(uintptr_t *_Nonnull addresses, unsigned capacity);

// Prepares `contention_stack` for the callers of asynchronous functions. Call this function first.
void contention_prepare(void);

// A function of the program.
typedef struct {
    // The name in the symbol table, which the caller must free; NULL if there is none.
    char *_Nullable symbol;
    // The path of the file that contains the code, which the caller must free; NULL if no file contains the
    // address.
    char *_Nullable image;
} contention_function;

// Finds the function that contains `address`.
contention_function contention_function_at(uintptr_t address);

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

// Calls `function` on a thread of its own when the process gets a signal:
// - SIGUSR2;
// - SIGTERM, SIGINT and SIGHUP, which then end the process. A second one ends it immediately;
// - a signal by which a trap or an abort ends the process. The thread that traps waits for `function`, at most for
//   two seconds, because it may hold a lock that `function` needs.
//
// Signals of the first two kinds are left alone if the process already handles or ignores them; the last ones if it
// ignores them.
void contention_call_on_signals(void (*_Nonnull function)(void));

// A thread of this process.
typedef struct {
    // Empty if it is not known.
    char name[64];
    // The system's letter for its state: 'R' if it runs or could run; 0 if it is not known.
    char state;
} contention_thread;

contention_thread contention_thread_numbered(uint32_t number);

// The time that the calling thread, or the thread with this number, has run on processors, in nanoseconds; 0
// if it is not known.
uint64_t contention_running_time(void);
uint64_t contention_running_time_of(uint32_t number);

// Returns zeroed memory, which takes up space only where it is used, a page at a time; aborts if there is none.
void *_Nonnull contention_reserve(size_t size);

// Makes memory from `contention_reserve` zero again, and gives its space back.
void contention_clear(void *_Nonnull memory, size_t size);

// Returns memory from `contention_reserve` to the system.
void contention_unreserve(void *_Nonnull memory, size_t size);

// The size of the instances of a Swift class.
size_t contention_object_size(const void *_Nonnull metadata);

// Calls `function` in each child made by `fork`.
void contention_call_in_child(void (*_Nonnull function)(void));

// The number of this process.
long contention_process(void);

// Writes `size` bytes to the file at `path`, or to standard error if the path is "-". Returns 0 or an errno
// value.
int contention_write(const char *_Nonnull path, const char *_Nullable bytes, size_t size);

#endif
