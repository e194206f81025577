// Ends models, observers and cores in random orders, on several threads and inside callbacks. Correct cores
// must never be refused. Cores that post and report random numbers must get statuses only.

#include "check.h"
#include "crew.h"
#include "interlock_rows_core.h"
#include "owning_core.h"
#include "programs.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { most_helpers = 3 };

// One model with its observer and its core, and the threads that use and end them.
typedef struct {
    interlock_rows_model model;
    interlock_rows_registration registration;
    interlock_rows_snapshot snapshot;
    // The correct core, if `has_core` is set and `is_wild` is not.
    interlock_rows_core inner;
    interlock_rows_sink sink;
    bool has_core, is_wild;
    _Atomic int core_activated, core_invalidated, core_destroyed, observer_destroyed;
    // The number of helping threads, and of those that have made their calls.
    int helpers;
    _Atomic int finished;
    // Random numbers of wild cores' functions, which several threads call.
    _Atomic uint64_t wild_seed;
    _Atomic uint64_t generation, sequence, next_id;
} cast;

typedef struct {
    cast *cast;
    uint64_t seed;
    bool is_main;
} actor;

static actor main_actor;
static _Atomic uint64_t calls, posts, ends_of_cores;

static uint64_t pick(actor *actor, uint64_t limit) { return (crew_random(&actor->seed) >> 32) * limit >> 32; }

// How many callbacks and calls of `destroy_user` the thread is inside.
static _Thread_local int depth;

static void is_status(interlock_rows_status status) {
    CHECK(status >= INTERLOCK_ROWS_OK && status <= INTERLOCK_ROWS_REFUSED);
    calls += 1;
}

// MARK: Correct cores

// The sink's own function.
static interlock_rows_status (*_Atomic post_to_sink)(uint64_t, const interlock_rows_posted *);

// Posts an edit of a correct core, which may come too late, but is never wrong.
static interlock_rows_status post_rightly(uint64_t handle, const interlock_rows_posted *edit) {
    interlock_rows_status status = post_to_sink(handle, edit);
    if (status != INTERLOCK_ROWS_OLD_GENERATION && status != INTERLOCK_ROWS_INVALID_HANDLE) OK(status);
    posts += 1;
    return status;
}

static interlock_rows_status right_activate(void *user, const interlock_rows_sink *sink) {
    cast *cast = user;
    cast->core_activated += 1;
    cast->sink = *sink;
    post_to_sink = sink->post;
    interlock_rows_sink checked = *sink;
    checked.post = post_rightly;
    return cast->inner.activate(cast->inner.user, &checked);
}

static interlock_rows_status right_begin(void *user, const interlock_rows_beginning *beginning) {
    return ((cast *)user)->inner.begin(((cast *)user)->inner.user, beginning);
}

static interlock_rows_status right_start(void *user, const interlock_rows_crew *crew) {
    return ((cast *)user)->inner.start(((cast *)user)->inner.user, crew);
}

static void right_stop(void *user) { ((cast *)user)->inner.stop(((cast *)user)->inner.user); }

static interlock_rows_status right_edit(void *user, const interlock_rows_edit *edit) {
    return ((cast *)user)->inner.edit(((cast *)user)->inner.user, edit);
}

static interlock_rows_status right_read(void *user, const interlock_rows_reader *reader) {
    CHECK(((cast *)user)->core_destroyed == 0 && ((cast *)user)->core_invalidated == 0);
    return ((cast *)user)->inner.read(((cast *)user)->inner.user, reader);
}

static size_t right_running(void *user) { return ((cast *)user)->inner.running(((cast *)user)->inner.user); }

static void right_invalidate(void *user) {
    cast *cast = user;
    CHECK(cast->core_activated == 1 && cast->core_invalidated == 0 && cast->core_destroyed == 0);
    cast->core_invalidated += 1;
    cast->inner.invalidate(cast->inner.user);
}

static void right_destroy(void *user) {
    cast *cast = user;
    // A core that ends itself stops its workers itself.
    if (cast->core_invalidated == 0) cast->inner.stop(cast->inner.user);
    cast->inner.destroy_user(cast->inner.user);
    cast->core_destroyed += 1;
}

// MARK: Wild cores

static uint64_t wild(cast *cast, uint64_t limit) {
    uint64_t seed = atomic_fetch_add(&cast->wild_seed, UINT64_C(0x9e3779b97f4a7c15));
    return (crew_random(&seed) >> 32) * limit >> 32;
}

// Numbers at all limits, and next to them, beside `likely` ones.
static uint64_t wild_number(cast *cast, uint64_t likely) {
    static const uint64_t edges[] = {0, UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 61,
        UINT64_C(1) << 62, UINT64_C(1) << 63};
    if (wild(cast, 3) > 0) return likely;
    uint64_t edge = edges[wild(cast, sizeof edges / sizeof *edges)];
    return edge + wild(cast, 5) - 2;
}

static interlock_rows_text wild_text(cast *cast) {
    static const char bytes[] = "text\xff";
    uint64_t length = wild(cast, 6);
    // A length that no memory has is refused before the memory is read.
    if (wild(cast, 20) == 0) length = UINT64_MAX - wild(cast, 2);
    return (interlock_rows_text){wild(cast, 10) == 0 && length == 0 ? NULL : bytes, length};
}

static interlock_rows_status wild_status(cast *cast) {
    return wild(cast, 10) == 0 ? (interlock_rows_status)wild_number(cast, 3) : INTERLOCK_ROWS_OK;
}

static void wild_post(cast *cast) {
    interlock_rows_posted posted = {
        .generation = wild_number(cast, cast->generation),
        .sequence = wild_number(cast, cast->sequence + 1),
        .change = (uint32_t)wild_number(cast, wild(cast, 3)),
        .index = wild_number(cast, wild(cast, 3)),
        .id = wild_number(cast, wild(cast, 2) == 0 ? cast->next_id + wild(cast, 2) : 0),
        .text = wild_text(cast)};
    interlock_rows_status status = cast->sink.post(cast->sink.handle, wild(cast, 50) == 0 ? NULL : &posted);
    is_status(status);
    if (status != INTERLOCK_ROWS_OK) return;
    cast->sequence = posted.sequence;
    if (posted.change == INTERLOCK_ROWS_INSERTED) cast->next_id = posted.id + 1;
}

static interlock_rows_status wild_activate(void *user, const interlock_rows_sink *sink) {
    cast *cast = user;
    cast->sink = *sink;
    cast->core_activated += 1;
    if (wild(cast, 4) == 0) wild_post(cast);
    return wild(cast, 20) == 0 ? INTERLOCK_ROWS_REFUSED : INTERLOCK_ROWS_OK;
}

static interlock_rows_status wild_begin(void *user, const interlock_rows_beginning *beginning) {
    cast *cast = user;
    cast->generation = beginning->generation;
    cast->sequence = 0;
    cast->next_id = beginning->first_id + beginning->count;
    return wild(cast, 20) == 0 ? INTERLOCK_ROWS_REFUSED : INTERLOCK_ROWS_OK;
}

static interlock_rows_status wild_start(void *user, const interlock_rows_crew *crew) {
    (void)crew;
    return wild_status(user);
}

static void wild_stop(void *user) { wild_post(user); }

static interlock_rows_status wild_edit(void *user, const interlock_rows_edit *edit) {
    (void)edit;
    wild_post(user);
    return wild_status(user);
}

static interlock_rows_status wild_read(void *user, const interlock_rows_reader *reader) {
    cast *cast = user;
    for (uint64_t index = wild(cast, 8); index > 0; index--) {
        interlock_rows_text text = wild_text(cast);
        reader->row(reader->reader, wild_number(cast, 8 - index), text.bytes, text.length);
    }
    for (uint64_t count = wild(cast, 3); count > 0; count--) {
        reader->end(reader->reader, wild_number(cast, cast->generation), wild_number(cast, cast->sequence));
    }
    return wild_status(cast);
}

static size_t wild_running(void *user) { return wild_number(user, 1); }

static void wild_invalidate(void *user) {
    cast *cast = user;
    CHECK(cast->core_activated == 1 && cast->core_invalidated == 0 && cast->core_destroyed == 0);
    cast->core_invalidated += 1;
    wild_post(user);
}

static void wild_destroy(void *user) { ((cast *)user)->core_destroyed += 1; }

// MARK: The calls

static interlock_rows_position some_position(actor *actor) {
    return (interlock_rows_position){INTERLOCK_ROWS_AT_SHARE, crew_random(&actor->seed)};
}

static void edit_rows(actor *actor) {
    interlock_rows_model model = actor->cast->model;
    switch (pick(actor, 4)) {
    case 0: case 1: is_status(interlock_rows_insert(model, some_position(actor), "row", 3)); break;
    case 2: is_status(interlock_rows_remove(model, some_position(actor))); break;
    default: is_status(interlock_rows_append(model, some_position(actor), "!", 1)); break;
    }
}

static void destroy_model(actor *actor) {
    cast *cast = actor->cast;
    interlock_rows_status status = interlock_rows_destroy(cast->model);
    if (status != INTERLOCK_ROWS_INVALID_HANDLE) OK(status);
    if (status != INTERLOCK_ROWS_OK) return;
    CHECK(!cast->has_core || cast->core_destroyed == 1);
    if (depth == 0) CHECK(cast->observer_destroyed == 1);
}

static void remove_observer(actor *actor) {
    cast *cast = actor->cast;
    interlock_rows_status status = interlock_rows_end_observation(cast->registration);
    if (status != INTERLOCK_ROWS_INVALID_HANDLE) OK(status);
    if (status == INTERLOCK_ROWS_OK && depth == 0) CHECK(cast->observer_destroyed == 1);
}

// Lets the core end itself.
static void end_core(actor *actor) {
    cast *cast = actor->cast;
    if (!cast->has_core) return;
    interlock_rows_status status = cast->sink.end(cast->sink.handle);
    if (status != INTERLOCK_ROWS_INVALID_HANDLE) OK(status);
    if (status != INTERLOCK_ROWS_OK) return;
    CHECK(cast->core_destroyed == 1 && cast->core_invalidated == 0);
    ends_of_cores += 1;
}

static int32_t look(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    (void)index, (void)id;
    for (size_t position = 0; position < length; position++) *(uint8_t *)user ^= (uint8_t)text[position];
    return 1;
}

static void read_snapshot(actor *actor) {
    size_t count;
    uint8_t sum = 0;
    is_status(interlock_rows_snapshot_count(actor->cast->snapshot, &count));
    is_status(interlock_rows_snapshot_visit(actor->cast->snapshot, 0, SIZE_MAX, look, &sum));
    if (pick(actor, 10) == 0) is_status(interlock_rows_snapshot_release(actor->cast->snapshot));
}

static void call_on_main(actor *actor) {
    interlock_rows_model model = actor->cast->model;
    interlock_rows_snapshot snapshot;
    interlock_rows_account account = {.size = sizeof account};
    uint64_t choice = pick(actor, 7);
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    // The release of a snapshot comes before the next edit in place. Only the reference count says so, which
    // ThreadSanitizer does not see. So the rows are not read here while helpers edit them.
    if ((choice == 3 || choice == 4) && actor->cast->helpers > 0) choice = 5;
#endif
#endif
    switch (choice) {
    case 0: is_status(interlock_rows_restart(model, pick(actor, 3))); break;
    case 1: is_status(interlock_rows_serve(0)); break;
    case 2: is_status(interlock_rows_stop(model)); break;
    case 3: is_status(interlock_rows_audit(model, &account)); break;
    case 4:
        if (interlock_rows_latest(model, &snapshot) != INTERLOCK_ROWS_OK) break;
        OK(interlock_rows_snapshot_release(snapshot));
        break;
    default: is_status(interlock_rows_deliver(model)); break;
    }
}

static void act(actor *actor) {
    cast *cast = actor->cast;
    switch (pick(actor, 24)) {
    case 0: destroy_model(actor); break;
    case 1: remove_observer(actor); break;
    case 2: end_core(actor); break;
    case 3: read_snapshot(actor); break;
    case 4: case 5: case 6: case 7: case 8: case 9: case 10:
        if (actor->is_main) call_on_main(actor);
        else if (cast->is_wild) wild_post(cast);
        else edit_rows(actor);
        break;
    default: edit_rows(actor); break;
    }
}

// MARK: Observers

// Acts inside a callback, on the main thread.
static void note(cast *cast) {
    CHECK(cast->observer_destroyed == 0);
    if (depth > 2 || pick(&main_actor, 6) > 0) return;
    depth += 1;
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_serve(0));
    act(&main_actor);
    depth -= 1;
}

static void changed(void *user, const interlock_rows_change *change) {
    (void)change;
    note(user);
}

static void restarted(void *user, uint64_t generation, size_t row_count) {
    (void)generation, (void)row_count;
    note(user);
}

static void destroy_observer(void *user) {
    cast *cast = user;
    CHECK(cast->observer_destroyed == 0);
    depth += 1;
    actor actor = {cast, cast->wild_seed, false};
    // Other calls might wait for a thread that waits for this one.
    if (pick(&actor, 4) == 0) destroy_model(&actor);
    else if (pick(&actor, 4) == 0) remove_observer(&actor);
    depth -= 1;
    cast->observer_destroyed += 1;
}

// MARK: Rounds

static void *help(void *argument) {
    actor *actor = argument;
    for (uint64_t number = pick(actor, 12); number > 0; number--) act(actor);
    actor->cast->finished += 1;
    return NULL;
}

static interlock_rows_status create(cast *cast, actor *actor) {
    static const interlock_rows_text rows[] = {{"one", 3}, {"two", 3}};
    interlock_rows_options options;
    OK(interlock_rows_options_init(&options));
    options.strategy = (uint32_t)pick(actor, 4);
    options.audits = (uint32_t)pick(actor, 2);
    options.speed = 100000;
    options.initial_rows = rows;
    options.initial_count = pick(actor, 3);
    if (pick(actor, 2) == 0) options.backlog_bytes = pick(actor, 2000);
    options.command_limit = 1 + pick(actor, 3);
    cast->has_core = pick(actor, 4) > 0;
    cast->is_wild = cast->has_core && pick(actor, 2) == 0;
    if (!cast->has_core) return interlock_rows_create(&options, &cast->model);
    interlock_rows_core core = {sizeof core, cast, wild_destroy, wild_activate, wild_begin, wild_start,
        wild_stop, wild_edit, wild_read, wild_running, wild_invalidate};
    if (!cast->is_wild) {
        OK(owning_core_open((interlock_rows_text){NULL, 0}, &cast->inner));
        core = (interlock_rows_core){sizeof core, cast, right_destroy, right_activate, right_begin,
            right_start, right_stop, right_edit, right_read, right_running, right_invalidate};
    }
    return interlock_rows_create_over(&options, &core, &cast->model);
}

static void run_round(uint64_t seed) {
    cast cast = {.wild_seed = seed};
    main_actor = (actor){&cast, seed, true};
    interlock_rows_status status = create(&cast, &main_actor);
    if (status != INTERLOCK_ROWS_OK) {
        // Only a wild core is refused. It still belongs to the caller.
        CHECK(cast.is_wild && status == INTERLOCK_ROWS_REFUSED && cast.core_destroyed == 0);
        CHECK(interlock_rows_live_handles() == 0);
        return;
    }
    interlock_rows_observer observer = {sizeof observer, &cast, destroy_observer, changed, changed, changed,
        restarted};
    OK(interlock_rows_observe(cast.model, &observer, &cast.registration));
    OK(interlock_rows_shown(cast.model, &cast.snapshot));
    if (pick(&main_actor, 2) == 0) is_status(interlock_rows_restart(cast.model, pick(&main_actor, 3)));
    uint64_t count = pick(&main_actor, most_helpers + 1);
    cast.helpers = (int)count;
    actor helpers[most_helpers];
    pthread_t threads[most_helpers];
    for (uint64_t number = 0; number < count; number++) {
        helpers[number] = (actor){&cast, seed * 7 + number + 1, false};
        CHECK(pthread_create(&threads[number], NULL, help, &helpers[number]) == 0);
    }
    for (uint64_t number = pick(&main_actor, 12); number > 0; number--) act(&main_actor);
    // Commands of helpers may wait for room, which the main thread makes.
    while (cast.finished < (int)count) {
        is_status(interlock_rows_deliver(cast.model));
        sched_yield();
    }
    for (uint64_t number = 0; number < count; number++) pthread_join(threads[number], NULL);
    destroy_model(&main_actor);
    is_status(interlock_rows_snapshot_release(cast.snapshot));
    CHECK(cast.observer_destroyed == 1 && cast.core_destroyed == (cast.has_core ? 1 : 0));
    CHECK(interlock_rows_live_handles() == 0);
}

void run_orders(uint64_t rounds, uint64_t seed) {
    for (uint64_t round = 0; round < rounds; round++) {
        // A round that hangs ends the process by a signal.
        alarm(300);
        uint64_t state = seed + round;
        run_round(crew_random(&state));
        // Drains of models that are gone wait for the main thread. Each takes little memory.
        if (round % 100 == 0) is_status(interlock_rows_serve(0));
    }
    alarm(0);
    printf("%llu rounds with the seed %llu: %llu calls, %llu posts of correct cores, %llu ends by cores\n",
        (unsigned long long)rounds, (unsigned long long)seed, (unsigned long long)calls,
        (unsigned long long)posts, (unsigned long long)ends_of_cores);
}
