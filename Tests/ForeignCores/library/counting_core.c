// A core in plain C, as a shared library: an array of rows behind a mutex, which its threads edit. Written
// from interlock_rows_core.h alone. `livetable --core c:FILE` loads it.

#define _POSIX_C_SOURCE 200809L  // for the clock

#include "interlock_rows_core.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_rows = 10000, most_bytes = 80 };

typedef struct {
    uint64_t id;
    size_t length;
    char bytes[most_bytes];
} row;

// The lock guards all members below it. Each edit is posted before the lock is released.
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t stopping;
    interlock_rows_sink sink;
    row *rows;
    size_t count;
    uint64_t generation, sequence, next_id, random;
    pthread_t *workers;
    size_t worker_count, running;
    double nap;
    bool shall_stop;
} core;

static uint64_t next_random(core *core) {
    core->random = core->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return core->random ^ core->random >> 32;
}

static void append_text(row *row, interlock_rows_text text) {
    size_t room = most_bytes - row->length;
    size_t length = text.length < room ? text.length : room;
    // A text that is cut must end with a whole character.
    while (length > 0 && length < text.length && (text.bytes[length] & 0xC0) == 0x80) length -= 1;
    if (length > 0) memcpy(row->bytes + row->length, text.bytes, length);
    row->length += length;
}

static row make_row(core *core, interlock_rows_text text) {
    row row = {.id = core->next_id++};
    append_text(&row, text);
    return row;
}

// Makes an edit and posts it; the caller holds the lock.
static interlock_rows_status make_edit(core *core, const interlock_rows_edit *edit) {
    bool inserts = edit->change == INTERLOCK_ROWS_INSERTED;
    size_t limit = core->count + (inserts ? 1 : 0);
    if (limit == 0 || (inserts && core->count == most_rows)) return INTERLOCK_ROWS_NO_SUCH_ROW;
    uint64_t index = edit->position.value;
    if (edit->position.kind == INTERLOCK_ROWS_AT_SHARE) {
        // The upper half of the fraction suffices for as few rows as there may be.
        index = (index >> 32) * limit >> 32;
    }
    if (index >= limit) return INTERLOCK_ROWS_NO_SUCH_ROW;
    row *place = &core->rows[index];
    row changed;
    if (inserts) {
        changed = make_row(core, edit->text);
        memmove(place + 1, place, (core->count - index) * sizeof *place);
        *place = changed;
        core->count += 1;
    } else if (edit->change == INTERLOCK_ROWS_REMOVED) {
        changed = *place;
        core->count -= 1;
        memmove(place, place + 1, (core->count - index) * sizeof *place);
    } else {
        append_text(place, edit->text);
        changed = *place;
    }
    interlock_rows_posted posted = {
        .generation = core->generation,
        .sequence = ++core->sequence,
        .change = edit->change,
        .index = index,
        .id = changed.id,
        .text = {changed.bytes, changed.length},
    };
    return core->sink.post(core->sink.handle, &posted);
}

// MARK: Workers

static void *work(void *argument) {
    core *core = argument;
    pthread_mutex_lock(&core->lock);
    while (!core->shall_stop) {
        uint64_t choice = next_random(core) % 10;
        interlock_rows_edit edit = {
            .change = choice < 3 ? INTERLOCK_ROWS_INSERTED : choice < 5 ? INTERLOCK_ROWS_REMOVED
                                                                        : INTERLOCK_ROWS_MODIFIED,
            .position = {INTERLOCK_ROWS_AT_SHARE, next_random(core)},
            .text = {"plain C ", 8},
        };
        make_edit(core, &edit);
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        uint64_t nanoseconds = (uint64_t)deadline.tv_nsec + (uint64_t)(core->nap * 1e9);
        deadline.tv_sec += (time_t)(nanoseconds / 1000000000);
        deadline.tv_nsec = (long)(nanoseconds % 1000000000);
        while (!core->shall_stop
               && pthread_cond_timedwait(&core->stopping, &core->lock, &deadline) == 0) continue;
    }
    core->running -= 1;
    pthread_mutex_unlock(&core->lock);
    return NULL;
}

static void stop(void *user) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    pthread_t *workers = core->workers;
    size_t count = core->worker_count;
    core->workers = NULL;
    core->worker_count = 0;
    core->shall_stop = true;
    pthread_cond_broadcast(&core->stopping);
    pthread_mutex_unlock(&core->lock);
    // The workers acquire the lock before they end.
    for (size_t number = 0; number < count; number++) pthread_join(workers[number], NULL);
    free(workers);
}

static interlock_rows_status start(void *user, const interlock_rows_crew *crew) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    core->shall_stop = false;
    core->random ^= crew->seed;
    core->nap = 2 / crew->speed;
    core->workers = calloc(crew->count + 1, sizeof *core->workers);
    while (core->workers != NULL && core->worker_count < crew->count) {
        if (pthread_create(&core->workers[core->worker_count], NULL, work, core) != 0) break;
        core->worker_count += 1;
        core->running += 1;
    }
    bool has_all = core->worker_count == crew->count;
    pthread_mutex_unlock(&core->lock);
    if (has_all) return INTERLOCK_ROWS_OK;
    stop(core);
    return INTERLOCK_ROWS_REFUSED;
}

static size_t running(void *user) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    size_t running = core->running;
    pthread_mutex_unlock(&core->lock);
    return running;
}

// MARK: The other functions of the table

static interlock_rows_status activate(void *user, const interlock_rows_sink *sink) {
    ((core *)user)->sink = *sink;
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status begin(void *user, const interlock_rows_beginning *beginning) {
    core *core = user;
    if (beginning->count > most_rows) return INTERLOCK_ROWS_REFUSED;
    // A text that would be cut is refused, because Swift shows the whole one.
    for (size_t index = 0; index < beginning->count; index++) {
        if (beginning->rows[index].length > most_bytes) return INTERLOCK_ROWS_REFUSED;
    }
    pthread_mutex_lock(&core->lock);
    core->generation = beginning->generation;
    core->sequence = 0;
    core->next_id = beginning->first_id;
    core->count = beginning->count;
    for (size_t index = 0; index < beginning->count; index++) {
        core->rows[index] = make_row(core, beginning->rows[index]);
    }
    pthread_mutex_unlock(&core->lock);
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status edit(void *user, const interlock_rows_edit *edit) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    interlock_rows_status status = make_edit(core, edit);
    pthread_mutex_unlock(&core->lock);
    return status;
}

static interlock_rows_status read_rows(void *user, const interlock_rows_reader *reader) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    for (size_t index = 0; index < core->count; index++) {
        row *row = &core->rows[index];
        reader->row(reader->reader, row->id, row->bytes, row->length);
    }
    reader->end(reader->reader, core->generation, core->sequence);
    pthread_mutex_unlock(&core->lock);
    return INTERLOCK_ROWS_OK;
}

static void invalidate(void *user) { stop(user); }

static void destroy(void *user) {
    core *core = user;
    pthread_cond_destroy(&core->stopping);
    pthread_mutex_destroy(&core->lock);
    free(core->rows);
    free(core);
}

interlock_rows_status interlock_rows_open_core(interlock_rows_text argument, interlock_rows_core *table) {
    if (argument.length > 0) return INTERLOCK_ROWS_INVALID_ARGUMENT;
    core *core = calloc(1, sizeof *core);
    if (core == NULL) return INTERLOCK_ROWS_REFUSED;
    core->rows = calloc(most_rows, sizeof *core->rows);
    if (core->rows == NULL) {
        free(core);
        return INTERLOCK_ROWS_REFUSED;
    }
    pthread_mutex_init(&core->lock, NULL);
    pthread_cond_init(&core->stopping, NULL);
    *table = (interlock_rows_core){
        .size = sizeof *table,
        .user = core,
        .destroy_user = destroy,
        .activate = activate,
        .begin = begin,
        .start = start,
        .stop = stop,
        .edit = edit,
        .read = read_rows,
        .running = running,
        .invalidate = invalidate,
    };
    return INTERLOCK_ROWS_OK;
}
