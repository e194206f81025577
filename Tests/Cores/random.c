// Random calls with random handles, numbers and bytes. The status of each is known before, and a refused call
// changes nothing.

#include "watcher.h"

#include <math.h>

enum { known_models = 4, known_snapshots = 8 };

typedef struct {
    rows_model handle;
    watcher *watcher;
} known_model;

typedef struct {
    rows_snapshot handle;
    copied_row *rows;
    size_t count;
} known_snapshot;

static uint64_t seed;
static known_model models[known_models];
static known_snapshot snapshots[known_snapshots];
// A handle that was destroyed.
static uint64_t stale;

static uint64_t below(uint64_t limit) { return pick(&seed, limit); }

static known_model *find_model(uint64_t handle) {
    for (known_model *model = models; model < models + known_models; model++) {
        if (handle != 0 && model->handle == handle) return model;
    }
    return NULL;
}

static known_snapshot *find_snapshot(uint64_t handle) {
    for (known_snapshot *snapshot = snapshots; snapshot < snapshots + known_snapshots; snapshot++) {
        if (handle != 0 && snapshot->handle == handle) return snapshot;
    }
    return NULL;
}

static void release(known_snapshot *snapshot) {
    CHECK(rows_release(snapshot->handle) == ROWS_OK);
    stale = snapshot->handle;
    free_rows(snapshot->rows, snapshot->count);
    *snapshot = (known_snapshot){0};
}

static void keep(watcher *watcher, rows_snapshot handle) {
    known_snapshot *snapshot = &snapshots[below(known_snapshots)];
    if (snapshot->handle != 0) release(snapshot);
    *snapshot = (known_snapshot){handle, copy_rows(handle, watcher->count), watcher->count};
}

// Most are handles of the wanted kind.
static uint64_t some_handle(bool of_model) {
    bool swapped = below(16) == 0;
    uint64_t handle = of_model != swapped ? models[below(known_models)].handle
                                          : snapshots[below(known_snapshots)].handle;
    switch (below(16)) {
    case 0: return handle ^ UINT64_C(1) << below(64);
    case 1: return stale;
    default: return handle;
    }
}

static size_t some_index(size_t count) {
    switch (below(8)) {
    case 0: return count + below(3);
    case 1: return SIZE_MAX - below(2);
    default: return below(count + 1);
    }
}

static size_t some_text(uint8_t *bytes) {
    static const char *const parts[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF", ""};
    size_t length = 0;
    for (uint64_t rest = below(6); rest > 0; rest--) {
        const char *part = parts[below(6)];
        // The last part stands for a zero.
        size_t size = strlen(part) == 0 ? 1 : strlen(part);
        memcpy(bytes + length, part, size);
        length += size;
    }
    if (length > 0 && below(8) == 0) bytes[below(length)] = (uint8_t)below(256);
    if (length > 0 && below(16) == 0) length -= 1;
    return length;
}

static void call_create(void) {
    static const double speeds[] = {1, 0.001, 1e6, 0, -1, 0.0009, 1e7, NAN, INFINITY, 1};
    known_model *model = &models[below(known_models)];
    uint64_t speed = below(below(4) == 0 ? 10 : 3), place = below(20);
    size_t threads = below(16) == 0 ? ROWS_MOST_THREADS + 1 : below(32) == 0 ? SIZE_MAX : 0;
    rows_options options = {threads, seed, speeds[speed]};
    if (model->handle != 0) return;
    watcher *watcher = watcher_create(keep);
    rows_observer observer = watcher_observer(watcher);
    rows_model handle = 42;
    rows_status status =
        rows_create(place == 0 ? NULL : &options, place == 1 ? NULL : &observer, place == 2 ? NULL : &handle);
    rows_status expected = place <= 2                                      ? ROWS_NULL_ARGUMENT
                           : threads > 0 || (speed >= 3 && speed <= 8) ? ROWS_INVALID_ARGUMENT
                                                                           : ROWS_OK;
    CHECK(status == expected);
    if (status == ROWS_OK) {
        *model = (known_model){handle, watcher};
    } else {
        CHECK(handle == 42);
        watcher_destroy(watcher);
    }
}

static void call_destroy(void) {
    uint64_t handle = below(8) == 0 ? some_handle(true) : stale, before = watchers_destroyed;
    known_model *model = find_model(handle);
    CHECK(rows_destroy(handle) == (model != NULL ? ROWS_OK : ROWS_INVALID_HANDLE));
    CHECK(watchers_destroyed == before + (model != NULL));
    if (model != NULL) *model = (known_model){0};
    if (model != NULL) stale = handle;
}

static void call_edit(void) {
    uint8_t bytes[64];
    uint64_t handle = some_handle(true);
    known_model *model = find_model(handle);
    size_t count = model != NULL ? model->watcher->count : 0;
    size_t index = some_index(count);
    uint32_t change = (uint32_t)below(3);
    if (below(32) == 0) change = below(2) == 0 ? ROWS_MODIFIED + 1 : UINT32_MAX - (uint32_t)below(1000);
    uint64_t place = below(32);
    rows_row row = {bytes, some_text(bytes), below(2) == 0 ? UINT64_MAX : below(100)};
    if (place == 1) row.bytes = NULL;
    uint64_t before = model != NULL ? watcher_changes(model->watcher) : 0;
    bool has_row = change != ROWS_REMOVED;
    rows_status expected = has_row && (place == 0 || (place == 1 && row.length > 0)) ? ROWS_NULL_ARGUMENT
                           : change > ROWS_MODIFIED                                  ? ROWS_INVALID_ARGUMENT
                           : has_row && !decodes(bytes, row.length)                  ? ROWS_INVALID_UTF8
                           : model == NULL                                           ? ROWS_INVALID_HANDLE
                           : index >= count + (change == ROWS_INSERTED)              ? ROWS_NO_SUCH_ROW
                                                                                     : ROWS_OK;
    CHECK(rows_edit(handle, change, index, place == 0 ? NULL : &row) == expected);
    if (model != NULL) CHECK(watcher_changes(model->watcher) == before + (expected == ROWS_OK));
    if (expected == ROWS_OK && has_row) {
        copied_row *shown = &model->watcher->rows[index];
        CHECK(shown->length == row.length && shown->number == row.number);
        CHECK(memcmp(shown->bytes, bytes, row.length) == 0);
    }
}

static void call_read(void) {
    uint64_t handle = some_handle(false);
    known_snapshot *snapshot = find_snapshot(handle);
    size_t index = some_index(snapshot != NULL ? snapshot->count : 0);
    rows_row row = {NULL, 7, 7};
    rows_status expected = snapshot == NULL           ? ROWS_INVALID_HANDLE
                           : index >= snapshot->count ? ROWS_NO_SUCH_ROW
                                                      : ROWS_OK;
    CHECK(rows_read(handle, index, NULL) == ROWS_NULL_ARGUMENT);
    CHECK(rows_read(handle, index, &row) == expected);
    if (expected == ROWS_OK) CHECK(is_row(&row, &snapshot->rows[index]));
    else CHECK(row.bytes == NULL && row.length == 7 && row.number == 7);
}

static void call_release(void) {
    uint64_t handle = some_handle(false);
    known_snapshot *snapshot = find_snapshot(handle);
    if (snapshot != NULL) release(snapshot);
    else CHECK(rows_release(handle) == ROWS_INVALID_HANDLE);
}

void check_random_calls(uint64_t calls, uint64_t first_seed) {
    seed = first_seed;
    for (uint64_t call = 0; call < calls; call++) {
        switch (below(32)) {
        case 0: call_create(); break;
        case 1: call_destroy(); break;
        case 2 ... 4: call_release(); break;
        case 5 ... 12: call_read(); break;
        default: call_edit(); break;
        }
        size_t live = 0;
        for (int index = 0; index < known_models; index++) live += models[index].handle != 0;
        for (int index = 0; index < known_snapshots; index++) live += snapshots[index].handle != 0;
        CHECK(rows_live_handles() == live);
    }
    for (int index = 0; index < known_models; index++) rows_destroy(models[index].handle);
    for (int index = 0; index < known_snapshots; index++) {
        if (snapshots[index].handle != 0) release(&snapshots[index]);
    }
    CHECK(rows_live_handles() == 0);
}
