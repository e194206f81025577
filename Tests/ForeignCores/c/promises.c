// Checks of single sentences of the headers that the other checks don't need: on ownership, on the threads of
// calls, on defaults and on figures.

#include "check.h"
#include "models.h"
#include "programs.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static const interlock_rows_position missing = {INTERLOCK_ROWS_AT_INDEX, 9};

// Options with three initial rows.
static interlock_rows_options three_rows(void) {
    static const interlock_rows_text rows[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    interlock_rows_options options;
    OK(interlock_rows_options_init(&options));
    options.initial_rows = rows;
    options.initial_count = 3;
    return options;
}

// Whether the row at `index` is shown with this text.
static bool shows(interlock_rows_model model, size_t index, const char *text) {
    interlock_rows_snapshot snapshot;
    OK(interlock_rows_shown(model, &snapshot));
    char buffer[64];
    size_t length;
    OK(interlock_rows_snapshot_row(snapshot, index, buffer, sizeof buffer, &length, NULL));
    OK(interlock_rows_snapshot_release(snapshot));
    return length == strlen(text) && memcmp(buffer, text, length) == 0;
}

static void *run_on_thread(void *(*run)(void *), void *argument) {
    pthread_t thread;
    void *result;
    CHECK(pthread_create(&thread, NULL, run, argument) == 0);
    CHECK(pthread_join(thread, &result) == 0);
    return result;
}

// MARK: Models

static void check_defaults(void) {
    interlock_rows_options options, others;
    memset(&options, 0xff, sizeof options);
    OK(interlock_rows_options_init(&options));
    OK(interlock_rows_options_init(&others));
    CHECK(options.size == sizeof options && options.strategy == INTERLOCK_ROWS_TREE && options.audits == 0);
    CHECK(options.speed == 1 && options.initial_rows == NULL && options.initial_count == 0);
    CHECK(options.backlog_bytes > 0 && options.command_limit > 0);
    // The seed is random.
    CHECK(options.seed != others.seed);
}

// Nothing keeps a pointer to an argument.
static void check_copies(void) {
    char text[] = "first";
    interlock_rows_text row = {text, 5};
    interlock_rows_options options;
    OK(interlock_rows_options_init(&options));
    options.initial_rows = &row;
    options.initial_count = 1;
    interlock_rows_model model = make_model(options);
    memset(text, 'x', 5);
    row = (interlock_rows_text){NULL, 0};
    OK(interlock_rows_restart(model, 0));
    CHECK(shows(model, 0, "first"));

    mirror mirror = {.model = model};
    interlock_rows_observer observer = mirror_observer(&mirror);
    OK(interlock_rows_observe(model, &observer, &mirror.registration));
    memset(&observer, 0, sizeof observer);
    OK(interlock_rows_restart(model, 0));
    char edited[] = "second";
    OK(interlock_rows_insert(model, start, edited, 6));
    interlock_rows_edit edit = {INTERLOCK_ROWS_MODIFIED, start, {edited, 6}};
    memcpy(edited, "-third", 6);
    OK(interlock_rows_edit_all(model, &edit, 1, NULL));
    memset(edited, 'x', 6);
    memset(&edit, 0xff, sizeof edit);
    OK(interlock_rows_deliver(model));
    CHECK(shows(model, 0, "second-third") && mirror.edits == 2 && mirror.rows[0].length == 12);
    OK(interlock_rows_destroy(model));
    CHECK(mirror.destroyed == 1);
    mirror_clear(&mirror);
}

// A model has no workers before a restart, which puts back the initial rows. `stop` leaves the rows.
static void check_generations(void) {
    interlock_rows_options options = three_rows();
    options.speed = INFINITY;
    interlock_rows_model model = make_model(options);
    interlock_rows_account account = account_of(model);
    CHECK(account.generation == 1 && account.threads == 0 && account.rows == 3 && account.posted == 0);
    mirror mirror = {.model = model};
    interlock_rows_observer observer = mirror_observer(&mirror);
    OK(interlock_rows_observe(model, &observer, &mirror.registration));
    OK(interlock_rows_restart(model, 2));
    // `restarted` was called before the function returned.
    CHECK(mirror.generation == 2 && mirror.count == 3);
    CHECK(account_of(model).threads == 2);
    while (account_of(model).posted == 0) EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(1000000));
    OK(interlock_rows_stop(model));
    account = account_of(model);
    CHECK(account.threads == 0 && account.posted > 0);
    OK(interlock_rows_deliver(model));
    CHECK(account_of(model).rows == account.rows && mirror.count == account.rows);
    OK(interlock_rows_restart(model, 0));
    CHECK(mirror.generation == 3 && mirror.count == 3 && shows(model, 2, "c"));
    OK(interlock_rows_destroy(model));
    mirror_clear(&mirror);
}

static void check_shares(void) {
    interlock_rows_model model = make_model(three_rows());
    // A third of 2^64, rounded up, is the first share of the second row.
    const uint64_t third = UINT64_C(0x5555555555555556);
    const struct {
        uint64_t share;
        const char *text;
    } cases[] = {{0, "a"}, {third - 1, "a"}, {third, "b"}, {UINT64_C(1) << 63, "b"}, {UINT64_MAX, "c"}};
    for (int number = 0; number < 5; number++) {
        OK(interlock_rows_restart(model, 0));
        OK(interlock_rows_append(model, (interlock_rows_position){INTERLOCK_ROWS_AT_SHARE,
            cases[number].share}, "!", 1));
        OK(interlock_rows_deliver(model));
        char text[] = {cases[number].text[0], '!', 0};
        CHECK(shows(model, (size_t)(text[0] - 'a'), text));
    }
    // The text of a removal is ignored.
    interlock_rows_edit removal = {INTERLOCK_ROWS_REMOVED, start, {"\xff", 1}};
    OK(interlock_rows_edit_all(model, &removal, 1, NULL));
    removal.text = (interlock_rows_text){NULL, 1};
    OK(interlock_rows_edit_all(model, &removal, 1, NULL));
    CHECK(account_of(model).rows == 1);
    OK(interlock_rows_destroy(model));
}

static void *remove_missing_row(void *model) {
    OK(interlock_rows_remove(*(interlock_rows_model *)model, missing));
    return NULL;
}

// With the rows on the main thread, only that thread knows at once whether a row exists. It never waits for
// room.
static void check_main_actor(void) {
    interlock_rows_options options = three_rows();
    options.strategy = INTERLOCK_ROWS_MAIN_ACTOR;
    options.command_limit = 1;
    interlock_rows_model model = make_model(options);
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_remove(model, missing));
    run_on_thread(remove_missing_row, &model);
    CHECK(account_of(model).queued == 1);
    for (int number = 0; number < 3; number++) OK(interlock_rows_insert(model, start, "x", 1));
    OK(interlock_rows_deliver(model));
    CHECK(account_of(model).queued == 0 && account_of(model).rows == 6);
    OK(interlock_rows_destroy(model));
}

// MARK: Observers

static pthread_t thread_of_end;

static void note_thread(void *user) {
    ((mirror *)user)->destroyed += 1;
    thread_of_end = pthread_self();
}

static void *end_observation_here(void *user) {
    OK(interlock_rows_end_observation(((mirror *)user)->registration));
    CHECK(pthread_equal(thread_of_end, pthread_self()));
    return NULL;
}

static void *destroy_here(void *user) {
    OK(interlock_rows_destroy(((mirror *)user)->model));
    CHECK(pthread_equal(thread_of_end, pthread_self()));
    return NULL;
}

// `destroy_user` is called on the thread that removes the observer, and by no call that refuses one.
static void check_thread_of_end(void) {
    for (int round = 0; round < 2; round++) {
        mirror mirror = {.model = make_model(three_rows())};
        interlock_rows_observer observer = mirror_observer(&mirror);
        observer.destroy_user = note_thread;
        OK(interlock_rows_observe(mirror.model, &observer, &mirror.registration));
        interlock_rows_registration none = 77;
        EXPECT(INTERLOCK_ROWS_OBSERVED, interlock_rows_observe(mirror.model, &observer, &none));
        CHECK(mirror.destroyed == 0 && none == 77);
        run_on_thread(round == 0 ? end_observation_here : destroy_here, &mirror);
        if (round == 0) OK(interlock_rows_destroy(mirror.model));
        CHECK(mirror.destroyed == 1);
        mirror_clear(&mirror);
    }
}

static size_t insertions;

static void count_insertion(void *user, const interlock_rows_change *change) {
    (void)user;
    CHECK(change->generation == 2 && change->first_sequence == insertions + 1);
    insertions += 1;
}

// Edits that wait are delivered to the observer that comes next, and counted where there is none.
static void check_waiting_edits(void) {
    interlock_rows_model model = make_model(three_rows());
    OK(interlock_rows_restart(model, 0));
    for (int number = 0; number < 2; number++) OK(interlock_rows_insert(model, start, "x", 1));
    CHECK(account_of(model).queued == 2 && account_of(model).posted == 2);
    interlock_rows_observer observer = {.size = sizeof observer, .inserted = count_insertion};
    interlock_rows_registration registration;
    OK(interlock_rows_observe(model, &observer, &registration));
    CHECK(insertions == 0);
    OK(interlock_rows_deliver(model));
    CHECK(insertions == 2);
    OK(interlock_rows_end_observation(registration));
    OK(interlock_rows_insert(model, start, "x", 1));
    OK(interlock_rows_deliver(model));
    interlock_rows_account account = account_of(model);
    CHECK(insertions == 2 && account.delivered == 2 && account.unobserved == 1 && account.queued == 0);
    // Without the option `audits`, these are 0.
    CHECK(account.snapshots == 0 && account.violations == 0 && account.gaps == 0);
    OK(interlock_rows_destroy(model));
}

// MARK: Snapshots

typedef struct {
    interlock_rows_snapshot snapshot;
    atomic_bool is_inside, is_released;
    size_t visits;
} shared_visit;

static int32_t wait_for_release(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    shared_visit *visit = user;
    (void)id;
    visit->is_inside = true;
    while (!visit->is_released) {}
    CHECK(length == 1 && text[0] == "abc"[index]);
    visit->visits += 1;
    return 1;
}

static void *visit_here(void *user) {
    shared_visit *visit = user;
    OK(interlock_rows_snapshot_visit(visit->snapshot, 0, SIZE_MAX, wait_for_release, visit));
    return NULL;
}

// A snapshot may be released while another thread visits its rows.
static void check_release(void) {
    interlock_rows_model model = make_model(three_rows());
    shared_visit visit = {0};
    OK(interlock_rows_shown(model, &visit.snapshot));
    OK(interlock_rows_destroy(model));
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, visit_here, &visit) == 0);
    while (!visit.is_inside) {}
    OK(interlock_rows_snapshot_release(visit.snapshot));
    visit.is_released = true;
    pthread_join(thread, NULL);
    CHECK(visit.visits == 3 && interlock_rows_live_handles() == 0);
}

static uint64_t fingerprint_of(interlock_rows_model model) {
    interlock_rows_snapshot snapshot;
    uint64_t fingerprint;
    OK(interlock_rows_deliver(model));
    OK(interlock_rows_shown(model, &snapshot));
    OK(interlock_rows_snapshot_fingerprint(snapshot, &fingerprint));
    OK(interlock_rows_snapshot_release(snapshot));
    CHECK(account_of(model).fingerprint == fingerprint);
    return fingerprint;
}

// Equal rows have equal fingerprints, in all processes.
static void check_fingerprints(void) {
    interlock_rows_model model = make_model(three_rows()), other = make_model(three_rows());
    CHECK(fingerprint_of(model) == fingerprint_of(other));
    CHECK(fingerprint_of(model) == UINT64_C(0x4076b2501afefb6b));
    OK(interlock_rows_append(other, start, "!", 1));
    CHECK(fingerprint_of(model) != fingerprint_of(other));
    OK(interlock_rows_destroy(model));
    OK(interlock_rows_destroy(other));
}

// MARK: Cores

// A core that notes its calls.
typedef struct {
    interlock_rows_sink sink;
    pthread_t main;
    uint64_t generation;
    size_t first_rows;
    interlock_rows_crew crew;
    interlock_rows_status beginning, editing;
    char calls[16];
    // The thread of `invalidate` or of `destroy_user`.
    pthread_t ending;
} noting;

static void note(noting *core, char call) {
    size_t length = strlen(core->calls);
    CHECK(length + 1 < sizeof core->calls);
    core->calls[length] = call;
    // Functions without a status may be called here.
    CHECK(strcmp(interlock_rows_status_text(INTERLOCK_ROWS_REFUSED), "unknown status") != 0);
    CHECK(interlock_rows_live_handles() < 9 && interlock_rows_refused_edits() < 9);
}

static interlock_rows_status note_activate(void *user, const interlock_rows_sink *sink) {
    noting *core = user;
    CHECK(pthread_equal(core->main, pthread_self()));
    core->sink = *sink;
    note(core, 'a');
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status note_begin(void *user, const interlock_rows_beginning *beginning) {
    noting *core = user;
    CHECK(pthread_equal(core->main, pthread_self()));
    note(core, 'b');
    if (core->beginning == INTERLOCK_ROWS_OK) core->generation = beginning->generation;
    core->first_rows = beginning->count;
    return core->beginning;
}

static interlock_rows_status note_start(void *user, const interlock_rows_crew *crew) {
    noting *core = user;
    CHECK(pthread_equal(core->main, pthread_self()));
    core->crew = *crew;
    note(core, 's');
    return INTERLOCK_ROWS_OK;
}

static void note_stop(void *user) { CHECK(pthread_equal(((noting *)user)->main, pthread_self())); }

static interlock_rows_status note_edit(void *user, const interlock_rows_edit *edit) {
    (void)edit;
    return ((noting *)user)->editing;
}

static interlock_rows_status note_read(void *user, const interlock_rows_reader *reader) {
    reader->end(reader->reader, ((noting *)user)->generation, 0);
    return INTERLOCK_ROWS_OK;
}

static void note_invalidate(void *user) {
    ((noting *)user)->ending = pthread_self();
    note(user, 'i');
}

static void note_destroy(void *user) {
    noting *core = user;
    if (strchr(core->calls, 'i') != NULL) CHECK(pthread_equal(core->ending, pthread_self()));
    core->ending = pthread_self();
    note(core, 'd');
}

static interlock_rows_model make_over(noting *core) {
    core->main = pthread_self();
    interlock_rows_options options = three_rows();
    options.seed = 42;
    options.speed = 7;
    // The strategy is ignored.
    options.strategy = INTERLOCK_ROWS_MAIN_ACTOR;
    interlock_rows_core table = {
        .size = sizeof table,
        .user = core,
        .destroy_user = note_destroy,
        .activate = note_activate,
        .begin = note_begin,
        .start = note_start,
        .stop = note_stop,
        .edit = note_edit,
        .read = note_read,
        .invalidate = note_invalidate,
    };
    interlock_rows_model model = make_model_over(&table, options);
    memset(&table, 0, sizeof table);
    return model;
}

static void *create_here(void *unused) {
    (void)unused;
    interlock_rows_options options = three_rows();
    interlock_rows_core table = {.size = sizeof table};
    interlock_rows_model model;
    EXPECT(INTERLOCK_ROWS_WRONG_THREAD, interlock_rows_create_over(&options, &table, &model));
    return NULL;
}

static void *end_here(void *user) {
    noting *core = user;
    OK(core->sink.end(core->sink.handle));
    CHECK(pthread_equal(core->ending, pthread_self()));
    return NULL;
}

static void *destroy_model_here(void *model) {
    OK(interlock_rows_destroy(*(interlock_rows_model *)model));
    return NULL;
}

// The calls of a core, in their order, on their threads, with their arguments.
static void check_calls_of_core(void) {
    run_on_thread(create_here, NULL);
    noting core = {.editing = INTERLOCK_ROWS_REFUSED};
    interlock_rows_model model = make_over(&core);
    CHECK(strcmp(core.calls, "ab") == 0 && core.first_rows == 3);
    OK(interlock_rows_restart(model, 5));
    CHECK(strcmp(core.calls, "abbs") == 0);
    CHECK(core.crew.count == 5 && core.crew.speed == 7 && core.crew.seed == 42);
    // Refusing an edit is no mistake.
    uint64_t refused = interlock_rows_refused_edits();
    EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, interlock_rows_insert(model, start, "x", 1));
    CHECK(interlock_rows_refused_edits() == refused);
    run_on_thread(destroy_model_here, &model);
    CHECK(strcmp(core.calls, "abbsid") == 0 && !pthread_equal(core.ending, core.main));

    noting ended = {0};
    model = make_over(&ended);
    run_on_thread(end_here, &ended);
    CHECK(strcmp(ended.calls, "abd") == 0);
    OK(interlock_rows_destroy(model));
    CHECK(strcmp(ended.calls, "abd") == 0);
}

// If the core refuses a later generation, its first rows are shown, and the core's edits are old.
static void check_refused_generation(void) {
    noting core = {0};
    interlock_rows_model model = make_over(&core);
    interlock_rows_posted edit = {core.generation, 1, INTERLOCK_ROWS_REMOVED, 0, 0, {"a", 1}};
    OK(core.sink.post(core.sink.handle, &edit));
    OK(interlock_rows_deliver(model));
    CHECK(shows(model, 0, "b"));
    uint64_t refused = interlock_rows_refused_edits();
    core.beginning = INTERLOCK_ROWS_REFUSED;
    OK(interlock_rows_restart(model, 0));
    CHECK(interlock_rows_refused_edits() == refused + 1);
    CHECK(shows(model, 0, "a") && shows(model, 2, "c"));
    edit.sequence = 2;
    EXPECT(INTERLOCK_ROWS_OLD_GENERATION, core.sink.post(core.sink.handle, &edit));
    OK(interlock_rows_destroy(model));
}

const named_check promise_checks[] = {
    {"calls-of-core", check_calls_of_core},
    {"refused-generation", check_refused_generation},
    {"defaults", check_defaults},
    {"copies", check_copies},
    {"generations", check_generations},
    {"shares", check_shares},
    {"main-actor", check_main_actor},
    {"thread-of-end", check_thread_of_end},
    {"waiting-edits", check_waiting_edits},
    {"release", check_release},
    {"fingerprints", check_fingerprints},
    {NULL, NULL},
};
