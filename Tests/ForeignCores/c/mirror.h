// A table that applies what its observer is notified of, and checks the table rule.

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
    // How many callbacks there were, and how many edits they accounted for.
    uint64_t callbacks, edits;
    // How often `destroy_user` was called.
    int destroyed;
    // Called at the end of each callback, if it is not null.
    void (*then)(struct mirror *mirror, const interlock_rows_change *change);
    void *context;
    interlock_rows_registration registration;
    interlock_rows_model model;
} mirror;

// The observer whose user is this mirror.
interlock_rows_observer mirror_observer(mirror *mirror);

// Whether the rows are those of a snapshot.
bool mirror_equals(const mirror *mirror, interlock_rows_snapshot snapshot);

// Frees the rows.
void mirror_clear(mirror *mirror);

#endif
