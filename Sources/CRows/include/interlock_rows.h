// The row model of the Swift package swift-interlock for programs in C, and in every language that can call
// C.
//
// There are two directions, and a program may use both:
//
//   - A core drives a model that Swift owns: it creates the model, its threads edit rows, its observer is
//     called on the main thread. See "Models" to "Snapshots".
//   - A core owns the rows itself and Swift shows them: it fills in a table of functions. See "Cores".
//
// What holds for every function, unless its comment says otherwise:
//
//   - Status: it returns INTERLOCK_ROWS_OK, or the reason why it did nothing. No argument makes it end the
//     process, as long as each pointer is null or leads to memory of its type.
//   - Handles: a handle is a number and not an address. 0 is never a handle. When its object has been
//     destroyed, a handle is stale for ever, and each use of it returns INTERLOCK_ROWS_INVALID_HANDLE.
//   - Threads: "any thread" means that threads may call it at the same time, also with the same handle. "Main
//     thread" means the thread that started the process, or in a program whose main function is Swift, the
//     main actor. Elsewhere these functions return INTERLOCK_ROWS_WRONG_THREAD.
//   - Ownership: arguments belong to the caller, and nothing keeps a pointer to them when the function has
//     returned. What a callback is passed is valid until the callback returns.
//   - Texts are UTF-8, a pointer and a length without a terminating zero. They may contain zeros. A null
//     pointer with the length 0 is the empty text. Anything that is not UTF-8 returns
//     INTERLOCK_ROWS_INVALID_UTF8.
//   - Structures begin with `size`, which the caller sets to sizeof the structure; another size returns
//     INTERLOCK_ROWS_INVALID_ARGUMENT. A function pointer may be null where its comment says so.
//   - Callbacks run under no lock of Swift's. They may call everything but what returns
//     INTERLOCK_ROWS_IN_CALLBACK there. No exception and no panic may leave a callback.

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
    // There is no row at the position, or the snapshot has no such row.
    INTERLOCK_ROWS_NO_SUCH_ROW = 1,
    // A pointer that has to lead somewhere is null.
    INTERLOCK_ROWS_NULL_ARGUMENT = 2,
    // A number is out of its range, or a structure has another size.
    INTERLOCK_ROWS_INVALID_ARGUMENT = 3,
    // A text is not UTF-8.
    INTERLOCK_ROWS_INVALID_UTF8 = 4,
    // The object has been destroyed, or the number was never a handle of this kind.
    INTERLOCK_ROWS_INVALID_HANDLE = 5,
    // Only the main thread may call this.
    INTERLOCK_ROWS_WRONG_THREAD = 6,
    // This may not be called from inside the callback that is running.
    INTERLOCK_ROWS_IN_CALLBACK = 7,
    // The buffer is too small for the text.
    INTERLOCK_ROWS_BUFFER_TOO_SMALL = 8,
    // The time has passed.
    INTERLOCK_ROWS_TIMED_OUT = 9,
    // The model has an observer.
    INTERLOCK_ROWS_OBSERVED = 10,
    // A core's edit does not have the number that follows the last one's, or its row has an identity of the
    // past.
    INTERLOCK_ROWS_OUT_OF_ORDER = 11,
    // A core's edit belongs to a generation that has ended; it is no mistake to post one.
    INTERLOCK_ROWS_OLD_GENERATION = 12,
    // The core has refused something, or is invalidated.
    INTERLOCK_ROWS_REFUSED = 13
};

// The name of a status, in static memory; never null. Any thread.
const char *interlock_rows_status_text(interlock_rows_status status);

// MARK: The main thread

// The main thread delivers to observers while something serves it. A program whose main function is Swift
// does that already. A program in C calls this in its main function, or again and again from a loop of its
// own.

// Serves the main thread until `interlock_rows_stop_serving` is called, or so many nanoseconds have passed:
// then it returns INTERLOCK_ROWS_TIMED_OUT. With 0 it does what there is to do and does not wait; UINT64_MAX
// is without limit.
//
// The thread that started the process, and not from inside a callback.
interlock_rows_status interlock_rows_serve(uint64_t nanoseconds);

// Makes the `interlock_rows_serve` that runs return, or the next one if none does. Any thread, also in a
// callback.
interlock_rows_status interlock_rows_stop_serving(void);

// MARK: Models

// A model: a list that threads edit, and of whose edits an observer is notified on the main thread.
typedef uint64_t interlock_rows_model;

// A text: bytes and how many.
typedef struct {
    const char *bytes;
    size_t length;
} interlock_rows_text;

// How edits come to the main thread.
enum {
    // An array behind a lock, copied by each edit after a snapshot.
    INTERLOCK_ROWS_ARRAY = 0,
    // A tree behind a lock, of which an edit copies a path. The one to take.
    INTERLOCK_ROWS_TREE = 1,
    // A tree behind a lock; changes are sent to a mirror on the main thread, and nothing is copied.
    INTERLOCK_ROWS_DELTA = 2,
    // Rows on the main thread, without a lock; threads send what they want done. An edit from outside returns
    // INTERLOCK_ROWS_OK before it is known whether there is such a row.
    INTERLOCK_ROWS_MAIN_ACTOR = 3
};

// How a model works.
typedef struct {
    size_t size;
    uint32_t strategy;
    // Not 0: snapshots are counted, and a mirror checks each notification (see `interlock_rows_account`).
    uint32_t audits;
    // The model's workers sleep 1 to 4 seconds divided by this; at least 0.000001, or infinity.
    double speed;
    // Where the workers' random choices begin.
    uint64_t seed;
    // The texts of the rows that each generation begins with.
    const interlock_rows_text *initial_rows;
    size_t initial_count;
    // How many bytes notifications may take while they wait; later edits are composed to one change for each
    // row.
    size_t backlog_bytes;
    // How many commands may wait with the strategy INTERLOCK_ROWS_MAIN_ACTOR; at least 1.
    size_t command_limit;
} interlock_rows_options;

// Fills in what a model has where nothing is chosen: the strategy tree, speed 1, a random seed and no rows.
// Any thread.
interlock_rows_status interlock_rows_options_init(interlock_rows_options *options);

// Creates a model, without workers. Main thread. The caller owns it and destroys it with
// `interlock_rows_destroy`.
interlock_rows_status interlock_rows_create(
    const interlock_rows_options *options, interlock_rows_model *model);

// Destroys a model, its observer's registration and its core. Any thread.
//
// It joins the workers, for as long as their edits take. When it returns, no callback of the observer is
// running or will run, and `destroy_user` has been called. Called from inside a callback of that observer, it
// returns before: the callback goes on to its end, then `destroy_user` is called. Snapshots stay valid. Not
// from inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).
interlock_rows_status interlock_rows_destroy(interlock_rows_model model);

// The most workers of a model.
#define INTERLOCK_ROWS_MOST_WORKERS 1000

// Begins a generation: joins the workers, begins with the initial rows, and starts so many workers. Main
// thread.
//
// What was not delivered is dropped. `restarted` is called before this returns. It may be called from a
// callback.
interlock_rows_status interlock_rows_restart(interlock_rows_model model, size_t workers);

// Stops and joins the workers; the rows stay. Main thread.
interlock_rows_status interlock_rows_stop(interlock_rows_model model);

// MARK: Edits

// Which row is meant, decided when the edit is made.
enum {
    // `value` is its index; an insertion puts the new row there.
    INTERLOCK_ROWS_AT_INDEX = 0,
    // The row that stands where `value` stands among all numbers of 64 bits: with a random number, any row.
    INTERLOCK_ROWS_AT_SHARE = 1
};

typedef struct {
    uint32_t kind;
    uint64_t value;
} interlock_rows_position;

// What happens to a row.
enum {
    INTERLOCK_ROWS_INSERTED = 0,
    INTERLOCK_ROWS_REMOVED = 1,
    INTERLOCK_ROWS_MODIFIED = 2
};

// Edits in the present generation. They wait for the model's lock, and never for the main thread. Any thread;
// not from inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).

// Inserts a row.
interlock_rows_status interlock_rows_insert(
    interlock_rows_model model, interlock_rows_position position, const char *text, size_t length);

// Removes a row.
interlock_rows_status interlock_rows_remove(interlock_rows_model model, interlock_rows_position position);

// Modifies a row: adds a text to the end of its own.
interlock_rows_status interlock_rows_append(
    interlock_rows_model model, interlock_rows_position position, const char *text, size_t length);

// An edit.
typedef struct {
    // INTERLOCK_ROWS_INSERTED with the text of the new row, INTERLOCK_ROWS_MODIFIED with a text that is added
    // to the end, or INTERLOCK_ROWS_REMOVED, for which `text` means nothing.
    uint32_t change;
    interlock_rows_position position;
    interlock_rows_text text;
} interlock_rows_edit;

// Makes edits one after another; other threads' may come between them.
//
// All are checked before the first is made: an argument that is refused makes none of them. Those for which
// there is no row are passed over. `made`, unless it is null, is set to how many were made.
interlock_rows_status interlock_rows_edit_all(
    interlock_rows_model model, const interlock_rows_edit *edits, size_t count, size_t *made);

// MARK: Observing

// A change that an observer is notified of.
typedef struct {
    // The index of the row: after an insertion or a modification, before a removal.
    size_t index;
    // What tells this row from all others of the model.
    uint64_t id;
    // The row as it was inserted or modified, or as it was when it was removed.
    interlock_rows_text text;
    // How many rows there are after this change.
    size_t row_count;
    // The numbers of the edits that this notification accounts for: they count up from 1 in each generation,
    // and each notification goes on where the one before it ended.
    uint64_t first_sequence;
    uint64_t last_sequence;
    uint64_t generation;
} interlock_rows_change;

// An observer of a model: a pointer that means something to its callbacks, and the callbacks.
typedef struct {
    size_t size;
    void *user;
    // Called exactly once if `interlock_rows_observe` has returned INTERLOCK_ROWS_OK, after the last callback
    // has returned: on the thread that removed the observer or destroyed the model, or on the main thread
    // after a callback from inside which that was done. May be null.
    void (*destroy_user)(void *user);
    // Called on the main thread, one after another, in the order of the edits. Each may be null.
    void (*inserted)(void *user, const interlock_rows_change *change);
    void (*removed)(void *user, const interlock_rows_change *change);
    void (*modified)(void *user, const interlock_rows_change *change);
    // A generation has begun with so many rows: earlier notifications no longer count.
    void (*restarted)(void *user, uint64_t generation, size_t row_count);
} interlock_rows_observer;

typedef uint64_t interlock_rows_registration;

// Registers the observer of a model, which has one at most (INTERLOCK_ROWS_OBSERVED). Main thread.
//
// The structure is copied; `user` belongs to the registration until `destroy_user` is called. Edits that were
// not delivered yet go to this observer.
interlock_rows_status interlock_rows_observe(
    interlock_rows_model model, const interlock_rows_observer *observer,
    interlock_rows_registration *registration);

// Removes an observer. Any thread; not from inside a core's function (INTERLOCK_ROWS_IN_CALLBACK).
//
// When it returns, no callback of the observer is running or will run, and `destroy_user` has been called;
// from inside its callback see `interlock_rows_destroy`. A thread that calls this must not hold what a
// callback waits for.
interlock_rows_status interlock_rows_unobserve(interlock_rows_registration registration);

// Delivers what waits at once, without waiting for the main thread to be served. Main thread. From inside a
// callback it leaves what waits to the delivery that is under way.
interlock_rows_status interlock_rows_deliver(interlock_rows_model model);

// MARK: Snapshots

// Rows as they were at one moment; they stay as they are. A snapshot shares its memory with the model.
typedef uint64_t interlock_rows_snapshot;

// Takes a snapshot of the rows as the last callback had them; in a callback, as they are after its change.
// Main thread. The caller owns it and releases it.
interlock_rows_status interlock_rows_shown(interlock_rows_model model, interlock_rows_snapshot *snapshot);

// Takes a snapshot of the rows after the last edit, of which the observer may not have been notified. Main
// thread.
interlock_rows_status interlock_rows_latest(interlock_rows_model model, interlock_rows_snapshot *snapshot);

// Releases a snapshot. Any thread, also while another one reads it.
interlock_rows_status interlock_rows_snapshot_release(interlock_rows_snapshot snapshot);

// The number of rows. Any thread.
interlock_rows_status interlock_rows_snapshot_count(interlock_rows_snapshot snapshot, size_t *count);

// A number made from all rows in order: equal rows have equal numbers in all processes. Any thread.
interlock_rows_status interlock_rows_snapshot_fingerprint(
    interlock_rows_snapshot snapshot, uint64_t *fingerprint);

// Copies the text of a row into a buffer, without a terminating zero. Any thread.
//
// `length` is set to the length of the text, also where it returns INTERLOCK_ROWS_BUFFER_TOO_SMALL and copies
// nothing. `id` may be null, and `buffer` where the capacity is 0.
interlock_rows_status interlock_rows_snapshot_row(
    interlock_rows_snapshot snapshot, size_t index, char *buffer, size_t capacity, size_t *length,
    uint64_t *id);

// Called with a row; returns 0 to see no more.
typedef int32_t (*interlock_rows_visitor)(
    void *user, size_t index, uint64_t id, const char *text, size_t length);

// Calls `visitor` with up to `count` rows from index `first`, in order, without copying the rows. Any thread.
//
// A `first` that is greater than the number of rows returns INTERLOCK_ROWS_NO_SUCH_ROW.
interlock_rows_status interlock_rows_snapshot_visit(
    interlock_rows_snapshot snapshot, size_t first, size_t count, interlock_rows_visitor visitor, void *user);

// MARK: Accounts

// What has happened to a model so far.
typedef struct {
    size_t size;
    uint64_t generation;
    // Edits of all generations.
    uint64_t posted;
    // Edits that the observer was notified of.
    uint64_t delivered;
    // Edits that came to the main thread when there was no observer.
    uint64_t unobserved;
    // Edits that nobody was notified of, because the model was started again.
    uint64_t dropped;
    // Edits, or commands, that wait for the main thread.
    uint64_t queued;
    // How often edits were composed because notifications took too much memory.
    uint64_t composed;
    // The rows of the model, and a number made from them.
    uint64_t rows;
    uint64_t fingerprint;
    // Workers of the model that run.
    uint64_t threads;
    // Where the model audits: snapshots that are alive, broken table rules, and gaps in the order of the
    // edits.
    uint64_t snapshots;
    uint64_t violations;
    uint64_t gaps;
    // How many of its figures do not add up; best when the workers are stopped and everything has been
    // delivered.
    uint64_t complaints;
} interlock_rows_account;

// Looks whether everything adds up. Main thread; takes as long as reading all rows.
interlock_rows_status interlock_rows_audit(interlock_rows_model model, interlock_rows_account *account);

// How many objects of the process have a handle: models, registrations, snapshots and sinks. Any thread.
size_t interlock_rows_live_handles(void);

// MARK: Cores

// A core that owns the rows. Swift shows them: it is notified of each edit through a sink, and asks for edits
// and rows through the table of functions `interlock_rows_core`.
//
// The life of a core has four steps, on both sides of the border:
//
//   set up       The core fills in its table. No function of it is called yet.
//   activate     A model is created over it: `activate` is called, then `begin`. From now on threads may
//                post.
//   invalidate   Either Swift ends it: the model is destroyed, and `invalidate` is called. When that has
//                returned, the core posts nothing more, and Swift calls nothing more but `destroy_user`.
//                Or the core ends itself: it calls the sink's `end`; when that has returned, Swift calls
//                nothing more. The model stays, with its last rows.
//   deallocate   `destroy_user` is called, exactly once, whichever side has ended it.

// An edit that a core has made.
typedef struct {
    // The generation that `begin` was called with last, when the edit was made.
    uint64_t generation;
    // Counts up from 1 in each generation.
    uint64_t sequence;
    // INTERLOCK_ROWS_INSERTED, INTERLOCK_ROWS_REMOVED or INTERLOCK_ROWS_MODIFIED.
    uint32_t change;
    // The index of the row: after an insertion or a modification, before a removal.
    size_t index;
    // What tells the row from all others: an inserted row's is greater than that of each row before.
    uint64_t id;
    // The whole text of the row: as it was inserted, after a modification, or before a removal.
    interlock_rows_text text;
} interlock_rows_posted;

// Where a core posts its edits. It is copied; the functions are in memory as long as the process runs.
typedef struct {
    size_t size;
    uint64_t handle;
    // Posts an edit. Any thread, from inside the critical section in which the edit was made: so the order of
    // the posts is that of the edits. It never waits for the main thread and calls no function of the core.
    //
    // Returns INTERLOCK_ROWS_OUT_OF_ORDER or INTERLOCK_ROWS_NO_SUCH_ROW for an edit that can't follow the
    // last one: it is refused and counted, and the rows that Swift shows are not the core's until the next
    // generation. When the core has been invalidated, it returns INTERLOCK_ROWS_INVALID_HANDLE, and the edit
    // is counted as refused too.
    interlock_rows_status (*post)(uint64_t handle, const interlock_rows_posted *edit);
    // Ends the core from its own side. Any thread but one that `stop` joins; not from inside a function of
    // the table (INTERLOCK_ROWS_IN_CALLBACK). It waits for calls that are under way, then `destroy_user` is
    // called.
    interlock_rows_status (*end)(uint64_t handle);
} interlock_rows_sink;

// How a generation begins.
typedef struct {
    uint64_t generation;
    // The texts of its first rows. The first one's identity is `first_id`, and each other's is greater by 1.
    const interlock_rows_text *rows;
    size_t count;
    uint64_t first_id;
} interlock_rows_beginning;

// The workers that a core is to start.
typedef struct {
    size_t count;
    // They sleep 1 to 4 seconds divided by this.
    double speed;
    // Where their random choices begin.
    uint64_t seed;
} interlock_rows_crew;

// What a core calls to say what its rows are.
typedef struct {
    void *reader;
    // The next row.
    void (*row)(void *reader, uint64_t id, const char *text, size_t length);
    // There are no more rows; the generation and the number of the last edit that they include.
    void (*end)(void *reader, uint64_t generation, uint64_t sequence);
} interlock_rows_reader;

// The functions of a core. None may be null but `destroy_user` and `running`. None is called while another
// one of them calls `post`. Those that return a status return INTERLOCK_ROWS_OK unless something went wrong.
// Inside them only the sink's `post` and the given reader may be called; every other function returns
// INTERLOCK_ROWS_IN_CALLBACK there.
typedef struct {
    size_t size;
    void *user;
    // Called exactly once if the model was created, after everything else; on the thread that ended the core.
    // May be null.
    void (*destroy_user)(void *user);
    // Called first, once, on the main thread; copies the sink. A status that is not OK creates no model.
    interlock_rows_status (*activate)(void *user, const interlock_rows_sink *sink);
    // Begins a generation, on the main thread, when no worker runs: the rows are the given ones, and the next
    // edit's number is 1. Other threads may be in `edit`.
    interlock_rows_status (*begin)(void *user, const interlock_rows_beginning *beginning);
    // Starts workers, on the main thread.
    interlock_rows_status (*start)(void *user, const interlock_rows_crew *crew);
    // Stops and joins the workers, on the main thread. There may be none.
    void (*stop)(void *user);
    // Makes an edit and posts it, on any thread. INTERLOCK_ROWS_NO_SUCH_ROW where there is no such row.
    interlock_rows_status (*edit)(void *user, const interlock_rows_edit *edit);
    // Calls the reader with each row in order and then with the end, on the main thread, all in one critical
    // section, the one in which edits are made and posted.
    interlock_rows_status (*read)(void *user, const interlock_rows_reader *reader);
    // How many workers run. Any thread. May be null.
    size_t (*running)(void *user);
    // The last call but `destroy_user`, on the thread that ends the core: joins all threads that post.
    void (*invalidate)(void *user);
} interlock_rows_core;

// Creates a model over a core. Main thread. `options` are those of the model; `strategy` means nothing.
//
// The table is copied; `user` belongs to the model until `destroy_user` is called. INTERLOCK_ROWS_REFUSED
// where `activate` or `begin` refuses: then the core has been invalidated if it was activated, and `user`
// stays the caller's.
interlock_rows_status interlock_rows_create_over(
    const interlock_rows_options *options, const interlock_rows_core *core, interlock_rows_model *model);

// How many edits of cores were refused so far in this process: each is a core's mistake. Any thread.
uint64_t interlock_rows_refused_edits(void);

// The function that a dynamic library with a core exports, for programs that load it: fills in the table. The
// text is an argument that means something to that core.
typedef interlock_rows_status (*interlock_rows_open_core)(
    interlock_rows_text argument, interlock_rows_core *core);
#define INTERLOCK_ROWS_OPEN_CORE "interlock_rows_open_core"

#if defined(__cplusplus)
}
#endif

#endif
