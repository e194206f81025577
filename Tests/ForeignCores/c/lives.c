// Checks of numbers at their limits, of waiting edits, and of the ends of models, observers and cores.

#include "check.h"
#include "models.h"
#include "owning_core.h"
#include "programs.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static void yield_until(_Atomic bool *flag) {
    while (!*flag) sched_yield();
}

// Lets other threads run for a while, until `flag` is set.
static void sleep_for_a_while(_Atomic bool *flag) {
    struct timespec millisecond = {0, 1000000};
    for (int round = 0; round < 10 && !*flag; round++) nanosleep(&millisecond, NULL);
}

// MARK: Wrapped cores

// A core around the correct one: passes on all calls, and lets a check act in between.
typedef struct wrapped {
    interlock_rows_core inner;
    interlock_rows_sink sink;
    // Called at the end of `activate` and in `destroy_user`, if they are not null.
    void (*when_activated)(struct wrapped *wrapped);
    void (*when_destroyed)(struct wrapped *wrapped);
    bool refuses_to_read;
    size_t running;
    _Atomic int activated, invalidated, destroyed;
    // A thread of the core that ends it, and the status that it got. `invalidate` joins it if `joins` is set.
    pthread_t thread;
    interlock_rows_status status;
    bool joins;
    _Atomic bool ended, is_inside, is_over;
} wrapped;

static interlock_rows_status wrapped_activate(void *user, const interlock_rows_sink *sink) {
    wrapped *wrapped = user;
    wrapped->sink = *sink;
    wrapped->activated += 1;
    interlock_rows_status status = wrapped->inner.activate(wrapped->inner.user, sink);
    if (wrapped->when_activated != NULL) wrapped->when_activated(wrapped);
    return status;
}

static interlock_rows_status wrapped_begin(void *user, const interlock_rows_beginning *beginning) {
    wrapped *wrapped = user;
    return wrapped->inner.begin(wrapped->inner.user, beginning);
}

static interlock_rows_status wrapped_start(void *user, const interlock_rows_crew *crew) {
    wrapped *wrapped = user;
    return wrapped->inner.start(wrapped->inner.user, crew);
}

static void wrapped_stop(void *user) {
    wrapped *wrapped = user;
    wrapped->inner.stop(wrapped->inner.user);
}

static interlock_rows_status wrapped_edit(void *user, const interlock_rows_edit *edit) {
    wrapped *wrapped = user;
    return wrapped->inner.edit(wrapped->inner.user, edit);
}

static interlock_rows_status wrapped_read(void *user, const interlock_rows_reader *reader) {
    wrapped *wrapped = user;
    if (wrapped->refuses_to_read) return INTERLOCK_ROWS_REFUSED;
    return wrapped->inner.read(wrapped->inner.user, reader);
}

static size_t wrapped_running(void *user) { return ((wrapped *)user)->running; }

static void wrapped_invalidate(void *user) {
    wrapped *wrapped = user;
    wrapped->invalidated += 1;
    if (wrapped->joins) pthread_join(wrapped->thread, NULL);
    wrapped->inner.invalidate(wrapped->inner.user);
}

static void wrapped_destroy(void *user) {
    wrapped *wrapped = user;
    if (wrapped->when_destroyed != NULL) wrapped->when_destroyed(wrapped);
    // A core that ends itself stops its workers itself.
    if (wrapped->invalidated == 0) wrapped->inner.stop(wrapped->inner.user);
    wrapped->inner.destroy_user(wrapped->inner.user);
    wrapped->destroyed += 1;
}

static interlock_rows_core wrap(wrapped *wrapped) {
    OK(owning_core_open((interlock_rows_text){NULL, 0}, &wrapped->inner));
    return (interlock_rows_core){
        .size = sizeof(interlock_rows_core),
        .user = wrapped,
        .destroy_user = wrapped_destroy,
        .activate = wrapped_activate,
        .begin = wrapped_begin,
        .start = wrapped_start,
        .stop = wrapped_stop,
        .edit = wrapped_edit,
        .read = wrapped_read,
        .running = wrapped_running,
        .invalidate = wrapped_invalidate,
    };
}

static interlock_rows_model create_over(const interlock_rows_options *options, wrapped *wrapped) {
    interlock_rows_core core = wrap(wrapped);
    interlock_rows_model model;
    OK(interlock_rows_create_over(options, &core, &model));
    return model;
}

// MARK: Numbers

// A core that reports one row with the identity `id`, and posts what the check says.
typedef struct {
    interlock_rows_sink sink;
    uint64_t generation, id;
} reporter;

static interlock_rows_status report_activate(void *user, const interlock_rows_sink *sink) {
    ((reporter *)user)->sink = *sink;
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status report_begin(void *user, const interlock_rows_beginning *beginning) {
    ((reporter *)user)->generation = beginning->generation;
    ((reporter *)user)->id = beginning->first_id;
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status report_start(void *user, const interlock_rows_crew *crew) {
    (void)user, (void)crew;
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status report_edit(void *user, const interlock_rows_edit *edit) {
    (void)user, (void)edit;
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status report_read(void *user, const interlock_rows_reader *reader) {
    reporter *reporter = user;
    reader->row(reader->reader, reporter->id, "row", 3);
    reader->end(reader->reader, reporter->generation, 0);
    return INTERLOCK_ROWS_OK;
}

static size_t report_running(void *user) {
    (void)user;
    return SIZE_MAX;
}

static void report_nothing(void *user) { (void)user; }

static interlock_rows_core report_table(reporter *reporter) {
    return (interlock_rows_core){
        .size = sizeof(interlock_rows_core),
        .user = reporter,
        .activate = report_activate,
        .begin = report_begin,
        .start = report_start,
        .stop = report_nothing,
        .edit = report_edit,
        .read = report_read,
        .running = report_running,
        .invalidate = report_nothing,
    };
}

static interlock_rows_status post(reporter *reporter, uint64_t sequence, uint32_t change, uint64_t id) {
    interlock_rows_posted posted = {reporter->generation, sequence, change, 0, id, {"row", 3}};
    return reporter->sink.post(reporter->sink.handle, &posted);
}

// The identities at which something might overflow.
static const uint64_t edges[] = {0, 1, UINT64_C(1) << 61, (UINT64_C(1) << 62) - 1, UINT64_C(1) << 62,
    (UINT64_C(1) << 62) + 1, (UINT64_C(1) << 63) - 1, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};
enum { edge_count = sizeof edges / sizeof *edges };

static void check_identities(void) {
    interlock_rows_text row = {"row", 3};
    for (int number = 0; number < edge_count; number++) {
        interlock_rows_options options = default_options();
        options.initial_rows = &row;
        options.initial_count = 1;
        reporter reporter = {0};
        interlock_rows_core table = report_table(&reporter);
        interlock_rows_model model = make_model_over(&table, options);
        uint64_t edge = edges[number];
        // Only the identity 0 exists.
        if (edge > 0) {
            EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, post(&reporter, 1, INTERLOCK_ROWS_MODIFIED, edge));
            EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, post(&reporter, 1, INTERLOCK_ROWS_REMOVED, edge));
        }
        OK(interlock_rows_deliver(model));
        bool is_valid = edge > 0 && edge <= INTERLOCK_ROWS_GREATEST_ID;
        interlock_rows_status expected = is_valid ? INTERLOCK_ROWS_OK : INTERLOCK_ROWS_OUT_OF_ORDER;
        EXPECT(expected, post(&reporter, 1, INTERLOCK_ROWS_INSERTED, edge));
        if (is_valid) {
            EXPECT(INTERLOCK_ROWS_OUT_OF_ORDER, post(&reporter, 2, INTERLOCK_ROWS_INSERTED, edge));
            EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, post(&reporter, 2, INTERLOCK_ROWS_MODIFIED, UINT64_MAX));
            EXPECT(INTERLOCK_ROWS_NO_SUCH_ROW, post(&reporter, 2, INTERLOCK_ROWS_REMOVED, edge + 1));
            OK(post(&reporter, 2, INTERLOCK_ROWS_MODIFIED, edge));
            OK(post(&reporter, 3, INTERLOCK_ROWS_REMOVED, edge));
        }
        OK(interlock_rows_deliver(model));
        OK(interlock_rows_destroy(model));
    }
    CHECK(interlock_rows_live_handles() == 0);
}

// A core that has used the greatest identity can still begin generations, and its rows are shown.
static void check_greatest_identity(void) {
    interlock_rows_options options = default_options();
    interlock_rows_text row = {"row", 3};
    options.initial_rows = &row;
    options.initial_count = 1;
    reporter reporter = {0};
    interlock_rows_core table = report_table(&reporter);
    interlock_rows_model model = make_model_over(&table, options);
    OK(post(&reporter, 1, INTERLOCK_ROWS_INSERTED, INTERLOCK_ROWS_GREATEST_ID));
    OK(interlock_rows_restart(model, 0));
    CHECK(reporter.id > INTERLOCK_ROWS_GREATEST_ID);
    EXPECT(INTERLOCK_ROWS_OUT_OF_ORDER, post(&reporter, 1, INTERLOCK_ROWS_INSERTED, reporter.id + 1));
    uint64_t refused = interlock_rows_refused_edits();
    interlock_rows_snapshot latest;
    size_t count = 0;
    OK(interlock_rows_latest(model, &latest));
    OK(interlock_rows_snapshot_count(latest, &count));
    OK(interlock_rows_snapshot_release(latest));
    CHECK(count == 1 && interlock_rows_refused_edits() == refused);
    OK(interlock_rows_destroy(model));
}

// Reported identities and counts at their limits end neither the call nor a later generation.
static void check_reports(void) {
    for (int number = 0; number < edge_count; number++) {
        interlock_rows_options options = default_options();
        // With no room for notifications, the model reads the core's rows.
        options.backlog_bytes = 0;
        interlock_rows_text row = {"row", 3};
        options.initial_rows = &row;
        options.initial_count = 1;
        reporter reporter = {0};
        interlock_rows_core table = report_table(&reporter);
        interlock_rows_model model = make_model_over(&table, options);
        for (int round = 0; round < 2; round++) {
            OK(post(&reporter, 1, INTERLOCK_ROWS_INSERTED, (UINT64_C(1) << 40) * (uint64_t)(round + 1)));
            reporter.id = edges[number];
            OK(interlock_rows_deliver(model));
            interlock_rows_account account = account_of(model);
            CHECK(account.threads == 0);
            OK(interlock_rows_restart(model, 0));
            if (edges[number] >= UINT64_C(1) << 40) break;
        }
        OK(interlock_rows_destroy(model));
    }
}

// All arguments of `edit_all` are checked, also those of edits that are skipped.
static void check_skipped_edits(void) {
    interlock_rows_model model = make_model(default_options());
    interlock_rows_position beyond = {INTERLOCK_ROWS_AT_INDEX, UINT64_MAX};
    interlock_rows_edit edits[] = {
        {INTERLOCK_ROWS_INSERTED, start, {"row", 3}}, {INTERLOCK_ROWS_INSERTED, beyond, {"\xff", 1}}};
    size_t made = 9;
    EXPECT(INTERLOCK_ROWS_INVALID_UTF8, interlock_rows_edit_all(model, edits, 2, &made));
    CHECK(made == 9 && account_of(model).posted == 0);
    edits[1] = (interlock_rows_edit){INTERLOCK_ROWS_MODIFIED, beyond, {NULL, 1}};
    EXPECT(INTERLOCK_ROWS_NULL_ARGUMENT, interlock_rows_edit_all(model, edits, 2, &made));
    edits[1] = (interlock_rows_edit){7, beyond, {NULL, 0}};
    EXPECT(INTERLOCK_ROWS_INVALID_ARGUMENT, interlock_rows_edit_all(model, edits, 2, &made));
    CHECK(made == 9 && account_of(model).posted == 0);
    OK(interlock_rows_destroy(model));
}

// MARK: Waiting edits

// A core that ends itself leaves its last rows, also those of edits that were combined.
static void check_last_rows(void) {
    interlock_rows_options options = default_options();
    // Room for a few notifications. The other edits are combined.
    options.backlog_bytes = 1000;
    wrapped wrapped = {0};
    interlock_rows_model model = create_over(&options, &wrapped);
    mirror mirror = {0};
    observe(model, &mirror);
    for (int number = 0; number < 30; number++) OK(interlock_rows_insert(model, start, "row", 3));
    OK(wrapped.sink.end(wrapped.sink.handle));
    CHECK(wrapped.destroyed == 1 && wrapped.invalidated == 0);
    OK(interlock_rows_deliver(model));
    CHECK(mirror.count == 30 && mirror.edits == 30);
    CHECK(shows_latest(model, &mirror) && account_of(model).complaints == 0);
    CHECK(account_of(model).composed == 1);
    finish(model, &mirror);
    CHECK(wrapped.destroyed == 1);
}

// If the core refuses to report its rows, those that were announced stay, and the core may edit them.
static void check_unread_rows(void) {
    interlock_rows_options options = default_options();
    options.backlog_bytes = 1000;
    wrapped wrapped = {.refuses_to_read = true};
    interlock_rows_model model = create_over(&options, &wrapped);
    mirror mirror = {0};
    observe(model, &mirror);
    for (int number = 0; number < 30; number++) OK(interlock_rows_insert(model, start, "row", 3));
    OK(interlock_rows_deliver(model));
    CHECK(mirror.count > 0 && mirror.count < 30);
    size_t count = mirror.count;
    // Row 0 of the core is not the one that the model shows, but there is such a row.
    OK(interlock_rows_append(model, (interlock_rows_position){INTERLOCK_ROWS_AT_INDEX, count - 1}, "!", 1));
    // The mirror would find that the modified row is another one. So it is not asked.
    OK(interlock_rows_end_observation(mirror.registration));
    OK(interlock_rows_deliver(model));
    interlock_rows_snapshot shown;
    size_t shown_count = 0;
    OK(interlock_rows_shown(model, &shown));
    OK(interlock_rows_snapshot_count(shown, &shown_count));
    OK(interlock_rows_snapshot_release(shown));
    CHECK(shown_count == count);
    finish(model, &mirror);
    CHECK(wrapped.destroyed == 1);
}

// The memory that the process has allocated, in bytes; 0 where the system or a sanitizer does not say.
static size_t allocated(void) {
#if defined(__GLIBC__)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

// A program that only delivers, and never serves the main thread, needs no more memory with time.
static void check_deliveries(void) {
    for (uint32_t strategy = 0; strategy < 5; strategy++) {
        interlock_rows_options options = default_options();
        options.strategy = strategy % 4;
        options.audits = 0;
        interlock_rows_model model;
        if (strategy == 4) {
            interlock_rows_core core;
            OK(owning_core_open((interlock_rows_text){NULL, 0}, &core));
            OK(interlock_rows_create_over(&options, &core, &model));
        } else {
            OK(interlock_rows_create(&options, &model));
        }
        OK(interlock_rows_insert(model, start, "row", 3));
        size_t before = 0;
        for (int round = 0; round < 30000; round++) {
            if (round == 3000) before = allocated();
            OK(interlock_rows_insert(model, start, "row", 3));
            OK(interlock_rows_deliver(model));
            OK(interlock_rows_remove(model, start));
            OK(interlock_rows_deliver(model));
            OK(interlock_rows_stop_serving());
        }
        // The rows that a delivery has replaced are freed some 20 milliseconds later. If they are not, `alarm`
        // ends the process.
        while (allocated() >= before + (1 << 20)) sched_yield();
        OK(interlock_rows_destroy(model));
        OK(interlock_rows_serve(0));
    }
}

// A model that was destroyed keeps no rows, although nothing serves the main thread.
static void check_memory_of_destroyed(void) {
    enum { rows = 20000, models = 20 };
    static char bytes[1000];
    memset(bytes, 'x', sizeof bytes);
    static interlock_rows_text texts[rows];
    for (int index = 0; index < rows; index++) texts[index] = (interlock_rows_text){bytes, sizeof bytes};
    size_t before = 0;
    for (int round = 0; round < models; round++) {
        interlock_rows_options options = default_options();
        options.strategy = (uint32_t)round % 4;
        options.initial_rows = texts;
        options.initial_count = rows;
        interlock_rows_model model = make_model(options);
        OK(interlock_rows_append(model, start, "!", 1));
        OK(interlock_rows_destroy(model));
        if (round == 3) before = allocated();
    }
    // The rows of one model take 20 MB.
    CHECK(allocated() < before + (10 << 20));
}

// MARK: Ends of models

typedef struct {
    interlock_rows_model model;
    _Atomic uint64_t sent;
    interlock_rows_status last;
    bool sends_lists;
} sender;

static void *send_until_refused(void *argument) {
    sender *sender = argument;
    interlock_rows_edit edits[3];
    for (int number = 0; number < 3; number++) {
        edits[number] = (interlock_rows_edit){INTERLOCK_ROWS_INSERTED, start, {"row", 3}};
    }
    do {
        sender->last = sender->sends_lists ? interlock_rows_edit_all(sender->model, edits, 3, NULL)
            : interlock_rows_insert(sender->model, start, "row", 3);
        sender->sent += 1;
    } while (sender->last == INTERLOCK_ROWS_OK);
    return NULL;
}

// A thread that waits for room is woken when its model is destroyed, and can be joined then.
static void check_senders(void) {
    static _Atomic bool never;
    for (int round = 0; round < 20; round++) {
        interlock_rows_options options = default_options();
        options.strategy = INTERLOCK_ROWS_MAIN_ACTOR;
        options.command_limit = 4;
        interlock_rows_model model = make_model(options);
        sender senders[2] = {{.model = model}, {.model = model, .sends_lists = true}};
        pthread_t threads[2];
        for (int number = 0; number < 2; number++) {
            CHECK(pthread_create(&threads[number], NULL, send_until_refused, &senders[number]) == 0);
        }
        while (account_of(model).queued < 4) sched_yield();
        if (round % 2 == 0) sleep_for_a_while(&never);
        OK(interlock_rows_destroy(model));
        for (int number = 0; number < 2; number++) {
            pthread_join(threads[number], NULL);
            CHECK(senders[number].last == INTERLOCK_ROWS_INVALID_HANDLE);
        }
    }
    CHECK(interlock_rows_live_handles() == 0);
}

typedef struct {
    interlock_rows_model model;
    interlock_rows_registration registration;
    _Atomic bool is_inside, is_over, main_has_returned;
} slow;

static void destroy_slowly(void *user) {
    slow *slow = user;
    slow->is_inside = true;
    sleep_for_a_while(&slow->main_has_returned);
    slow->is_over = true;
}

static void *end_observation(void *argument) {
    OK(interlock_rows_end_observation(((slow *)argument)->registration));
    return NULL;
}

// `destroy` waits for a `destroy_user` that another thread calls.
static void check_end_of_observer(void) {
    slow slow = {0};
    interlock_rows_options options = default_options();
    OK(interlock_rows_create(&options, &slow.model));
    interlock_rows_observer observer = {
        .size = sizeof observer, .user = &slow, .destroy_user = destroy_slowly};
    OK(interlock_rows_observe(slow.model, &observer, &slow.registration));
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, end_observation, &slow) == 0);
    yield_until(&slow.is_inside);
    OK(interlock_rows_destroy(slow.model));
    CHECK(slow.is_over);
    slow.main_has_returned = true;
    pthread_join(thread, NULL);
}

// Destroys the model in the `destroy_user` of its own observer.
static void destroy_model(void *user) {
    slow *slow = user;
    EXPECT(INTERLOCK_ROWS_INVALID_HANDLE, interlock_rows_end_observation(slow->registration));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_serve(0));
    OK(interlock_rows_destroy(slow->model));
    slow->is_over = true;
}

static void check_end_inside_end(void) {
    slow slow = {0};
    interlock_rows_options options = default_options();
    OK(interlock_rows_create(&options, &slow.model));
    interlock_rows_observer observer = {
        .size = sizeof observer, .user = &slow, .destroy_user = destroy_model};
    OK(interlock_rows_observe(slow.model, &observer, &slow.registration));
    OK(interlock_rows_end_observation(slow.registration));
    CHECK(slow.is_over && interlock_rows_live_handles() == 0);
}

// The number of threads of the process; 0 where the system does not say.
static int thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void destroy_with_workers(mirror *mirror, const interlock_rows_change *change) {
    (void)change;
    mirror->then = NULL;
    int before = *(int *)mirror->context;
    OK(interlock_rows_destroy(mirror->model));
    // A joined thread may be listed for a moment.
    for (int round = 0; round < 20000 && thread_count() > before + 4; round++) sched_yield();
    CHECK(thread_count() <= before + 4);
}

// When `destroy` returns, the workers have ended, although the main thread is inside `deliver`.
static void check_workers(void) {
    for (uint32_t strategy = 0; strategy < 4; strategy++) {
        interlock_rows_options options = default_options();
        options.strategy = strategy;
        options.speed = 1000;
        interlock_rows_model model = make_model(options);
        int before = thread_count();
        mirror mirror = {.then = destroy_with_workers, .context = &before};
        observe(model, &mirror);
        OK(interlock_rows_restart(model, 16));
        while (mirror.callbacks == 0) OK(interlock_rows_deliver(model));
        CHECK(mirror.destroyed == 1);
        mirror_clear(&mirror);
        CHECK(interlock_rows_live_handles() == 0);
    }
}

// MARK: Ends of cores

static void *end_core(void *argument) {
    wrapped *wrapped = argument;
    interlock_rows_status status = wrapped->sink.end(wrapped->sink.handle);
    CHECK(status == INTERLOCK_ROWS_OK || status == INTERLOCK_ROWS_INVALID_HANDLE);
    wrapped->ended = true;
    return NULL;
}

static void end_on_thread(wrapped *wrapped) {
    CHECK(pthread_create(&wrapped->thread, NULL, end_core, wrapped) == 0);
}

// A core that ends itself while its model is created gets one `destroy_user`, as every core of a model.
static void check_end_during_creation(void) {
    enum { rows = 2000 };
    static interlock_rows_text texts[rows];
    for (int index = 0; index < rows; index++) texts[index] = (interlock_rows_text){"row", 3};
    for (int round = 0; round < 100; round++) {
        interlock_rows_options options = default_options();
        options.initial_rows = texts;
        options.initial_count = round % 2 == 0 ? rows : 0;
        wrapped wrapped = {.when_activated = end_on_thread};
        interlock_rows_model model = create_over(&options, &wrapped);
        pthread_join(wrapped.thread, NULL);
        OK(interlock_rows_destroy(model));
        CHECK(wrapped.destroyed == 1 && wrapped.activated == 1 && wrapped.invalidated == 0);
        CHECK(interlock_rows_live_handles() == 0);
    }
}

static void be_destroyed_slowly(wrapped *wrapped) {
    // Nothing but `post` may be called here.
    interlock_rows_options options;
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_options_init(&options));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_stop_serving());
    wrapped->is_inside = true;
    sleep_for_a_while(&wrapped->is_over);
    CHECK(!wrapped->is_over);
}

// `destroy` waits for the `destroy_user` of a core that ends itself on another thread.
static void check_end_of_core(void) {
    interlock_rows_options options = default_options();
    wrapped wrapped = {.when_destroyed = be_destroyed_slowly};
    interlock_rows_model model = create_over(&options, &wrapped);
    end_on_thread(&wrapped);
    yield_until(&wrapped.is_inside);
    OK(interlock_rows_destroy(model));
    CHECK(wrapped.destroyed == 1);
    wrapped.is_over = true;
    pthread_join(wrapped.thread, NULL);
    CHECK(wrapped.invalidated == 0 && interlock_rows_live_handles() == 0);
}

static void *end_and_report(void *argument) {
    wrapped *wrapped = argument;
    wrapped->is_inside = true;
    wrapped->status = wrapped->sink.end(wrapped->sink.handle);
    CHECK(wrapped->status != INTERLOCK_ROWS_OK || wrapped->destroyed == 1);
    return NULL;
}

// Both sides end a core at the same time. The second one ends nothing, and gets a status.
static void check_two_ends(void) {
    for (int round = 0; round < 300; round++) {
        interlock_rows_options options = default_options();
        wrapped wrapped = {.joins = round % 4 < 2};
        interlock_rows_model model = create_over(&options, &wrapped);
        CHECK(pthread_create(&wrapped.thread, NULL, end_and_report, &wrapped) == 0);
        if (round % 2 == 0) yield_until(&wrapped.is_inside);
        OK(interlock_rows_destroy(model));
        CHECK(wrapped.destroyed == 1);
        if (!wrapped.joins || wrapped.invalidated == 0) pthread_join(wrapped.thread, NULL);
        CHECK(wrapped.destroyed == 1);
        CHECK(wrapped.status == (wrapped.invalidated ? INTERLOCK_ROWS_INVALID_HANDLE : INTERLOCK_ROWS_OK));
    }
    CHECK(interlock_rows_live_handles() == 0);
}

// MARK: Calls inside callbacks

static int32_t serve_inside(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    (void)index, (void)id, (void)text, (void)length;
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_serve(0));
    *(int *)user += 1;
    return 1;
}

static void check_visitors(void) {
    interlock_rows_model model = make_model(default_options());
    OK(interlock_rows_insert(model, start, "row", 3));
    interlock_rows_snapshot latest;
    OK(interlock_rows_latest(model, &latest));
    int visits = 0;
    OK(interlock_rows_snapshot_visit(latest, 0, SIZE_MAX, serve_inside, &visits));
    CHECK(visits == 1);
    OK(interlock_rows_snapshot_release(latest));
    OK(interlock_rows_destroy(model));
    EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(0));
}

// From libdispatch, whose main queue the main thread serves.
extern struct dispatch_queue_s _dispatch_main_q;
extern void dispatch_async_f(struct dispatch_queue_s *queue, void *context, void (*work)(void *));

static void serve_again(void *done) {
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_serve(0));
    *(bool *)done = true;
}

// Work that is run by `serve` can't serve the main thread a second time.
static void check_nested_serving(void) {
    bool done = false;
    dispatch_async_f(&_dispatch_main_q, &done, serve_again);
    EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve(0));
    CHECK(done);
}

static void call_inside(wrapped *wrapped) {
    interlock_rows_options options;
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, interlock_rows_options_init(&options));
    EXPECT(INTERLOCK_ROWS_IN_CALLBACK, wrapped->sink.end(wrapped->sink.handle));
}

static void check_calls_inside_core(void) {
    interlock_rows_options options = default_options();
    wrapped wrapped = {.when_activated = call_inside, .when_destroyed = call_inside};
    OK(interlock_rows_destroy(create_over(&options, &wrapped)));
    CHECK(wrapped.destroyed == 1 && wrapped.invalidated == 1);
}

const named_check life_checks[] = {
    {"identities", check_identities},
    {"greatest-identity", check_greatest_identity},
    {"reports", check_reports},
    {"skipped-edits", check_skipped_edits},
    {"last-rows", check_last_rows},
    {"unread-rows", check_unread_rows},
    {"deliveries", check_deliveries},
    {"memory-of-destroyed", check_memory_of_destroyed},
    {"senders", check_senders},
    {"end-of-observer", check_end_of_observer},
    {"end-inside-end", check_end_inside_end},
    {"workers", check_workers},
    {"end-during-creation", check_end_during_creation},
    {"end-of-core", check_end_of_core},
    {"two-ends", check_two_ends},
    {"visitors", check_visitors},
    {"nested-serving", check_nested_serving},
    {"calls-inside-core", check_calls_inside_core},
    {NULL, NULL},
};
