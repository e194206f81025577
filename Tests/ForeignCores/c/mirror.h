// A copy of a model's rows, which applies each change that its observer is notified of. It checks that every
// change fits the rows before it (the table rule).

#ifndef MIRROR_H
#define MIRROR_H

#include "interlock_rows.h"

#include <stdbool.h>

typedef struct {
    uint64_t id;
    char *bytes;
    size_t length;
} mirror_row;

typedef struct mirror {
    mirror_row *rows;
    size_t count, capacity;
    uint64_t generation, last_sequence;
    // The number of callbacks, and the number of edits that these callbacks reported.
    uint64_t callbacks, edits;
    // The number of calls of `destroy_user`.
    int destroyed;
    // Called at the end of each callback, if it is not null.
    void (*then)(struct mirror *mirror, const interlock_rows_change *change);
    void *context;
    interlock_rows_registration registration;
    interlock_rows_model model;
} mirror;

// Makes an observer whose callbacks update this mirror.
interlock_rows_observer mirror_observer(mirror *mirror);

// Whether the mirror's rows equal the rows of a snapshot.
bool mirror_equals(const mirror *mirror, interlock_rows_snapshot snapshot);

// Frees the mirror's rows.
void mirror_clear(mirror *mirror);

#endif
