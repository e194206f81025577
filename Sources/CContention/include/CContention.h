// What Swift can't express: walking a stack, asking the loader for a symbol, and code that runs before `main`.

#ifndef CCONTENTION_H
#define CCONTENTION_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Stores the return addresses of the calling thread's stack, innermost first, and returns how many there are.
// It follows the chain of frame pointers, within the bounds of the thread's stack. It takes no lock, except on
// a thread's first call.
unsigned contention_stack(uintptr_t *_Nonnull addresses, unsigned capacity);

// A function of the program.
typedef struct {
    // The name in the symbol table, which the caller frees; NULL if there is none.
    char *_Nullable symbol;
    // The path of the file that contains the code, which the caller frees; NULL if no file contains the
    // address.
    char *_Nullable image;
} contention_function;

// Finds the function that contains `address`.
contention_function contention_function_at(uintptr_t address);

// Returns the readable form of a Swift symbol, which the caller frees; NULL if `symbol` is not a Swift
// symbol.
char *_Nullable contention_demangle(const char *_Nonnull symbol);

// The path of the report that the environment asks for; NULL if it asks for none, or if the process has raised
// privileges.
const char *_Nullable contention_path(void);

static inline void contention_free(void *_Nullable memory) { free(memory); }

// Calls `function` when this process exits, but not when a child made by `fork` does.
void contention_call_at_exit(void (*_Nonnull function)(void));

// Calls `function` in each child made by `fork`.
void contention_call_in_child(void (*_Nonnull function)(void));

// The number of this process.
long contention_process(void);

// Writes `size` bytes to the file at `path`, or to standard error if the path is "-". Returns 0 or an errno
// value.
int contention_write(const char *_Nonnull path, const char *_Nonnull bytes, size_t size);

#endif
