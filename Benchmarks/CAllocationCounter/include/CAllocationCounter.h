// Counts the heap memory that the whole process allocates while counting is active.
//
// On Linux with glibc the program's own `malloc` and its relatives replace the library's. Without active
// counting they cost a load and a branch. On other systems, and in builds with a sanitizer, which replaces
// `malloc` itself, nothing is counted.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdint.h>

typedef struct {
    // The number of allocated blocks.
    int64_t allocations;
    // The usable bytes of allocated blocks, minus those of freed blocks.
    int64_t bytes;
} allocation_count;

// Whether this build can count.
int allocation_counting_is_available(void);

// Starts counting at 0. Only one thread may do so at a time.
void allocation_counting_start(void);

// Stops counting, and returns the counts since the start.
allocation_count allocation_counting_stop(void);

#endif
