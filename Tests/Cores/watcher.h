// An observer that checks each change against rows of its own, for the programs that test a core.

#ifndef WATCHER_H
#define WATCHER_H

#include "rows_core.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), abort()))

// A copy of a row, whose bytes belong to the copy.
typedef struct {
    uint8_t *bytes;
    size_t length;
    uint64_t number;
} copied_row;

// The callbacks come one at a time, so only the counters are atomic.
typedef struct watcher {
    copied_row *rows;
    size_t count;
    _Atomic uint64_t inserted, removed, modified;
    // The hash of all changes.
    uint64_t hash;
    // Called in each callback; takes over the snapshot, which is released if this is null.
    void (*keep)(struct watcher *watcher, rows_snapshot snapshot);
    // Wakes `watcher_wait`.
    pthread_mutex_t lock;
    pthread_cond_t changed;
} watcher;

// The number of watchers whose `destroy_user` has been called.
extern _Atomic uint64_t watchers_destroyed;

watcher *watcher_create(void (*keep)(watcher *watcher, rows_snapshot snapshot));
rows_observer watcher_observer(watcher *watcher);
void watcher_destroy(void *watcher);
uint64_t watcher_changes(watcher *watcher);

// Waits until there have been `changes` changes.
void watcher_wait(watcher *watcher, uint64_t changes);

bool is_row(const rows_row *row, const copied_row *copy);

// Returns copies of all rows of a snapshot.
copied_row *copy_rows(rows_snapshot snapshot, size_t count);
void free_rows(copied_row *rows, size_t count);

// Says whether bytes are UTF-8 by decoding them, and not by ranges of bytes as the core in C does.
bool decodes(const uint8_t *bytes, size_t length);

// A random number below `limit`.
uint64_t pick(uint64_t *seed, uint64_t limit);

void check_random_calls(uint64_t calls, uint64_t seed);
void check_races(uint64_t calls, uint64_t seed);

#endif
