#define _GNU_SOURCE  // for RUSAGE_THREAD
#include "check.h"
#include "models.h"
#include "owning_core.h"
#include "programs.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// MARK: Arguments

static void check_creation(void) {
    interlock_rows_options options = default_options();
    interlock_rows_model model = 77;
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_options_init(NULL));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_create(NULL, &model));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_create(&options, NULL));
    const double speeds[] = {0, -1, NAN, 1e-300};
    for (int number = 0; number < 4; number++) {
        options.speed = speeds[number];
        EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_create(&options, &model));
    }
    options = default_options();
    options.size -= 1;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_create(&options, &model));
    options = default_options();
    options.strategy = 4;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_create(&options, &model));
    options = default_options();
    options.command_limit = 0;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_create(&options, &model));
    options = default_options();
    options.backlog_bytes = SIZE_MAX;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_create(&options, &model));
    options = default_options();
    options.initial_count = 1;
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_create(&options, &model));
    interlock_rows_text wrong = {"\xff", 1};
    options.initial_rows = &wrong;
    EXPECT(INTERLOCK_ROWS_INVALID_UTF8, interlock_rows_create(&options, &model));
    options.initial_count = SIZE_MAX;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_create(&options, &model));
    // A refused call creates no model, and does not write to `model`.
    CHECK(model == 77 && interlock_rows_live_handles() == 0);
    options = default_options();
    options.speed = INFINITY;
    OK(interlock_rows_create(&options, &model));
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_restart(model, INTERLOCK_ROWS_MOST_WORKERS + 1));
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_restart(model, SIZE_MAX));
    OK(interlock_rows_restart(model, 2));
    OK(interlock_rows_stop(model));
    interlock_rows_account account = account_of(model);
    CHECK(account.generation == 2 && account.threads == 0 && account.complaints == 0);
    account.size = 8;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_audit(model, &account));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_audit(model, NULL));
    OK(interlock_rows_destroy(model));
    // The least values that are valid.
    options = default_options();
    options.speed = 0.000001;
    options.backlog_bytes = 0;
    options.command_limit = 1;
    OK(interlock_rows_create(&options, &model));
    OK(interlock_rows_destroy(model));
}

static void check_edits(void) {
    interlock_rows_model model = make_model(default_options());
    mirror mirror = {0};
    observe(model, &mirror);
    interlock_rows_position none = {INTERLOCK_ROWS_AT_INDEX, 1}, beyond = {INTERLOCK_ROWS_AT_INDEX,
        UINT64_MAX};
    interlock_rows_position any = {INTERLOCK_ROWS_AT_SHARE, UINT64_MAX}, strange = {2, 0};
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_remove(model, any));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_insert(model, none, "x", 1));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_insert(model, beyond, "x", 1));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_append(model, start, "x", 1));
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_insert(model, strange, "x", 1));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_insert(model, start, NULL, 1));
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_insert(model, start, "x", SIZE_MAX));
    // A continuation byte alone, a surrogate, an overlong form, and two sequences that are cut off.
    // The last one is as long as U+FFFD, by which a decoder replaces it.
    const char *wrong[] = {"\x80", "\xed\xa0\x80", "\xc0\xaf", "\xe2\x82", "\xf0\x9f\x98"};
    for (int number = 0; number < 5; number++) {
        EXPECT(INTERLOCK_ROWS_INVALID_UTF8, interlock_rows_insert(model, start, wrong[number],
            strlen(wrong[number])));
    }
    OK(interlock_rows_insert(model, start, NULL, 0));
    OK(interlock_rows_append(model, any, "a\0b", 3));
    OK(interlock_rows_append(model, start, "\xe2\x82\xac", 3));

    interlock_rows_edit edits[] = {
        {INTERLOCK_ROWS_INSERTED, start, {"first", 5}},
        {INTERLOCK_ROWS_REMOVED, beyond, {NULL, 0}},
        {INTERLOCK_ROWS_MODIFIED, start, {"-1", 2}},
    };
    size_t made = 99;
    OK(interlock_rows_edit_all(model, edits, 3, &made));
    CHECK(made == 2);
    OK(interlock_rows_edit_all(model, NULL, 0, &made));
    CHECK(made == 0);
    OK(interlock_rows_edit_all(model, edits, 1, NULL));
    uint64_t posted = account_of(model).posted;
    edits[2].text = (interlock_rows_text){"\xff", 1};
    EXPECT(INTERLOCK_ROWS_INVALID_UTF8, interlock_rows_edit_all(model, edits, 3, &made));
    edits[2].change = 9;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_edit_all(model, edits, 3, &made));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_edit_all(model, NULL, 1, &made));
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_edit_all(model, edits, SIZE_MAX / 2, &made));
    // If the last edit of the list is wrong, the edits before it are not made either.
    CHECK(account_of(model).posted == posted);

    OK(interlock_rows_deliver(model));
    CHECK(mirror.count == 3 && mirror.edits == 6);
    CHECK(mirror.rows[2].length == 6 && memcmp(mirror.rows[2].bytes, "a\0b\xe2\x82\xac", 6) == 0);
    CHECK(mirror.rows[1].length == 7 && memcmp(mirror.rows[1].bytes, "first-1", 7) == 0);
    finish(model, &mirror);
}

static void check_handles(void) {
    interlock_rows_model model = make_model(default_options());
    interlock_rows_snapshot snapshot;
    OK(interlock_rows_shown(model, &snapshot));
    size_t count;
    uint64_t number;
    mirror mirror = {0};
    interlock_rows_observer observer = mirror_observer(&mirror);
    interlock_rows_registration registration;
    // These are no handles of models: 0, a handle of another kind, and made-up numbers.
    const uint64_t strangers[] = {0, snapshot, model + 1, model + (UINT64_C(1) << 32), UINT64_MAX};
    for (int index = 0; index < 5; index++) {
        EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_insert(strangers[index], start, "x", 1));
        EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_destroy(strangers[index]));
        EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_end_observation(strangers[index]));
        EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_observe(strangers[index], &observer,
            &registration));
    }
    CHECK(mirror.destroyed == 0);
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_snapshot_count(model, &count));
    OK(interlock_rows_destroy(model));
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_destroy(model));
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_restart(model, 1));
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_remove(model, start));
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_deliver(model));
    // The next model gets the same slot of the handle table, but another handle.
    interlock_rows_model next = make_model(default_options());
    CHECK(next != model && (uint32_t)next == (uint32_t)model);
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_stop(model));
    OK(interlock_rows_destroy(next));
    // A snapshot outlives its model.
    OK(interlock_rows_snapshot_count(snapshot, &count));
    OK(interlock_rows_snapshot_fingerprint(snapshot, &number));
    OK(interlock_rows_snapshot_release(snapshot));
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_snapshot_release(snapshot));
    CHECK(interlock_rows_live_handles() == 0);
}

typedef struct {
    size_t visits, limit;
    interlock_rows_snapshot snapshot;
} visit;

static int32_t count_visits(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    visit *visit = user;
    (void)index, (void)id;
    CHECK(length == 3 && memcmp(text, "row", 3) == 0);
    // A snapshot may be released during a visit of its rows.
    if (visit->snapshot != 0) OK(interlock_rows_snapshot_release(visit->snapshot));
    visit->snapshot = 0;
    return ++visit->visits < visit->limit;
}

static void check_snapshots(uint32_t strategy) {
    interlock_rows_options options = default_options();
    options.strategy = strategy;
    interlock_rows_text rows[1000];
    for (int index = 0; index < 1000; index++) rows[index] = (interlock_rows_text){"row", 3};
    options.initial_rows = rows;
    options.initial_count = 1000;
    interlock_rows_model model = make_model(options);
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_shown(model, NULL));
    interlock_rows_snapshot before, after;
    OK(interlock_rows_shown(model, &before));
    OK(interlock_rows_append(model, start, "-1", 2));
    OK(interlock_rows_deliver(model));
    OK(interlock_rows_latest(model, &after));
    char buffer[5];
    size_t length;
    uint64_t id = 1;
    OK(interlock_rows_snapshot_row(after, 0, buffer, 5, &length, &id));
    CHECK(id == 0 && length == 5 && memcmp(buffer, "row-1", 5) == 0);
    EXPECT(INTERLOCK_ROWS_BUFFER_TOO_SMALL, interlock_rows_snapshot_row(after, 0, buffer, 4, &length, NULL));
    CHECK(length == 5);
    EXPECT(INTERLOCK_ROWS_BUFFER_TOO_SMALL, interlock_rows_snapshot_row(after, 0, NULL, 0, &length, NULL));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_snapshot_row(after, 0, NULL, 1, &length, NULL));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_snapshot_row(after, 0, buffer, 5, NULL, NULL));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_snapshot_row(after, 1000, buffer, 5, &length, NULL));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_snapshot_row(after, SIZE_MAX, buffer, 5, &length,
        NULL));
    OK(interlock_rows_snapshot_row(before, 0, buffer, 5, &length, &id));
    CHECK(length == 3);

    visit all = {0, SIZE_MAX, 0}, part = {0, SIZE_MAX, 0}, few = {0, 7, 0}, released = {0, SIZE_MAX, before};
    OK(interlock_rows_snapshot_visit(before, 0, SIZE_MAX, count_visits, &all));
    CHECK(all.visits == 1000);
    OK(interlock_rows_snapshot_visit(before, 990, 100, count_visits, &part));
    CHECK(part.visits == 10);
    OK(interlock_rows_snapshot_visit(before, 500, 400, count_visits, &few));
    CHECK(few.visits == 7);
    OK(interlock_rows_snapshot_visit(before, 500, 0, count_visits, &all));
    OK(interlock_rows_snapshot_visit(before, 1000, 1, count_visits, &all));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_snapshot_visit(before, 1001, 1, count_visits, &all));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_snapshot_visit(before, SIZE_MAX, 1, count_visits,
        &all));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_snapshot_visit(before, 0, 1, NULL, NULL));
    CHECK(all.visits == 1000);
    CHECK(account_of(model).snapshots >= 1);
    OK(interlock_rows_snapshot_visit(before, 3, 4, count_visits, &released));
    CHECK(released.visits == 4);
    OK(interlock_rows_snapshot_release(after));
    OK(interlock_rows_destroy(model));
    CHECK(interlock_rows_live_handles() == 0);
}

// MARK: Threads

static void *call_on_thread(void *argument) {
    interlock_rows_model model = *(interlock_rows_model *)argument, other;
    interlock_rows_options options = default_options();
    interlock_rows_snapshot snapshot;
    mirror mirror = {0};
    interlock_rows_observer observer = mirror_observer(&mirror);
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_create(&options, &other));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_restart(model, 0));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_stop(model));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_observe(model, &observer, &other));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_deliver(model));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_shown(model, &snapshot));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_latest(model, &snapshot));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_audit(model, NULL));
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_serve(0));
    OK(interlock_rows_insert(model, start, "from a thread", 13));
    OK(interlock_rows_stop_serving());
    return NULL;
}

// How often the calling thread has gone to sleep, where the system says so.
static long sleeps(void) {
#if defined(RUSAGE_THREAD)
    struct rusage usage;
    CHECK(getrusage(RUSAGE_THREAD, &usage) == 0);
    return usage.ru_nvcsw;
#else
    static long calls;
    return calls++;
#endif
}

static void check_threads(void) {
    interlock_rows_model model = make_model(default_options());
    mirror mirror = {0};
    observe(model, &mirror);
    EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(0));
    EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(1000000));
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, call_on_thread, &model) == 0);
    // This serves without a time limit, until the other thread stops it.
    OK(interlock_rows_serve(UINT64_MAX));
    pthread_join(thread, NULL);
    EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(0));
    CHECK(mirror.edits == 1);
    // A call of `interlock_rows_stop_serving` before serving ends the next serving.
    OK(interlock_rows_stop_serving());
    OK(interlock_rows_serve(UINT64_MAX));
    // Work that has been done keeps the thread awake no longer.
    EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(1000000));
    long before = sleeps();
    EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(5000000));
    CHECK(sleeps() > before);
    finish(model, &mirror);
}

// MARK: Callbacks

static void act_inside(mirror *mirror, const interlock_rows_change *change) {
    (void)change;
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_serve(0));
    // The rows that the model shows already include this change.
    interlock_rows_snapshot shown;
    OK(interlock_rows_shown(mirror->model, &shown));
    CHECK(mirror_equals(mirror, shown));
    OK(interlock_rows_snapshot_release(shown));
    OK(interlock_rows_deliver(mirror->model));
    OK(interlock_rows_append(mirror->model, start, "!", 1));
    if (mirror->callbacks == 2) mirror->then = NULL;
}

static void restart_inside(mirror *mirror, const interlock_rows_change *change) {
    (void)change;
    mirror->then = NULL;
    OK(interlock_rows_restart(mirror->model, 0));
}

static void end_observation_inside(mirror *mirror, const interlock_rows_change *change) {
    (void)change;
    OK(interlock_rows_end_observation(mirror->registration));
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_end_observation(mirror->registration));
    CHECK(mirror->destroyed == 0);
}

static void destroy_inside(mirror *mirror, const interlock_rows_change *change) {
    (void)change;
    OK(interlock_rows_destroy(mirror->model));
    CHECK(mirror->destroyed == 0);
}

// The `destroy_user` function of an observer that is removed while the main thread is served.
static void destroy_while_served(void *user) {
    ((mirror *)user)->destroyed += 1;
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_serve(0));
    OK(interlock_rows_stop_serving());
}

static void insert_two(interlock_rows_model model) {
    OK(interlock_rows_insert(model, start, "one", 3));
    OK(interlock_rows_insert(model, start, "two", 3));
}

static void check_callbacks(void) {
    interlock_rows_model model = make_model(default_options());
    mirror mirror = {.then = act_inside};
    observe(model, &mirror);
    insert_two(model);
    OK(interlock_rows_deliver(model));
    // A second delivery is needed: a callback made the last edit when the first delivery had taken all
    // others.
    OK(interlock_rows_deliver(model));
    CHECK(mirror.edits == 4 && mirror.rows[0].length == 5);
    finish(model, &mirror);

    // A restart inside a callback drops the remaining notifications of the earlier generation.
    model = make_model(default_options());
    mirror = (struct mirror){.then = restart_inside};
    observe(model, &mirror);
    insert_two(model);
    OK(interlock_rows_deliver(model));
    CHECK(mirror.callbacks == 1 && mirror.count == 0 && account_of(model).dropped == 1);
    finish(model, &mirror);

    // An observer that is removed inside its own callback is destroyed when the callback has returned.
    model = make_model(default_options());
    mirror = (struct mirror){.then = end_observation_inside};
    observe(model, &mirror);
    insert_two(model);
    OK(interlock_rows_deliver(model));
    CHECK(mirror.callbacks == 1 && mirror.destroyed == 1);
    OK(interlock_rows_restart(model, 0));
    finish(model, &mirror);

    // Its `destroy_user` can't serve the main thread a second time.
    model = make_model(default_options());
    mirror = (struct mirror){.then = end_observation_inside, .model = model};
    interlock_rows_observer serving = mirror_observer(&mirror);
    serving.destroy_user = destroy_while_served;
    OK(interlock_rows_observe(model, &serving, &mirror.registration));
    OK(interlock_rows_restart(model, 0));
    insert_two(model);
    OK(interlock_rows_serve(UINT64_MAX));
    CHECK(mirror.callbacks == 1 && mirror.destroyed == 1);
    finish(model, &mirror);

    // A model that is destroyed inside a callback ends when the callback has returned.
    model = make_model(default_options());
    mirror = (struct mirror){.then = destroy_inside};
    observe(model, &mirror);
    insert_two(model);
    OK(interlock_rows_deliver(model));
    CHECK(mirror.callbacks == 1 && mirror.destroyed == 1);
    mirror_clear(&mirror);
    CHECK(interlock_rows_live_handles() == 0);

    // A model has one observer at a time, and the functions of an observer may be null.
    model = make_model(default_options());
    mirror = (struct mirror){0};
    observe(model, &mirror);
    interlock_rows_observer silent = {.size = sizeof silent};
    interlock_rows_registration registration;
    EXPECT(INTERLOCK_ROWS_OBSERVED, interlock_rows_observe(model, &silent, &registration));
    OK(interlock_rows_end_observation(mirror.registration));
    CHECK(mirror.destroyed == 1);
    OK(interlock_rows_observe(model, &silent, &registration));
    insert_two(model);
    OK(interlock_rows_deliver(model));
    CHECK(mirror.callbacks == 0 && account_of(model).delivered == 2);
    silent.size = 0;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_observe(model, &silent, &registration));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_observe(model, NULL, &registration));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_observe(model, &silent, NULL));
    finish(model, &mirror);
}

// MARK: Ends

static void *end_observation_on_thread(void *argument) {
    mirror *mirror = argument;
    OK(interlock_rows_end_observation(mirror->registration));
    // The main thread does not use the observer any more, so this thread may free its memory.
    CHECK(mirror->destroyed == 1);
    mirror_clear(mirror);
    return NULL;
}

static void *destroy_on_thread(void *argument) {
    mirror *mirror = argument;
    OK(interlock_rows_destroy(mirror->model));
    CHECK(mirror->destroyed == 1);
    mirror_clear(mirror);
    OK(interlock_rows_stop_serving());
    return NULL;
}

// Removes an observer, or destroys its model, on another thread while the main thread delivers to the
// observer.
static void check_ends_on_threads(void) {
    for (int round = 0; round < 50; round++) {
        interlock_rows_options options = default_options();
        options.speed = INFINITY;
        options.seed = (uint64_t)round;
        interlock_rows_model model = make_model(options);
        mirror mirror = {0};
        observe(model, &mirror);
        OK(interlock_rows_restart(model, 2));
        pthread_t thread;
        if (round % 2 == 0) {
            CHECK(pthread_create(&thread, NULL, end_observation_on_thread, &mirror) == 0);
            EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(2000000));
            pthread_join(thread, NULL);
            OK(interlock_rows_destroy(model));
        } else {
            CHECK(pthread_create(&thread, NULL, destroy_on_thread, &mirror) == 0);
            OK(interlock_rows_serve(UINT64_MAX));
            pthread_join(thread, NULL);
        }
        EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_end_observation(mirror.registration));
        CHECK(mirror.destroyed == 1 && interlock_rows_live_handles() == 0);
    }
}

// MARK: Cores

// A core that returns the statuses that a check sets, and counts the calls of its functions.
typedef struct {
    interlock_rows_sink sink;
    interlock_rows_model model;
    interlock_rows_status activation, beginning;
    uint64_t generation;
    int invalidated, destroyed, calls;
} probe;

static interlock_rows_status probe_activate(void *user, const interlock_rows_sink *sink) {
    probe *probe = user;
    probe->sink = *sink;
    CHECK(sink->size == sizeof *sink);
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, sink->end(sink->handle));
    return probe->activation;
}

static interlock_rows_status probe_begin(void *user, const interlock_rows_beginning *beginning) {
    probe *probe = user;
    probe->generation = beginning->generation;
    return probe->beginning;
}

static interlock_rows_status probe_start(void *user, const interlock_rows_crew *crew) {
    ((probe *)user)->calls += (int)crew->count;
    return INTERLOCK_ROWS_OK;
}

static void probe_stop(void *user) { (void)user; }

// The `edit` function of the core: checks that it can't call functions of the interface, except `post`.
static interlock_rows_status probe_edit(void *user, const interlock_rows_edit *edit) {
    probe *probe = user;
    (void)edit;
    probe->calls += 1;
    size_t count;
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_insert(probe->model, start, "x", 1));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_latest(probe->model, &probe->model));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_destroy(probe->model));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_serve(0));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_snapshot_count(1, &count));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, probe->sink.end(probe->sink.handle));
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status probe_read(void *user, const interlock_rows_reader *reader) {
    probe *probe = user;
    probe->calls += 1;
    reader->row(reader->reader, 1, "\xff", 1);
    reader->end(reader->reader, probe->generation, 0);
    return INTERLOCK_ROWS_OK;
}

static void probe_invalidate(void *user) { ((probe *)user)->invalidated += 1; }

static void probe_destroy(void *user) { ((probe *)user)->destroyed += 1; }

static interlock_rows_core probe_table(probe *probe) {
    return (interlock_rows_core){
        .size = sizeof(interlock_rows_core),
        .user = probe,
        .destroy_user = probe_destroy,
        .activate = probe_activate,
        .begin = probe_begin,
        .start = probe_start,
        .stop = probe_stop,
        .edit = probe_edit,
        .read = probe_read,
        .invalidate = probe_invalidate,
    };
}

static interlock_rows_status post(probe *probe, uint64_t sequence, uint32_t change, size_t index,
    uint64_t id) {
    interlock_rows_posted posted = {probe->generation, sequence, change, index, id, {"row", 3}};
    return probe->sink.post(probe->sink.handle, &posted);
}

static void check_refused_cores(void) {
    interlock_rows_options options = default_options();
    interlock_rows_model model;
    probe probe = {0};
    interlock_rows_core table = probe_table(&probe);
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_create_over(&options, NULL, &model));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_create_over(&options, &table, NULL));
    table.read = NULL;
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_create_over(&options, &table, &model));
    table = probe_table(&probe);
    table.size += 8;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_create_over(&options, &table, &model));
    table = probe_table(&probe);
    probe.activation = INTERLOCK_ROWS_REFUSED;
    EXPECT(INTERLOCK_ROWS_REFUSED, interlock_rows_create_over(&options, &table, &model));
    CHECK(probe.invalidated == 0);
    probe.activation = INTERLOCK_ROWS_OK;
    probe.beginning = INTERLOCK_ROWS_REFUSED;
    EXPECT(INTERLOCK_ROWS_REFUSED, interlock_rows_create_over(&options, &table, &model));
    // A refused core still belongs to the caller, so it is not destroyed.
    CHECK(probe.invalidated == 1 && probe.destroyed == 0 && interlock_rows_live_handles() == 0);
}

static void check_posts(void) {
    interlock_rows_options options = default_options();
    probe probe = {0};
    interlock_rows_core table = probe_table(&probe);
    interlock_rows_model model = make_model_over(&table, options);
    probe.model = model;
    mirror mirror = {0};
    observe(model, &mirror);
    uint64_t refused = interlock_rows_refused_edits();
    OK(post(&probe, 1, INTERLOCK_ROWS_INSERTED, 0, 5));
    EXPECT(INTERLOCK_ROWS_OUT_OF_ORDER, post(&probe, 3, INTERLOCK_ROWS_MODIFIED, 0, 5));
    EXPECT(INTERLOCK_ROWS_OUT_OF_ORDER, post(&probe, 1, INTERLOCK_ROWS_MODIFIED, 0, 5));
    // These insertions have wrong identities: the first is not new, and the second leaves none for later
    // rows.
    EXPECT(INTERLOCK_ROWS_OUT_OF_ORDER, post(&probe, 2, INTERLOCK_ROWS_INSERTED, 0, 5));
    EXPECT(INTERLOCK_ROWS_OUT_OF_ORDER, post(&probe, 2, INTERLOCK_ROWS_INSERTED, 0, UINT64_MAX));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, post(&probe, 2, INTERLOCK_ROWS_REMOVED, 1, 5));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, post(&probe, 2, INTERLOCK_ROWS_INSERTED, SIZE_MAX, 6));
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, post(&probe, 2, 3, 0, 5));
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, probe.sink.post(probe.sink.handle, NULL));
    interlock_rows_posted wrong = {probe.generation, 2, INTERLOCK_ROWS_INSERTED, 0, 6, {"\xff", 1}};
    EXPECT(INTERLOCK_ROWS_INVALID_UTF8, probe.sink.post(probe.sink.handle, &wrong));
    CHECK(interlock_rows_refused_edits() == refused + 9);
    // An edit of the previous generation is no mistake, because it may have been made while that generation
    // ended. So it is not counted.
    probe.generation -= 1;
    EXPECT(INTERLOCK_ROWS_OLD_GENERATION, post(&probe, 2, INTERLOCK_ROWS_REMOVED, 0, 5));
    probe.generation += 1;
    CHECK(interlock_rows_refused_edits() == refused + 9);
    OK(post(&probe, 2, INTERLOCK_ROWS_REMOVED, 0, 5));
    OK(interlock_rows_deliver(model));
    CHECK(mirror.edits == 2 && mirror.count == 0);

    // The model passes edits from outside to the core. It does not show a row of the core that is not UTF-8.
    OK(interlock_rows_insert(model, start, "x", 1));
    interlock_rows_snapshot snapshot;
    size_t count = 9;
    OK(interlock_rows_latest(model, &snapshot));
    OK(interlock_rows_snapshot_count(snapshot, &count));
    OK(interlock_rows_snapshot_release(snapshot));
    CHECK(count == 0 && probe.calls == 2);
    CHECK(interlock_rows_refused_edits() == refused + 10);

    // When the core ends before the model, the model remains but does nothing.
    OK(probe.sink.end(probe.sink.handle));
    CHECK(probe.destroyed == 1 && probe.invalidated == 0);
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, probe.sink.end(probe.sink.handle));
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, post(&probe, 3, INTERLOCK_ROWS_INSERTED, 0, 9));
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_insert(model, start, "x", 1));
    OK(interlock_rows_restart(model, 3));
    CHECK(probe.calls == 2);
    finish(model, &mirror);
    CHECK(probe.destroyed == 1);

    // When the model ends before the core, it invalidates the core.
    memset(&probe, 0, sizeof probe);
    OK(interlock_rows_create_over(&options, &table, &model));
    OK(interlock_rows_restart(model, 3));
    CHECK(probe.calls == 3);
    OK(interlock_rows_destroy(model));
    CHECK(probe.invalidated == 1 && probe.destroyed == 1);
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, post(&probe, 1, INTERLOCK_ROWS_INSERTED, 0, 9));
    CHECK(interlock_rows_live_handles() == 0);
}

// Checks that the edits of a core with a deliberate bug are refused, or that the audit finds the bug.
static void check_faults(void) {
    const char *faults[] = {"", "unordered", "wrong-row", "late"};
    for (int number = 0; number < 4; number++) {
        interlock_rows_options options = default_options();
        interlock_rows_core table;
        OK(owning_core_open((interlock_rows_text){faults[number], strlen(faults[number])}, &table));
        interlock_rows_model model = make_model_over(&table, options);
        uint64_t refused = interlock_rows_refused_edits();
        OK(interlock_rows_restart(model, 0));
        for (int edit = 0; edit < 5; edit++) {
            // Edits after the core's mistake may be refused, so their statuses are not checked.
            interlock_rows_insert(model, start, "row", 3);
            interlock_rows_append(model, start, "-0", 2);
        }
        OK(interlock_rows_deliver(model));
        uint64_t complaints = account_of(model).complaints;
        uint64_t refused_before_end = interlock_rows_refused_edits() - refused;
        OK(interlock_rows_destroy(model));
        uint64_t refused_at_end = interlock_rows_refused_edits() - refused - refused_before_end;
        CHECK((complaints > 0) == (number == 1 || number == 2));
        CHECK((refused_before_end > 0) == (number == 1));
        CHECK((refused_at_end > 0) == (number == 3));
    }
    interlock_rows_core table;
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, owning_core_open((interlock_rows_text){"strange", 7}, &table));
}

// Checks that waiting edits are combined by reading the core's rows if their notifications take too much
// memory.
static void check_backlog(void) {
    interlock_rows_options options = default_options();
    options.backlog_bytes = 10000;
    interlock_rows_core table;
    OK(owning_core_open((interlock_rows_text){NULL, 0}, &table));
    interlock_rows_model model = make_model_over(&table, options);
    mirror mirror = {0};
    observe(model, &mirror);
    for (int round = 0; round < 3; round++) {
        for (int edit = 0; edit < 1000; edit++) {
            interlock_rows_position any = {INTERLOCK_ROWS_AT_SHARE,
                (uint64_t)edit * UINT64_C(0x9e3779b97f4a7c15)};
            if (edit % 3 == 0) interlock_rows_append(model, any, "-1", 2);
            else if (edit % 7 == 0) interlock_rows_remove(model, any);
            else OK(interlock_rows_insert(model, any, "row", 3));
        }
        OK(interlock_rows_deliver(model));
    }
    interlock_rows_account account = account_of(model);
    CHECK(account.composed == 3 && account.complaints == 0 && account.delivered == account.posted);
    CHECK(mirror.edits == account.posted && mirror.callbacks < mirror.edits);
    CHECK(shows_latest(model, &mirror));
    finish(model, &mirror);
}

static void check_calls(void) {
    for (int status = INTERLOCK_ROWS_OK; status <= INTERLOCK_ROWS_REFUSED; status++) {
        CHECK(strcmp(interlock_rows_status_text(status), "unknown status") != 0);
    }
    CHECK(strcmp(interlock_rows_status_text(-1), "unknown status") == 0);
    check_creation();
    check_edits();
    check_handles();
    check_snapshots(INTERLOCK_ROWS_TREE);
    check_snapshots(INTERLOCK_ROWS_ARRAY);
    check_threads();
    check_callbacks();
    check_ends_on_threads();
    check_refused_cores();
    check_posts();
    check_faults();
    check_backlog();
}

// Runs the checks of a list, or only the one with this name; returns how many it has run.
static int run_list(const named_check *list, const char *name) {
    int count = 0;
    for (const named_check *check = list; check->name != NULL; check++) {
        if (name != NULL && strcmp(name, check->name) != 0) continue;
        // A check that hangs ends the process by a signal.
        alarm(300);
        check->run();
        alarm(0);
        count += 1;
    }
    return count;
}

void run_checks(const char *name) {
    int count = run_list(promise_checks, name);
    if (name == NULL) check_calls();
    count += run_list(life_checks, name);
    CHECK(count > 0);
    printf("every check holds\n");
}
