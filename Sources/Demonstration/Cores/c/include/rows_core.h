// A list of rows that a core owns, and edits on threads of its own. The program that creates it observes it.
//
//   - Status: a function returns ROWS_OK, or the reason why it changed nothing and wrote no result. If there
//     are several reasons, it returns the first of the list below. No argument ends the process, as long as
//     each pointer is null or points to memory of its type. Memory that runs out does end it.
//   - Handles are numbers, which are never 0. A destroyed handle is never used again: each later use returns
//     ROWS_INVALID_HANDLE.
//   - Threads: every function may be called on any thread, also at the same time with the same handle.
//   - Ownership: arguments belong to the caller, and the core keeps no pointer to them. The bytes of a row
//     that is read belong to the snapshot.
//   - Texts are UTF-8, without a terminating zero. They may contain zeros.
//   - Callbacks are called inside the critical section of the edit, one at a time, on the thread that makes
//     the edit, so in the order of the edits. A callback must not block. It may call the functions that have
//     a snapshot as their argument. Those of a model return ROWS_IN_CALLBACK there, for any model.

#ifndef ROWS_CORE_H
#define ROWS_CORE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef int32_t rows_status;

enum {
    ROWS_OK = 0,
    // The function may not be called inside a callback.
    ROWS_IN_CALLBACK = 1,
    // A pointer that must not be null is null.
    ROWS_NULL_ARGUMENT = 2,
    // A number of threads, a speed or a change is out of its range.
    ROWS_INVALID_ARGUMENT = 3,
    ROWS_INVALID_UTF8 = 4,
    // The object has been destroyed, or the number was never a handle of its kind.
    ROWS_INVALID_HANDLE = 5,
    ROWS_NO_SUCH_ROW = 6,
    // The system starts no more threads.
    ROWS_NO_THREADS = 7
};

typedef uint64_t rows_model;

// A snapshot: the rows at one moment, which never change. Whoever gets it releases it.
typedef uint64_t rows_snapshot;

// A row. `bytes` may be null if `length` is 0. The core's threads count in `number` how often they have
// modified the row.
typedef struct {
    const uint8_t *bytes;
    size_t length;
    uint64_t number;
} rows_row;

typedef void (*rows_callback)(void *user, size_t index, rows_snapshot snapshot, size_t count);

// The functions that are called after each edit, with the row's index, and a snapshot of the rows after the
// edit with their number. The snapshot is released by the function, or later. Each function may be null.
typedef struct {
    void *user;
    // Called once for each model, when no callback is running or will run: on the thread that destroys the
    // model, outside of critical sections. It may call every function.
    void (*destroy_user)(void *user);
    rows_callback inserted, removed, modified;
} rows_observer;

// Each thread inserts a row. Then it sleeps 1 to 4 seconds divided by `speed`, and inserts, removes or
// modifies a random row, again and again. A single thread makes the same edits in each core with the same seed.
// The threads make no edit while ROWS_MOST_HANDLES models and snapshots are live, so an observer that is slower
// than they are slows them down, and memory stays bounded.
typedef struct {
    // At most ROWS_MOST_THREADS. With 0, only callers edit.
    size_t threads;
    uint64_t seed;
    // From 0.001 to 1 000 000.
    double speed;
} rows_options;

enum { ROWS_MOST_THREADS = 1024, ROWS_MOST_HANDLES = 2048 };

// Creates a model without rows, and starts its threads, so callbacks may come before the function returns.
// If it returns another status than ROWS_OK, no callback is called, and `user` still belongs to the caller.
rows_status rows_create(const rows_options *options, const rows_observer *observer, rows_model *model);

// Stops the threads, which takes no longer than a callback, and destroys the model. Its snapshots stay. A
// second call may return ROWS_INVALID_HANDLE while the first one is still waiting for the threads.
rows_status rows_destroy(rows_model model);

enum { ROWS_INSERTED, ROWS_REMOVED, ROWS_MODIFIED };

// Inserts, removes or modifies the row at an index, which may be the number of rows only for an insertion.
// `row` is ignored for a removal. Another `change` returns ROWS_INVALID_ARGUMENT.
rows_status rows_edit(rows_model model, uint32_t change, size_t index, const rows_row *row);

// Reads a row. Its bytes are valid until the snapshot is released.
rows_status rows_read(rows_snapshot snapshot, size_t index, rows_row *row);

rows_status rows_release(rows_snapshot snapshot);

// The number of models and snapshots of the process.
size_t rows_live_handles(void);

#if defined(__cplusplus)
}
#endif

#endif
