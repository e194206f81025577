// Threads that call every function at the same time, with each other's handles, while the models' own threads
// edit. Each model and each snapshot ends once.

#include "watcher.h"

enum { callers = 4, known = 4 };

// The handles in `models` and `snapshots` may have been destroyed. Those in `owned` are taken out to be used.
static _Atomic uint64_t models[known], snapshots[known], owned[known];
static _Atomic uint64_t created, destroyed, changes;
static uint64_t calls_of_each;

static void keep(watcher *watcher, rows_snapshot snapshot) {
    changes += 1;
    _Atomic uint64_t *place = watcher->count % 2 == 0 ? snapshots : owned;
    rows_release(atomic_exchange(&place[watcher->count / 2 % known], snapshot));
}

static void check_one_of(rows_status status, rows_status one, rows_status other) {
    CHECK(status == ROWS_OK || status == one || status == other);
}

static void call(uint64_t *seed) {
    size_t place = pick(seed, known), index = pick(seed, 20);
    uint64_t kind = pick(seed, 40), model = models[place], snapshot = snapshots[place];
    rows_row row = {(const uint8_t *)"row", 3, index};
    if (kind == 0) {
        rows_options options = {pick(seed, 3), *seed, 1e6};
        rows_observer observer = watcher_observer(watcher_create(keep));
        rows_model handle = 0;
        CHECK(rows_create(&options, &observer, &handle) == ROWS_OK);
        created += 1;
        destroyed += rows_destroy(atomic_exchange(&models[place], handle)) == ROWS_OK;
    } else if (kind == 1) {
        // The handle stays in `models`, where others find it destroyed.
        rows_status status = rows_destroy(model);
        check_one_of(status, ROWS_INVALID_HANDLE, ROWS_OK);
        destroyed += status == ROWS_OK;
    } else if (kind < 5) {
        check_one_of(rows_release(snapshot), ROWS_INVALID_HANDLE, ROWS_OK);
    } else if (kind < 10) {
        check_one_of(rows_read(snapshot, index, &row), ROWS_INVALID_HANDLE, ROWS_NO_SUCH_ROW);
    } else if (kind < 15) {
        snapshot = atomic_exchange(&owned[place], 0);
        rows_status status = rows_read(snapshot, index, &row);
        if (status == ROWS_OK) CHECK(memchr("rt", row.bytes[0], 2) != NULL);
        CHECK(rows_release(snapshot) == (snapshot == 0 ? ROWS_INVALID_HANDLE : ROWS_OK));
    } else {
        uint32_t change = (uint32_t)pick(seed, 3);
        check_one_of(rows_edit(model, change, index, &row), ROWS_INVALID_HANDLE, ROWS_NO_SUCH_ROW);
    }
}

static void *call_often(void *argument) {
    uint64_t seed = *(uint64_t *)argument;
    for (uint64_t rest = calls_of_each; rest > 0; rest--) call(&seed);
    return NULL;
}

void check_races(uint64_t calls, uint64_t seed) {
    pthread_t threads[callers];
    uint64_t seeds[callers], before = watchers_destroyed;
    calls_of_each = calls / callers;
    for (size_t index = 0; index < callers; index++) {
        seeds[index] = seed + index;
        CHECK(pthread_create(&threads[index], NULL, call_often, &seeds[index]) == 0);
    }
    for (size_t index = 0; index < callers; index++) pthread_join(threads[index], NULL);
    for (size_t index = 0; index < known; index++) destroyed += rows_destroy(models[index]) == ROWS_OK;
    for (size_t index = 0; index < known; index++) rows_release(snapshots[index]);
    for (size_t index = 0; index < known; index++) rows_release(owned[index]);
    CHECK(created > 0 && created == destroyed && watchers_destroyed - before == created);
    CHECK(changes > 0 && rows_live_handles() == 0);
}
