// Counts what the whole process takes from the heap, while somebody wants to know.
//
// On Linux with glibc the program's own `malloc` and its relatives stand before the library's. While nothing
// is counted they cost a load and a branch. Elsewhere, and in builds with a sanitizer, which has its own,
// nothing is counted.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdint.h>

typedef struct {
    // Blocks that were allocated.
    int64_t allocations;
    // Bytes that were allocated, as far as the owner may use them, minus those that were freed.
    int64_t bytes;
} allocation_count;

// Whether this build counts.
int allocation_counting_is_available(void);

// Counts from now on, from 0. Only one may count at a time.
void allocation_counting_start(void);

// Counts no more; returns what was counted since the start.
allocation_count allocation_counting_stop(void);

#endif
