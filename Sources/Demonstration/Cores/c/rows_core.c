// The core in C. Its objects are counted: a handle, a snapshot's list and a caller at work each hold a
// reference. Lists and rows never change, so snapshots share them.

#include "rows_core.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// MARK: Counted objects

// The first member of each object. `end` releases what the object refers to, if that is anything.
typedef struct {
    atomic_size_t references;
    void (*end)(void *object);
} counted;

// Returns zeroed memory with one reference.
static void *counted_create(size_t size, void (*end)(void *object)) {
    counted *object = calloc(1, size);
    if (object == NULL) abort();
    atomic_init(&object->references, 1);
    object->end = end;
    return object;
}

static void *retain(void *object) {
    atomic_fetch_add_explicit(&((counted *)object)->references, 1, memory_order_relaxed);
    return object;
}

static void release(void *object) {
    counted *self = object;
    // Acquire and release: the thread that frees the object sees all that others did with it.
    if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) > 1) return;
    if (self->end != NULL) self->end(object);
    free(object);
}

// MARK: Handles

typedef struct {
    uint64_t handle;
    enum kind { MODEL, SNAPSHOT } kind;
    void *object;
} entry;

// `table` guards the variables below. No other lock is acquired under it. Handles count up, so `entries` is
// sorted, and no handle is used again.
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static entry *entries;
static atomic_size_t entry_count;
static uint64_t last_handle;

static uint64_t handle_create(enum kind kind, void *object) {
    pthread_mutex_lock(&table);
    entries = realloc(entries, (entry_count + 1) * sizeof *entries);
    if (entries == NULL) abort();
    uint64_t handle = ++last_handle;
    entries[entry_count++] = (entry){handle, kind, object};
    pthread_mutex_unlock(&table);
    return handle;
}

static int compare(const void *left, const void *right) {
    uint64_t one = ((const entry *)left)->handle, other = ((const entry *)right)->handle;
    return one < other ? -1 : one > other;
}

// Returns a reference to the object, or NULL if the handle is not valid. If `ends`, the reference is that of
// the handle, which ends: exactly one such call for it returns the object.
static void *handle_object(uint64_t handle, enum kind kind, bool ends) {
    void *object = NULL;
    entry key = {handle, kind, NULL};
    pthread_mutex_lock(&table);
    entry *found = entry_count == 0 ? NULL : bsearch(&key, entries, entry_count, sizeof key, compare);
    if (found != NULL && found->kind == kind) {
        object = ends ? found->object : retain(found->object);
        if (ends) memmove(found, found + 1, (size_t)(entries + entry_count-- - found - 1) * sizeof key);
    }
    pthread_mutex_unlock(&table);
    return object;
}

size_t rows_live_handles(void) { return entry_count; }

// MARK: Rows

typedef struct {
    counted counted;
    uint64_t number;
    size_t length;
    uint8_t bytes[];
} row;

typedef struct {
    counted counted;
    size_t count;
    row *rows[];
} row_list;

// Creates a row whose text is `bytes` followed by `suffix`, which ends with a zero.
static row *row_create(const uint8_t *bytes, size_t length, const char *suffix, uint64_t number) {
    size_t suffix_length = strlen(suffix);
    row *self = counted_create(sizeof *self + length + suffix_length, NULL);
    self->number = number;
    self->length = length + suffix_length;
    if (length > 0) memcpy(self->bytes, bytes, length);
    memcpy(self->bytes + length, suffix, suffix_length);
    return self;
}

static void end_list(void *object) {
    row_list *list = object;
    for (size_t index = 0; index < list->count; index++) release(list->rows[index]);
}

// Returns a copy of `list` after a change. The copy takes over the reference to `row`, which is NULL for a
// removal. Takes as long as copying a pointer for each row.
static row_list *list_after(const row_list *list, uint32_t change, size_t index, row *row) {
    size_t inserted = change == ROWS_INSERTED, removed = change == ROWS_REMOVED;
    size_t count = list->count + inserted - removed;
    row_list *after = counted_create(sizeof *after + count * sizeof after->rows[0], end_list);
    after->count = count;
    for (size_t to = 0; to < count; to++) {
        size_t from = to < index ? to : to + removed - inserted;
        after->rows[to] = to == index && row != NULL ? row : retain(list->rows[from]);
    }
    return after;
}

static bool is_utf8(const uint8_t *bytes, size_t length) {
    size_t index = 0;
    while (index < length) {
        uint8_t first = bytes[index++];
        if (first < 0x80) continue;
        if (first < 0xC2 || first > 0xF4) return false;
        // The second byte excludes overlong forms, surrogates and what exceeds U+10FFFF.
        uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        for (int rest = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3; rest > 0; rest--) {
            if (index == length || bytes[index] < least || bytes[index] > most) return false;
            index += 1;
            least = 0x80;
            most = 0xBF;
        }
    }
    return true;
}

// MARK: Models

typedef struct {
    counted counted;
    rows_options options;
    rows_observer observer;
    // Guards the variables below. Held during callbacks.
    pthread_mutex_t lock;
    pthread_cond_t stage_changed;
    row_list *rows;
    // The number of threads that have begun, which is the number of the next one.
    size_t begun;
    // The threads wait until all of them exist, so a model that lacks one has edited nothing.
    enum stage { STARTS, EDITS, ENDED } stage;
    // Only the thread that creates the model uses these, and then the one that destroys it.
    size_t started;
    pthread_t threads[];
} model;

static _Thread_local bool is_in_callback;

// Makes an edit and calls the observer. The caller must hold the lock.
static void edit(model *model, uint32_t change, size_t index, row *row) {
    row_list *before = model->rows;
    model->rows = list_after(before, change, index, row);
    release(before);
    const rows_observer *observer = &model->observer;
    rows_callback callbacks[] = {observer->inserted, observer->removed, observer->modified};
    if (callbacks[change] == NULL) return;
    rows_snapshot snapshot = handle_create(SNAPSHOT, retain(model->rows));
    is_in_callback = true;
    callbacks[change](observer->user, index, snapshot, model->rows->count);
    is_in_callback = false;
}

// Returns a random number below `limit`, which is less than 2^32.
static uint64_t below(uint64_t limit, uint64_t *state) {
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((mixed ^ (mixed >> 31)) >> 32) * limit >> 32;
}

static void edit_at_random(model *model, size_t worker, bool inserts, uint64_t *state) {
    char text[32];
    uint64_t choice = below(100, state);
    size_t count = model->rows->count;
    if (inserts || choice < 20) {
        snprintf(text, sizeof text, "thread-%zu", worker);
        edit(model, ROWS_INSERTED, below(count + 1, state), row_create(NULL, 0, text, 0));
    } else if (count > 0) {
        size_t index = below(count, state);
        const row *old = model->rows->rows[index];
        snprintf(text, sizeof text, "-%zu", worker);
        if (choice < 30) edit(model, ROWS_REMOVED, index, NULL);
        else edit(model, ROWS_MODIFIED, index, row_create(old->bytes, old->length, text, old->number + 1));
    }
}

static struct timespec time_after(double seconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t nanoseconds = now.tv_nsec + (int64_t)(seconds * 1e9);
    return (struct timespec){now.tv_sec + nanoseconds / 1000000000, nanoseconds % 1000000000};
}

static void *work(void *argument) {
    model *model = argument;
    pthread_mutex_lock(&model->lock);
    size_t number = model->begun++;
    uint64_t state = model->options.seed ^ (number + 1) * UINT64_C(0xd1342543de82ef95);
    while (model->stage == STARTS) pthread_cond_wait(&model->stage_changed, &model->lock);
    for (bool inserts = true; model->stage == EDITS;) {
        if (rows_live_handles() < ROWS_MOST_HANDLES) {
            edit_at_random(model, number, inserts, &state);
            inserts = false;
        }
        struct timespec end = time_after((double)(1000 + below(3001, &state)) / 1000 / model->options.speed);
        // The wait ends with an error at the end of the time.
        while (model->stage == EDITS
               && pthread_cond_timedwait(&model->stage_changed, &model->lock, &end) == 0) {
        }
    }
    pthread_mutex_unlock(&model->lock);
    return NULL;
}

static void enter(model *model, enum stage stage) {
    pthread_mutex_lock(&model->lock);
    model->stage = stage;
    pthread_cond_broadcast(&model->stage_changed);
    pthread_mutex_unlock(&model->lock);
}

static bool start(model *model) {
    for (; model->started < model->options.threads; model->started++) {
        if (pthread_create(&model->threads[model->started], NULL, work, model) != 0) return false;
    }
    enter(model, EDITS);
    return true;
}

// Callers with a reference to the model may still come, and find that it has ended.
static void stop(model *model) {
    enter(model, ENDED);
    for (size_t index = 0; index < model->started; index++) pthread_join(model->threads[index], NULL);
}

static void end_model(void *object) {
    model *model = object;
    release(model->rows);
    pthread_cond_destroy(&model->stage_changed);
    pthread_mutex_destroy(&model->lock);
}

rows_status rows_create(const rows_options *options, const rows_observer *observer, rows_model *handle) {
    if (is_in_callback) return ROWS_IN_CALLBACK;
    if (options == NULL || observer == NULL || handle == NULL) return ROWS_NULL_ARGUMENT;
    // A speed that is no number is refused too.
    bool has_speed = options->speed >= 0.001 && options->speed <= 1e6;
    if (!has_speed || options->threads > ROWS_MOST_THREADS) return ROWS_INVALID_ARGUMENT;
    size_t size = sizeof(model) + options->threads * sizeof(pthread_t);
    model *model = counted_create(size, end_model);
    model->options = *options;
    model->observer = *observer;
    pthread_mutex_init(&model->lock, NULL);
    pthread_cond_init(&model->stage_changed, NULL);
    model->rows = counted_create(sizeof *model->rows, end_list);
    if (!start(model)) {
        stop(model);
        release(model);
        return ROWS_NO_THREADS;
    }
    *handle = handle_create(MODEL, model);
    return ROWS_OK;
}

rows_status rows_destroy(rows_model handle) {
    if (is_in_callback) return ROWS_IN_CALLBACK;
    model *model = handle_object(handle, MODEL, true);
    if (model == NULL) return ROWS_INVALID_HANDLE;
    stop(model);
    if (model->observer.destroy_user != NULL) model->observer.destroy_user(model->observer.user);
    release(model);
    return ROWS_OK;
}

rows_status rows_edit(rows_model handle, uint32_t change, size_t index, const rows_row *given) {
    if (is_in_callback) return ROWS_IN_CALLBACK;
    bool has_row = change != ROWS_REMOVED;
    if (has_row && (given == NULL || (given->bytes == NULL && given->length > 0))) return ROWS_NULL_ARGUMENT;
    if (change > ROWS_MODIFIED) return ROWS_INVALID_ARGUMENT;
    if (has_row && !is_utf8(given->bytes, given->length)) return ROWS_INVALID_UTF8;
    model *model = handle_object(handle, MODEL, false);
    if (model == NULL) return ROWS_INVALID_HANDLE;
    pthread_mutex_lock(&model->lock);
    rows_status status = ROWS_OK;
    if (model->stage == ENDED) status = ROWS_INVALID_HANDLE;
    else if (index >= model->rows->count + (change == ROWS_INSERTED)) status = ROWS_NO_SUCH_ROW;
    else edit(model, change, index, has_row ? row_create(given->bytes, given->length, "", given->number) : NULL);
    pthread_mutex_unlock(&model->lock);
    release(model);
    return status;
}

// MARK: Snapshots

rows_status rows_read(rows_snapshot snapshot, size_t index, rows_row *result) {
    if (result == NULL) return ROWS_NULL_ARGUMENT;
    row_list *list = handle_object(snapshot, SNAPSHOT, false);
    if (list == NULL) return ROWS_INVALID_HANDLE;
    const row *row = index < list->count ? list->rows[index] : NULL;
    if (row != NULL) *result = (rows_row){row->bytes, row->length, row->number};
    release(list);
    return row != NULL ? ROWS_OK : ROWS_NO_SUCH_ROW;
}

rows_status rows_release(rows_snapshot snapshot) {
    row_list *list = handle_object(snapshot, SNAPSHOT, true);
    if (list != NULL) release(list);
    return list != NULL ? ROWS_OK : ROWS_INVALID_HANDLE;
}
