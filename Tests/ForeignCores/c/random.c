#include "check.h"
#include "crew.h"
#include "interlock_rows_core.h"
#include "owning_core.h"
#include "programs.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// Handles that earlier calls returned, of models, registrations and snapshots. Most handles in `handles` are
// valid, and those in `stale` are not. All threads share these handles.
typedef enum { MODEL, REGISTRATION, SNAPSHOT, kinds } kind;
enum { known = 8 };
static _Atomic uint64_t handles[kinds][known];
static _Atomic uint64_t stale[known];

typedef struct {
    uint64_t calls, seed;
    // The number of calls that returned each status.
    uint64_t statuses[16];
} caller;

static uint64_t pick(caller *caller, uint64_t limit) { return (crew_random(
    &caller->seed) >> 32) * limit >> 32; }

static uint64_t some_handle(caller *caller, kind kind) {
    uint64_t handle = handles[kind][pick(caller, known)];
    switch (pick(caller, 32)) {
    case 0: return crew_random(&caller->seed);
    case 1: return 0;
    // A flipped bit makes a handle of another generation, slot or kind.
    case 2: return handle ^ (UINT64_C(1) << pick(caller, 64));
    case 3: return stale[pick(caller, known)];
    case 4: return handles[pick(caller, kinds)][pick(caller, known)];
    default: return handle;
    }
}

// Ends the object of a handle: a registration, a model or a snapshot.
static void end(uint64_t handle) {
    interlock_rows_end_observation(handle);
    interlock_rows_destroy(handle);
    interlock_rows_snapshot_release(handle);
}

static void keep(caller *caller, kind kind, uint64_t handle) {
    uint64_t old = atomic_exchange(&handles[kind][pick(caller, known)], handle);
    stale[pick(caller, known)] = old;
    end(old);
}

static uint64_t some_number(caller *caller) {
    switch (pick(caller, 8)) {
    case 0: return crew_random(&caller->seed);
    case 1: return UINT64_MAX;
    case 2: return (uint64_t)INT64_MAX;
    default: return pick(caller, 100);
    }
}

static interlock_rows_position some_position(caller *caller) {
    interlock_rows_position position = {(uint32_t)pick(caller, 12) / 5, some_number(caller)};
    if (pick(caller, 2) == 0) position.value = crew_random(&caller->seed);
    return position;
}

// A text of random bytes, most of which are ASCII. Its pointer may be null. Its length never exceeds the
// capacity of the buffer.
static interlock_rows_text some_text(caller *caller, char *buffer, size_t capacity) {
    size_t length = pick(caller, capacity + 1);
    for (size_t index = 0; index < length; index++) {
        buffer[index] = (char)(pick(caller, 200) == 0 ? pick(caller, 256) : pick(caller, 128));
    }
    return (interlock_rows_text){pick(caller, 20) == 0 ? NULL : buffer, length};
}

static int32_t look(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    caller *caller = user;
    (void)index, (void)id;
    // Reads every byte, so that a sanitizer finds invalid memory.
    uint8_t sum = 0;
    for (size_t position = 0; position < length; position++) sum ^= (uint8_t)text[position];
    return sum != 0 || pick(caller, 10) > 0;
}

static interlock_rows_status call(caller *caller);

// The caller of the main thread, which is the thread that callbacks run on.
static caller *main_caller;

// The callback of all observers. Sometimes it makes a random call of the interface itself.
static void note(void *user, const interlock_rows_change *change) {
    _Atomic uint64_t *noted = user;
    *noted += change->row_count + change->text.length;
    static int depth;
    if (depth == 0 && pick(main_caller, 8) == 0) {
        depth += 1;
        interlock_rows_status status = call(main_caller);
        CHECK(status >= INTERLOCK_ROWS_OK && status <= INTERLOCK_ROWS_REFUSED);
        main_caller->statuses[status] += 1;
        depth -= 1;
    }
}

static void forget(void *user) { free(user); }

static interlock_rows_status create(caller *caller) {
    interlock_rows_options options;
    interlock_rows_options_init(&options);
    char buffer[16];
    interlock_rows_text row = some_text(caller, buffer, sizeof buffer);
    options.strategy = (uint32_t)pick(caller, 5);
    options.audits = (uint32_t)pick(caller, 2);
    options.speed = (double)pick(caller, 8) * 100;
    if (pick(caller, 10) == 0) options.speed = NAN;
    if (pick(caller, 4) == 0) options.backlog_bytes = some_number(caller);
    if (pick(caller, 4) == 0) options.command_limit = some_number(caller);
    if (pick(caller, 2) == 0) options.initial_rows = &row;
    options.initial_count = pick(caller, 2);
    if (pick(caller, 20) == 0) options.size = some_number(caller);
    interlock_rows_core core;
    uint64_t model = 0;
    interlock_rows_status status;
    if (pick(caller, 2) == 0) {
        status = interlock_rows_create(pick(caller, 20) == 0 ? NULL : &options, pick(caller, 20) == 0
            ? NULL : &model);
    } else {
        const char *faults[] = {"", "unordered", "wrong-row", "late"};
        const char *fault = faults[pick(caller, 4)];
        OK(owning_core_open((interlock_rows_text){fault, strlen(fault)}, &core));
        interlock_rows_core given = core;
        if (pick(caller, 10) == 0) given.edit = NULL;
        status = interlock_rows_create_over(&options, &given, &model);
        // A refused core still belongs to the caller.
        if (status != INTERLOCK_ROWS_OK) core.destroy_user(core.user);
    }
    if (status == INTERLOCK_ROWS_OK) keep(caller, MODEL, model);
    return status;
}

static interlock_rows_status observe(caller *caller) {
    _Atomic uint64_t *noted = calloc(1, sizeof *noted);
    interlock_rows_observer observer = {
        .size = sizeof observer, .user = noted, .destroy_user = forget, .inserted = note, .removed = note};
    if (pick(caller, 10) == 0) observer.size = some_number(caller);
    uint64_t registration = 0;
    interlock_rows_status status = interlock_rows_observe(some_handle(caller, MODEL), &observer,
        &registration);
    if (status == INTERLOCK_ROWS_OK) keep(caller, REGISTRATION, registration);
    else free(noted);
    return status;
}

static interlock_rows_status call(caller *caller) {
    char buffer[40];
    interlock_rows_text text = some_text(caller, buffer, sizeof buffer);
    interlock_rows_status status;
    uint64_t made = 0;
    size_t length = 0;
    switch (pick(caller, 100)) {
    case 0: return create(caller);
    case 1: return observe(caller);
    case 2: return pick(caller, 60) == 0 ? interlock_rows_destroy(some_handle(caller, MODEL))
        : INTERLOCK_ROWS_OK;
    case 3: return pick(caller, 10) == 0 ? interlock_rows_end_observation(some_handle(caller,
        REGISTRATION)) : INTERLOCK_ROWS_OK;
    case 4:
        return pick(caller, 20) == 0
                   ? interlock_rows_restart(some_handle(caller, MODEL), pick(caller, 3) == 0
                       ? some_number(caller) % 4 : SIZE_MAX)
                   : interlock_rows_stop(some_handle(caller, MODEL));
    case 5: return interlock_rows_serve(0);
    case 6: {
        interlock_rows_account account = {.size = pick(caller, 4) == 0
            ? some_number(caller) : sizeof account};
        return pick(caller, 10) == 0 ? interlock_rows_audit(some_handle(caller, MODEL), &account)
            : INTERLOCK_ROWS_OK;
    }
    case 7: return interlock_rows_deliver(some_handle(caller, MODEL));
    case 8: case 9:
        status = interlock_rows_shown(some_handle(caller, MODEL), pick(caller, 10) == 0 ? NULL : &made);
        if (status == INTERLOCK_ROWS_OK) keep(caller, SNAPSHOT, made);
        return status;
    case 10:
        status = interlock_rows_latest(some_handle(caller, MODEL), &made);
        if (status == INTERLOCK_ROWS_OK) keep(caller, SNAPSHOT, made);
        return status;
    case 11:
        return pick(caller, 3) == 0 ? interlock_rows_snapshot_release(some_handle(caller, SNAPSHOT))
            : INTERLOCK_ROWS_OK;
    case 12: case 13: case 14: case 15: return interlock_rows_snapshot_count(some_handle(caller,
        SNAPSHOT), pick(caller, 10) == 0 ? NULL : &length);
    case 16: return pick(caller, 10) == 0 ? interlock_rows_snapshot_fingerprint(some_handle(caller,
        SNAPSHOT), &made) : INTERLOCK_ROWS_OK;
    case 17: case 18: case 19: {
        size_t capacity = pick(caller, sizeof buffer + 1);
        return interlock_rows_snapshot_row(
            some_handle(caller, SNAPSHOT), some_number(caller), pick(caller, 10) == 0
                ? NULL : buffer, capacity,
            pick(caller, 10) == 0 ? NULL : &length, pick(caller, 2) == 0 ? NULL : &made);
    }
    case 20: case 21:
        return interlock_rows_snapshot_visit(
            some_handle(caller, SNAPSHOT), some_number(caller), some_number(caller), pick(caller,
                10) == 0 ? NULL : look, caller);
    case 22: case 23: case 24: {
        interlock_rows_edit edits[4];
        size_t count = pick(caller, 5);
        for (size_t index = 0; index < count; index++) {
            edits[index] = (interlock_rows_edit){(uint32_t)pick(caller, 7) / 2, some_position(caller), text};
        }
        return interlock_rows_edit_all(some_handle(caller, MODEL), pick(caller, 10) == 0
            ? NULL : edits, count, &length);
    }
    default: break;
    }
    // The rest are edits. Half of them insert, so that there are rows to remove and to change.
    switch (pick(caller, 4)) {
    case 0: case 1: return interlock_rows_insert(some_handle(caller, MODEL), some_position(caller), text.bytes,
        text.length);
    case 2: return interlock_rows_remove(some_handle(caller, MODEL), some_position(caller));
    default: return interlock_rows_append(some_handle(caller, MODEL), some_position(caller),
        text.bytes, text.length);
    }
}

// Replaces each model that is destroyed, its registration and its snapshot. Only the main thread may create a
// model.
static void replace_destroyed(void) {
    for (int index = 0; index < known; index++) {
        interlock_rows_snapshot snapshot = 0;
        if (interlock_rows_latest(handles[MODEL][index], &snapshot) == INTERLOCK_ROWS_OK) {
            end(atomic_exchange(&handles[SNAPSHOT][index], snapshot));
            continue;
        }
        interlock_rows_options options;
        OK(interlock_rows_options_init(&options));
        options.strategy = (uint32_t)index % 4;
        options.audits = 1;
        interlock_rows_model model = 0;
        OK(interlock_rows_create(&options, &model));
        stale[index] = atomic_exchange(&handles[MODEL][index], model);
        _Atomic uint64_t *noted = calloc(1, sizeof *noted);
        interlock_rows_observer observer = {
            .size = sizeof observer, .user = noted, .destroy_user = forget, .inserted = note};
        interlock_rows_registration registration = 0;
        // Another thread may have destroyed the model by a handle that it made up.
        if (interlock_rows_observe(model, &observer, &registration) == INTERLOCK_ROWS_OK) {
            end(atomic_exchange(&handles[REGISTRATION][index], registration));
        } else {
            free(noted);
        }
    }
}

static void *make_calls(void *argument) {
    caller *caller = argument;
    for (uint64_t number = 0; number < caller->calls; number++) {
        if (caller == main_caller && number % 100 == 0) replace_destroyed();
        interlock_rows_status status = call(caller);
        CHECK(status >= INTERLOCK_ROWS_OK && status <= INTERLOCK_ROWS_REFUSED);
        caller->statuses[status] += 1;
    }
    return NULL;
}

void run_random(uint64_t calls, uint64_t seed) {
    enum { threads = 3 };
    caller callers[threads + 1];
    pthread_t thread[threads];
    memset(callers, 0, sizeof callers);
    for (int number = 0; number <= threads; number++) {
        callers[number].calls = calls / (threads + 1);
        callers[number].seed = seed * 1000 + (uint64_t)number;
    }
    main_caller = &callers[threads];
    for (int number = 0; number < threads; number++) {
        CHECK(pthread_create(&thread[number], NULL, make_calls, &callers[number]) == 0);
    }
    make_calls(&callers[threads]);
    for (int number = 0; number < threads; number++) pthread_join(thread[number], NULL);
    for (int kind = 0; kind < kinds; kind++) {
        for (int index = 0; index < known; index++) end(handles[kind][index]);
    }
    CHECK(interlock_rows_live_handles() == 0);
    for (int status = INTERLOCK_ROWS_OK; status <= INTERLOCK_ROWS_REFUSED; status++) {
        uint64_t count = 0;
        for (int number = 0; number <= threads; number++) count += callers[number].statuses[status];
        printf("%10llu  %s\n", (unsigned long long)count, interlock_rows_status_text(status));
    }
    printf("%llu edits of cores were refused\n", (unsigned long long)interlock_rows_refused_edits());
    printf("%llu calls with the seed %llu: statuses only\n", (unsigned long long)calls,
        (unsigned long long)seed);
}
