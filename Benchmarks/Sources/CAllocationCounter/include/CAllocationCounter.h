// Counts the heap memory that the whole process allocates while counting is active.
//
// On Linux with glibc, the program replaces the library's `malloc` and related functions with its own. While
// counting is inactive, each call costs a load and a branch more. Nothing is counted on other systems, nor in
// builds with a sanitizer, because the sanitizer itself replaces `malloc`.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdint.h>

typedef struct {
    // The number of allocated blocks.
    int64_t allocations;
    // The usable bytes of allocated blocks, minus those of freed blocks; negative if more bytes were freed.
    int64_t bytes;
} allocation_count;

// Returns 1 if this build can count allocations. Otherwise returns 0, and all counts are 0.
int allocation_counting_is_available(void);

// Sets the counts to 0 and starts counting. All threads share the counter, so no thread may start it again
// before `allocation_counting_stop`.
void allocation_counting_start(void);

// Stops counting, and returns the counts since the start.
allocation_count allocation_counting_stop(void);

#endif
