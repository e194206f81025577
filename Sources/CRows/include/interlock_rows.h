// The row model of the Swift package swift-interlock for programs in C, and in every language that can call
// C.
//
// There are two directions, and a program may use both:
//
//   - A core drives a model that Swift owns: it creates the model, its threads edit rows, its observer is
//     called on the main thread. See "Models" to "Snapshots".
//   - A core owns the rows itself and Swift shows them: it fills in a table of functions. See
//     interlock_rows_core.h.
//
// Every function follows these rules, unless its comment says otherwise:
//
//   - Status: the function returns INTERLOCK_ROWS_OK, or the reason why it did nothing. No argument ends the
//     process, as long as each pointer is null or points to memory of its type.
//   - Handles: a handle is a number and not an address. 0 is never a handle. When its object has been
//     destroyed, a handle is stale for ever, and each use of it returns INTERLOCK_ROWS_INVALID_HANDLE.
//   - Threads: "any thread" means that threads may call the function at the same time, also with the same
//     handle. "Main thread" means the thread that started the process, or in a program whose main function is
//     Swift, the main actor. On Linux there is an exception: if the library is loaded while the program runs
//     (`dlopen`), the main thread is the thread that has loaded it, and with it libdispatch. That thread must
//     not end before the last call for the main thread. On another thread, a function for the main thread
//     returns INTERLOCK_ROWS_WRONG_THREAD.
//   - Ownership: arguments belong to the caller, and nothing keeps a pointer to them when the function has
//     returned. The arguments of a callback are valid until the callback returns.
//   - Texts are UTF-8, a pointer and a length without a terminating zero. They may contain zeros. A null
//     pointer with the length 0 is the empty text. A text that is not UTF-8 returns
//     INTERLOCK_ROWS_INVALID_UTF8.
//   - Structures begin with `size`, which the caller sets to sizeof the structure; another size returns
//     INTERLOCK_ROWS_INVALID_ARGUMENT. A function pointer may be null where its comment says so.
//   - Callbacks are the functions of observers, `destroy_user` included, and visitors. They run under no lock
//     of the Swift side. A callback may call every function, except for those that return
//     INTERLOCK_ROWS_IN_CALLBACK there. No exception and no panic may leave a callback. A callback must not
//     wait for a thread that is inside `interlock_rows_destroy` or `interlock_rows_end_observation`.
//   - `fork`: the child of a process that has called one of these functions must call none of them. It may
//     call `exec` or `_exit`.

#ifndef INTERLOCK_ROWS_H
#define INTERLOCK_ROWS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

// MARK: Statuses

typedef int32_t interlock_rows_status;

enum {
    INTERLOCK_ROWS_OK = 0,
    // There is no row at the given position or index.
    INTERLOCK_ROWS_NO_SUCH_ROW = 1,
    // A pointer that must not be null is null.
    INTERLOCK_ROWS_NULL_ARGUMENT = 2,
    // A number is out of its range, or a structure has an unknown size.
    INTERLOCK_ROWS_INVALID_ARGUMENT = 3,
    // A text is not UTF-8.
    INTERLOCK_ROWS_INVALID_UTF8 = 4,
    // The object has been destroyed, or the number was never a handle of this kind.
    INTERLOCK_ROWS_INVALID_HANDLE = 5,
    // The function may be called only on the main thread.
    INTERLOCK_ROWS_WRONG_THREAD = 6,
    // The function may not be called inside the callback that is running.
    INTERLOCK_ROWS_IN_CALLBACK = 7,
    // The buffer is too small for the text.
    INTERLOCK_ROWS_BUFFER_TOO_SMALL = 8,
    // The time limit has passed.
    INTERLOCK_ROWS_TIMED_OUT = 9,
    // The model already has an observer.
    INTERLOCK_ROWS_OBSERVED = 10,
    // The number of a core's edit does not follow that of the last edit, or an inserted row's identity is not
    // new.
    INTERLOCK_ROWS_OUT_OF_ORDER = 11,
    // A core's edit belongs to a generation that has ended. It is no mistake to post such an edit.
    INTERLOCK_ROWS_OLD_GENERATION = 12,
    // The core has refused the call, or has been invalidated.
    INTERLOCK_ROWS_REFUSED = 13
};

// The name of a status, in static memory; never null. Any thread.
const char *interlock_rows_status_text(interlock_rows_status status);

// MARK: The main thread

// Observers are called on the main thread while some code serves it, that is, runs the work that waits for
// it. A program whose main function is Swift does that already. A program in C calls `interlock_rows_serve`
// in its main function, or again and again from a loop of its own.

// Serves the main thread until `interlock_rows_stop_serving` is called. If `nanoseconds` pass before that,
// returns INTERLOCK_ROWS_TIMED_OUT. With 0, runs the waiting work and does not wait for more. UINT64_MAX
// means no limit.
//
// Main thread; not inside a callback, and not inside work that a running call of this function does
// (INTERLOCK_ROWS_IN_CALLBACK). A thread that runs the main actor after
// `dispatchMain()` is not the main thread here (INTERLOCK_ROWS_WRONG_THREAD).
interlock_rows_status interlock_rows_serve(uint64_t nanoseconds);

// Makes the running call of `interlock_rows_serve` return, or the next call if none is running. Any thread,
// also in a callback; not inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).
interlock_rows_status interlock_rows_stop_serving(void);

// MARK: Models

// A model: a list of rows that threads edit. An observer is notified of the edits on the main thread.
typedef uint64_t interlock_rows_model;

// A text: its bytes, and their number.
typedef struct {
    const char *bytes;
    size_t length;
} interlock_rows_text;

// The strategies: how edits get to the main thread.
enum {
    // An array behind a lock. An edit copies the whole array if a snapshot shares it.
    INTERLOCK_ROWS_ARRAY = 0,
    // A tree behind a lock. An edit copies a path of the tree if a snapshot shares it. The default.
    INTERLOCK_ROWS_TREE = 1,
    // A tree behind a lock. Changes are sent to a mirror on the main thread, and nothing is copied.
    INTERLOCK_ROWS_DELTA = 2,
    // Rows on the main thread, without a lock. Other threads send commands, and get INTERLOCK_ROWS_OK before
    // it is known whether the row exists.
    INTERLOCK_ROWS_MAIN_ACTOR = 3
};

// The options of a model.
typedef struct {
    size_t size;
    uint32_t strategy;
    // If this is not 0, snapshots are counted, and a mirror checks each notification (see
    // `interlock_rows_account`).
    uint32_t audits;
    // The speed of the model's workers, which sleep 1 to 4 seconds divided by this; at least 0.000001, or
    // infinity.
    double speed;
    // The seed of the workers' random choices.
    uint64_t seed;
    // The texts of the rows with which each generation begins.
    const interlock_rows_text *initial_rows;
    size_t initial_count;
    // The maximum memory of waiting notifications, in bytes. Further edits are combined into one change for
    // each row.
    size_t backlog_bytes;
    // The maximum number of waiting commands with the strategy INTERLOCK_ROWS_MAIN_ACTOR; at least 1.
    size_t command_limit;
} interlock_rows_options;

// Fills in the default options: the strategy INTERLOCK_ROWS_TREE, speed 1, a random seed and no rows. Any
// thread; not inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).
interlock_rows_status interlock_rows_options_init(interlock_rows_options *options);

// Creates a model without workers. Main thread. The caller owns the model and destroys it with
// `interlock_rows_destroy`.
interlock_rows_status interlock_rows_create(
    const interlock_rows_options *options, interlock_rows_model *model);

// Destroys a model, its observer's registration and its core. Any thread, except for those that a core's
// `stop` or `invalidate` joins; not inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).
//
// Wakes the threads that wait to make an edit: their calls return INTERLOCK_ROWS_INVALID_HANDLE. Blocks until
// the workers have ended their current edits and were joined, and until running calls of the observer and the
// core have returned. When the function returns, no worker runs, no callback of the observer and no function
// of the core is running or will run, and `destroy_user` of both has returned, whichever thread has called
// it. There are two exceptions. Inside a callback of that observer, the function does not wait for the
// callback: the observer's `destroy_user` is called when the callback has returned. Inside a `destroy_user`
// of an observer, it does not wait for the `destroy_user` of an observer that is being removed already.
//
// Snapshots stay valid. A call with this model that has begun on another thread ends as it would have before,
// or with INTERLOCK_ROWS_INVALID_HANDLE. The memory of the rows is released when the last such call returns.
interlock_rows_status interlock_rows_destroy(interlock_rows_model model);

// The maximum number of workers of a model.
#define INTERLOCK_ROWS_MOST_WORKERS 1000

// Begins a generation: joins the workers, replaces all rows by the initial rows, and starts `workers` new
// workers. Main thread.
//
// Edits that were not delivered are dropped. The observer's `restarted` is called before this function
// returns. A callback may call this function. The process ends if the system refuses to start a thread.
interlock_rows_status interlock_rows_restart(interlock_rows_model model, size_t workers);

// Stops and joins the workers; the rows stay. Main thread.
interlock_rows_status interlock_rows_stop(interlock_rows_model model);

// MARK: Edits

// The kinds of positions. A position selects the row of an edit when the edit is made.
enum {
    // `value` is the index of the row; an insertion puts the new row there.
    INTERLOCK_ROWS_AT_INDEX = 0,
    // `value` is a fraction of the list, in units of 1 / 2^64. A random number selects each row with equal
    // probability.
    INTERLOCK_ROWS_AT_SHARE = 1
};

typedef struct {
    uint32_t kind;
    uint64_t value;
} interlock_rows_position;

// The kinds of edits.
enum {
    INTERLOCK_ROWS_INSERTED = 0,
    INTERLOCK_ROWS_REMOVED = 1,
    INTERLOCK_ROWS_MODIFIED = 2
};

// The functions below edit the rows of the current generation. They wait for the model's lock. With the
// strategy INTERLOCK_ROWS_MAIN_ACTOR, they also wait while `command_limit` commands wait for the main thread,
// except on the main thread itself. Any thread; not inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).
//
// If the model is destroyed while a thread waits in such a function, the function returns
// INTERLOCK_ROWS_INVALID_HANDLE. If a core owns the rows and refuses the edit, or has ended, it returns
// INTERLOCK_ROWS_NO_SUCH_ROW.

// Inserts a row.
interlock_rows_status interlock_rows_insert(
    interlock_rows_model model, interlock_rows_position position, const char *text, size_t length);

// Removes a row.
interlock_rows_status interlock_rows_remove(interlock_rows_model model, interlock_rows_position position);

// Modifies a row: appends a text to the row's text.
interlock_rows_status interlock_rows_append(
    interlock_rows_model model, interlock_rows_position position, const char *text, size_t length);

// An edit.
typedef struct {
    // INTERLOCK_ROWS_INSERTED with the text of the new row, INTERLOCK_ROWS_MODIFIED with a text to append, or
    // INTERLOCK_ROWS_REMOVED, for which `text` is ignored.
    uint32_t change;
    interlock_rows_position position;
    interlock_rows_text text;
} interlock_rows_edit;

// Makes edits one after another. Edits of other threads may come between them.
//
// All arguments are checked before the first edit, also those of edits whose row does not exist: if one is
// refused, no edit is made. Edits whose row does not exist are skipped. If `made` is not null, it is set to
// the number of edits that were made. If the model is destroyed meanwhile, the function may make a part of
// the edits, set `made`, and return INTERLOCK_ROWS_INVALID_HANDLE.
interlock_rows_status interlock_rows_edit_all(
    interlock_rows_model model, const interlock_rows_edit *edits, size_t count, size_t *made);

// MARK: Observing

// A change that an observer is notified of.
typedef struct {
    // The index of the row: after an insertion or a modification, before a removal.
    size_t index;
    // The identity of the row, unique within its model.
    uint64_t id;
    // The text of the inserted or modified row, or of the removed row as it was before.
    interlock_rows_text text;
    // The number of rows after this change.
    size_t row_count;
    // The first and the last number of the edits that this notification covers. Edits are numbered from 1 in
    // each generation. Each notification continues where the one before it ended.
    uint64_t first_sequence;
    uint64_t last_sequence;
    uint64_t generation;
} interlock_rows_change;

// An observer of a model: its callbacks, and the pointer `user`, which is passed to each of them.
typedef struct {
    size_t size;
    void *user;
    // Called exactly once, after the last callback has returned, if `interlock_rows_observe` returned
    // INTERLOCK_ROWS_OK. The call comes on the thread that removes the observer or destroys the model,
    // whichever comes first. If a callback of this observer does that, the call comes on the main thread
    // after the callback. May be null.
    void (*destroy_user)(void *user);
    // The callbacks for changes. They are called on the main thread, one after another, in the order of the
    // edits. Each may be null.
    void (*inserted)(void *user, const interlock_rows_change *change);
    void (*removed)(void *user, const interlock_rows_change *change);
    void (*modified)(void *user, const interlock_rows_change *change);
    // Called when a generation has begun with `row_count` rows, which replace all earlier rows. May be null.
    void (*restarted)(void *user, uint64_t generation, size_t row_count);
} interlock_rows_observer;

typedef uint64_t interlock_rows_registration;

// Registers an observer of a model. A second observer is refused (INTERLOCK_ROWS_OBSERVED). Main thread.
//
// The structure is copied; `user` belongs to the registration until `destroy_user` is called. Edits that were
// not delivered yet are delivered to this observer.
interlock_rows_status interlock_rows_observe(
    interlock_rows_model model, const interlock_rows_observer *observer,
    interlock_rows_registration *registration);

// Removes an observer. Any thread; not inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).
//
// When the function returns INTERLOCK_ROWS_OK, no callback of the observer is running or will run, and
// `destroy_user` has returned. For a call inside a callback, see `interlock_rows_destroy`. A thread that calls
// this must not hold a lock for which a callback waits.
interlock_rows_status interlock_rows_end_observation(interlock_rows_registration registration);

// Delivers all waiting edits now, even if nothing serves the main thread. Main thread. Inside a callback for
// this model, the call leaves the edits to the running delivery.
interlock_rows_status interlock_rows_deliver(interlock_rows_model model);

// MARK: Snapshots

// Inside a core's function, each function below that returns a status returns INTERLOCK_ROWS_IN_CALLBACK.

// A snapshot: the rows at one moment, which never change. A snapshot shares its memory with the model.
typedef uint64_t interlock_rows_snapshot;

// Takes a snapshot of the rows after the last change that was delivered. In a callback, this is the change
// that the callback announces. Main thread. The caller owns the snapshot and releases it.
interlock_rows_status interlock_rows_shown(interlock_rows_model model, interlock_rows_snapshot *snapshot);

// Takes a snapshot of the rows after the last edit, of which the observer may not have been notified yet.
// Main thread. The caller owns the snapshot and releases it. If the rows belong to a core that has ended, or
// that refuses to report them, these are the rows of `interlock_rows_shown`.
interlock_rows_status interlock_rows_latest(interlock_rows_model model, interlock_rows_snapshot *snapshot);

// Releases a snapshot. Any thread, also while another thread reads the snapshot.
interlock_rows_status interlock_rows_snapshot_release(interlock_rows_snapshot snapshot);

// The number of rows. Any thread.
interlock_rows_status interlock_rows_snapshot_count(interlock_rows_snapshot snapshot, size_t *count);

// A hash of all rows in their order. Equal rows have equal hashes in all processes. Any thread.
interlock_rows_status interlock_rows_snapshot_fingerprint(
    interlock_rows_snapshot snapshot, uint64_t *fingerprint);

// Copies the text of a row into a buffer, without a terminating zero. Any thread.
//
// `length` is set to the length of the text. If that is greater than `capacity`, the function copies nothing
// and returns INTERLOCK_ROWS_BUFFER_TOO_SMALL. `id` is set too, and may be null. `buffer` may be null if
// `capacity` is 0.
interlock_rows_status interlock_rows_snapshot_row(
    interlock_rows_snapshot snapshot, size_t index, char *buffer, size_t capacity, size_t *length,
    uint64_t *id);

// A callback for a row. It returns 0 to end the visit, and another number to continue.
typedef int32_t (*interlock_rows_visitor)(
    void *user, size_t index, uint64_t id, const char *text, size_t length);

// Calls `visitor` with up to `count` rows from index `first`, in order, without copying the rows. Any thread.
// The visitor runs on the calling thread, and may release the snapshot.
//
// A `first` that is greater than the number of rows returns INTERLOCK_ROWS_NO_SUCH_ROW.
interlock_rows_status interlock_rows_snapshot_visit(
    interlock_rows_snapshot snapshot, size_t first, size_t count, interlock_rows_visitor visitor, void *user);

// MARK: Accounts

// The counters of a model.
typedef struct {
    size_t size;
    uint64_t generation;
    // The number of edits of all generations.
    uint64_t posted;
    // The number of edits that the observer was notified of.
    uint64_t delivered;
    // The number of edits that came to the main thread while there was no observer.
    uint64_t unobserved;
    // The number of edits that were dropped without a notification, because the model was started again.
    uint64_t dropped;
    // The number of edits and commands that wait for the main thread.
    uint64_t queued;
    // The number of times that edits were combined because their notifications took too much memory.
    uint64_t composed;
    // The number of the model's rows, and a hash of them.
    uint64_t rows;
    uint64_t fingerprint;
    // The number of the model's running workers.
    uint64_t threads;
    // The number of live snapshots, of violations of the table rule, and of gaps in the numbers of edits; 0
    // without the option `audits`. The table rule: the rows before a change, plus the inserted row and minus
    // the removed one, are the rows after it.
    uint64_t snapshots;
    uint64_t violations;
    uint64_t gaps;
    // The number of inconsistencies among these figures and the rows. It is reliable if the workers are
    // stopped and all edits have been delivered.
    uint64_t complaints;
} interlock_rows_account;

// Reads the counters of a model, and checks that they are consistent with its rows. Main thread; takes as
// long as reading all rows.
interlock_rows_status interlock_rows_audit(interlock_rows_model model, interlock_rows_account *account);

// The number of objects in the process that have a handle: models, registrations, snapshots and sinks. Any
// thread.
size_t interlock_rows_live_handles(void);

#if defined(__cplusplus)
}
#endif

#endif
