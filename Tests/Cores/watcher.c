#include "watcher.h"

_Atomic uint64_t watchers_destroyed;

static void *or_abort(void *memory) {
    if (memory == NULL) abort();
    return memory;
}

static copied_row copy_row(rows_snapshot snapshot, size_t index) {
    rows_row row;
    CHECK(rows_read(snapshot, index, &row) == ROWS_OK);
    copied_row copy = {or_abort(malloc(row.length + 1)), row.length, row.number};
    memcpy(copy.bytes, row.bytes, row.length);
    return copy;
}

bool is_row(const rows_row *row, const copied_row *copy) {
    return row->number == copy->number && row->length == copy->length
        && memcmp(row->bytes, copy->bytes, copy->length) == 0;
}

copied_row *copy_rows(rows_snapshot snapshot, size_t count) {
    copied_row *rows = or_abort(malloc((count + 1) * sizeof *rows));
    for (size_t index = 0; index < count; index++) rows[index] = copy_row(snapshot, index);
    return rows;
}

void free_rows(copied_row *rows, size_t count) {
    for (size_t index = 0; index < count; index++) free(rows[index].bytes);
    free(rows);
}

bool decodes(const uint8_t *bytes, size_t length) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    for (size_t index = 0; index < length;) {
        uint32_t first = bytes[index];
        size_t size = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
        if (size == 0 || size > length - index) return false;
        uint32_t scalar = size == 1 ? first : first & (0x7F >> size);
        for (size_t next = 1; next < size; next++) {
            if (bytes[index + next] >> 6 != 2) return false;
            scalar = scalar << 6 | (bytes[index + next] & 0x3F);
        }
        if (scalar < least[size] || scalar > 0x10FFFF || scalar >> 11 == 0x1B) return false;
        index += size;
    }
    return true;
}

uint64_t pick(uint64_t *seed, uint64_t limit) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*seed >> 33) * limit >> 31;
}

static void hash(watcher *watcher, const void *bytes, size_t length) {
    for (size_t index = 0; index < length; index++) {
        watcher->hash = (watcher->hash ^ ((const uint8_t *)bytes)[index]) * UINT64_C(0x100000001b3);
    }
}

// A model's functions are refused in a callback, whatever their arguments.
static void check_refusals(void) {
    rows_model model = 0;
    CHECK(rows_create(NULL, NULL, &model) == ROWS_IN_CALLBACK);
    CHECK(rows_destroy(model) == ROWS_IN_CALLBACK);
    CHECK(rows_edit(model, ROWS_REMOVED, 0, NULL) == ROWS_IN_CALLBACK);
}

// Makes the change in the watcher's rows, which must then be those of the snapshot.
static void change(watcher *watcher, uint32_t change, size_t index, rows_snapshot snapshot, size_t count) {
    size_t removed = change != ROWS_INSERTED, inserted = change != ROWS_REMOVED;
    check_refusals();
    CHECK(index < watcher->count + (change == ROWS_INSERTED));
    CHECK(count == watcher->count + inserted - removed);
    if (removed) free(watcher->rows[index].bytes);
    watcher->rows = or_abort(realloc(watcher->rows, (count + 1) * sizeof *watcher->rows));
    memmove(&watcher->rows[index + inserted], &watcher->rows[index + removed],
            (watcher->count - index - removed) * sizeof *watcher->rows);
    watcher->count = count;
    hash(watcher, &change, sizeof change);
    hash(watcher, &index, sizeof index);
    if (inserted) {
        copied_row row = copy_row(snapshot, index);
        watcher->rows[index] = row;
        hash(watcher, row.bytes, row.length);
        hash(watcher, &row.number, sizeof row.number);
    }
    rows_row row;
    CHECK(rows_read(snapshot, count, &row) == ROWS_NO_SUCH_ROW);
    for (size_t other = 0; other < count; other++) {
        CHECK(rows_read(snapshot, other, &row) == ROWS_OK && is_row(&row, &watcher->rows[other]));
    }
    if (watcher->keep != NULL) watcher->keep(watcher, snapshot);
    else CHECK(rows_release(snapshot) == ROWS_OK && rows_release(snapshot) == ROWS_INVALID_HANDLE);
    pthread_mutex_lock(&watcher->lock);
    _Atomic uint64_t *counters[] = {&watcher->inserted, &watcher->removed, &watcher->modified};
    *counters[change] += 1;
    pthread_cond_broadcast(&watcher->changed);
    pthread_mutex_unlock(&watcher->lock);
}

static void inserted(void *user, size_t index, rows_snapshot snapshot, size_t count) {
    change(user, ROWS_INSERTED, index, snapshot, count);
}

static void removed(void *user, size_t index, rows_snapshot snapshot, size_t count) {
    change(user, ROWS_REMOVED, index, snapshot, count);
}

static void modified(void *user, size_t index, rows_snapshot snapshot, size_t count) {
    change(user, ROWS_MODIFIED, index, snapshot, count);
}

watcher *watcher_create(void (*keep)(watcher *watcher, rows_snapshot snapshot)) {
    watcher *watcher = or_abort(calloc(1, sizeof *watcher));
    watcher->keep = keep;
    pthread_mutex_init(&watcher->lock, NULL);
    pthread_cond_init(&watcher->changed, NULL);
    return watcher;
}

rows_observer watcher_observer(watcher *watcher) {
    return (rows_observer){watcher, watcher_destroy, inserted, removed, modified};
}

void watcher_destroy(void *user) {
    watcher *watcher = user;
    free_rows(watcher->rows, watcher->count);
    pthread_cond_destroy(&watcher->changed);
    pthread_mutex_destroy(&watcher->lock);
    free(watcher);
    watchers_destroyed += 1;
}

uint64_t watcher_changes(watcher *watcher) {
    return watcher->inserted + watcher->removed + watcher->modified;
}

void watcher_wait(watcher *watcher, uint64_t changes) {
    pthread_mutex_lock(&watcher->lock);
    while (watcher_changes(watcher) < changes) pthread_cond_wait(&watcher->changed, &watcher->lock);
    pthread_mutex_unlock(&watcher->lock);
}
