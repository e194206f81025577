// The row model of the Swift package swift-interlock, for a core in C, or in a language that can call C, that
// owns the rows which Swift shows. The rules for statuses, threads, ownership, texts and structures are those
// of interlock_rows.h.
//
// The core posts each edit to a sink. Swift asks the core for edits and rows through the table of functions
// `interlock_rows_core`.
//
// The life of a core has four stages:
//
//   set up       The core fills in its table. No function of it is called yet.
//   activate     A model is created over the core: `activate` is called, then `begin`. From now on threads
//                may post. Whoever ends the core meanwhile waits until the model has been created.
//   invalidate   Either Swift ends the core: the model is destroyed, and `invalidate` is called. When that
//                has returned, the core posts nothing more, and Swift calls nothing more but `destroy_user`.
//                Or the core ends itself: it calls the sink's `end`. When that has returned, Swift calls
//                nothing more. The model stays, with its last rows. If both happen at the same time, the
//                one that begins first ends the core.
//   deallocate   `destroy_user` is called, exactly once, whichever side has ended the core.

#ifndef INTERLOCK_ROWS_CORE_H
#define INTERLOCK_ROWS_CORE_H

#include "interlock_rows.h"

#if defined(__cplusplus)
extern "C" {
#endif

// The greatest identity of a row that a core may insert: 2^62.
#define INTERLOCK_ROWS_GREATEST_ID (UINT64_C(1) << 62)

// An edit that a core has made.
typedef struct {
    // The generation in which the edit was made: the one with which `begin` was called last.
    uint64_t generation;
    // The number of the edit, which counts up from 1 in each generation.
    uint64_t sequence;
    // INTERLOCK_ROWS_INSERTED, INTERLOCK_ROWS_REMOVED or INTERLOCK_ROWS_MODIFIED.
    uint32_t change;
    // The index of the row: after an insertion or a modification, before a removal.
    size_t index;
    // The identity of the row. The identity of an inserted row is greater than those of all earlier rows,
    // and at most INTERLOCK_ROWS_GREATEST_ID.
    uint64_t id;
    // The whole text of the row: as it was inserted, after a modification, or before a removal.
    interlock_rows_text text;
} interlock_rows_posted;

// The sink to which a core posts its edits. The core copies this structure. Its functions stay valid until
// the process ends.
typedef struct {
    size_t size;
    uint64_t handle;
    // Posts an edit. Any thread. The core calls this inside the critical section in which it makes the edit,
    // so that edits are posted in the order in which they are made. The function never waits for the main
    // thread and calls no function of the core.
    //
    // An edit that can't follow the last one is refused, and counted: with INTERLOCK_ROWS_OUT_OF_ORDER if its
    // number or the identity of an inserted row does not, and with INTERLOCK_ROWS_NO_SUCH_ROW if there is no
    // such index, or if no row with the identity was inserted. Then the rows that Swift shows differ from the
    // core's until the next generation. Arguments that are not valid are refused and counted too. After the
    // core has ended, an edit is refused with INTERLOCK_ROWS_INVALID_HANDLE, and counted too. An edit of an
    // earlier generation is refused with INTERLOCK_ROWS_OLD_GENERATION, and not counted.
    interlock_rows_status (*post)(uint64_t handle, const interlock_rows_posted *edit);
    // Ends the core; called by the core itself. Any thread except for those that `stop` joins; not inside a
    // function of the table (INTERLOCK_ROWS_IN_CALLBACK). Waits for running calls of the core's functions,
    // and for the creation of the model. May call `read`, for edits that were combined and not delivered yet.
    // Then calls `destroy_user`.
    //
    // If the core is being ended already, returns INTERLOCK_ROWS_INVALID_HANDLE and does not wait for the
    // end. So a thread that `invalidate` joins may call this.
    interlock_rows_status (*end)(uint64_t handle);
} interlock_rows_sink;

// The beginning of a generation.
typedef struct {
    uint64_t generation;
    // The texts of the generation's first rows. The first row has the identity `first_id`. Each later row's
    // identity is greater by 1 than that of the row before.
    const interlock_rows_text *rows;
    size_t count;
    uint64_t first_id;
} interlock_rows_beginning;

// The workers that a core is to start.
typedef struct {
    size_t count;
    // The speed of the workers, which sleep 1 to 4 seconds divided by this between two edits.
    double speed;
    // The seed of the workers' random choices.
    uint64_t seed;
} interlock_rows_crew;

// The functions by which a core reports its rows. Each of them is passed `reader`.
typedef struct {
    void *reader;
    // Reports the next row.
    void (*row)(void *reader, uint64_t id, const char *text, size_t length);
    // Reports that there are no more rows, and the generation and the number of the last edit that the rows
    // include.
    void (*end)(void *reader, uint64_t generation, uint64_t sequence);
} interlock_rows_reader;

// The functions of a core. Only `destroy_user` and `running` may be null. `post` calls none of these
// functions. A function that returns a status returns INTERLOCK_ROWS_OK unless something went wrong; another
// status is counted as a mistake, except for that of `edit`. Inside these functions, `destroy_user` included,
// the core may call only the sink's `post`, the given reader, and functions that return no status. Every
// other function returns INTERLOCK_ROWS_IN_CALLBACK there.
typedef struct {
    size_t size;
    void *user;
    // Called exactly once, as the last of these functions, if a model was created; on the thread that ends
    // the core. May be null.
    void (*destroy_user)(void *user);
    // Passes the sink, which the core copies. Called once, as the first of these functions, on the main
    // thread. If it returns another status than INTERLOCK_ROWS_OK, no model is created.
    interlock_rows_status (*activate)(void *user, const interlock_rows_sink *sink);
    // Begins a generation: replaces all rows by the given ones, and numbers the next edit 1. Called on the
    // main thread while no worker runs. Other threads may be inside `edit`. If a later generation is refused,
    // Swift shows its rows, and the core's edits are edits of an earlier generation.
    interlock_rows_status (*begin)(void *user, const interlock_rows_beginning *beginning);
    // Starts workers. Called on the main thread.
    interlock_rows_status (*start)(void *user, const interlock_rows_crew *crew);
    // Stops and joins the workers, if there are any. Called on the main thread.
    void (*stop)(void *user);
    // Makes an edit and posts it. Called on any thread. Returns INTERLOCK_ROWS_NO_SUCH_ROW if the row does
    // not exist.
    interlock_rows_status (*edit)(void *user, const interlock_rows_edit *edit);
    // Reports each row in order and then the end to `reader`. Called on the main thread, and on the thread
    // that calls the sink's `end`. All reports are made in one critical section, the one in which edits are
    // made and posted.
    interlock_rows_status (*read)(void *user, const interlock_rows_reader *reader);
    // The number of running workers. Called on any thread. May be null. A number that exceeds PTRDIFF_MAX
    // counts as a mistake, and as 0.
    size_t (*running)(void *user);
    // Joins all threads that post. Called when Swift ends the core, on the thread that ends it, once and only
    // if `activate` has returned INTERLOCK_ROWS_OK. Only `destroy_user` is called after that.
    void (*invalidate)(void *user);
} interlock_rows_core;

// Creates a model over a core. Main thread. `options` are those of the model; `strategy` is ignored.
//
// The table is copied; `user` belongs to the model until `destroy_user` is called. If `activate` or `begin`
// refuses, the function returns INTERLOCK_ROWS_REFUSED. Then a core that was activated has been invalidated,
// or has ended itself. With every status but INTERLOCK_ROWS_OK, `user` still belongs to the caller, and
// `destroy_user` is not called.
interlock_rows_status interlock_rows_create_over(
    const interlock_rows_options *options, const interlock_rows_core *core, interlock_rows_model *model);

// The number of mistakes that cores have made in this process: refused edits and failed calls. Any thread.
uint64_t interlock_rows_refused_edits(void);

// The function that a dynamic library with a core defines and exports. It fills in the table of the core.
// Programs that load the library find the function by this name. The core defines the meaning of `argument`.
// Swift never calls it.
interlock_rows_status interlock_rows_open_core(interlock_rows_text argument, interlock_rows_core *core);

// The type of that function, and its name.
typedef interlock_rows_status (*interlock_rows_open_core_function)(
    interlock_rows_text argument, interlock_rows_core *core);
#define INTERLOCK_ROWS_OPEN_CORE "interlock_rows_open_core"

#if defined(__cplusplus)
}
#endif

#endif
