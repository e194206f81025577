// The contract of rows_core.h, which every core keeps: `PROGRAM contract`, `random CALLS SEED`,
// `races CALLS SEED`, `threads`, or `edits SEED`, which prints a hash of what one thread does.

#include "watcher.h"

#if defined(__GLIBC__)
#include <limits.h>
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

static rows_model create(watcher *watcher, size_t threads, uint64_t seed, double speed) {
    rows_options options = {threads, seed, speed};
    rows_observer observer = watcher_observer(watcher);
    rows_model model = 0;
    CHECK(rows_create(&options, &observer, &model) == ROWS_OK && model != 0);
    return model;
}

static rows_status insert(rows_model model, const char *text, size_t length) {
    rows_row row = {(const uint8_t *)text, length, 0};
    return rows_edit(model, ROWS_INSERTED, 0, &row);
}

// Each first byte, with the bytes at the limits of ranges after it, in texts of one to four bytes.
static void check_utf8(void) {
    static const uint8_t limits[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    rows_model model = create(watcher_create(NULL), 0, 0, 1);
    CHECK(insert(model, "", 0) == ROWS_OK);
    for (uint64_t text = 0; text < 256 * 1000 * 4; text++) {
        uint64_t rest = text / 1024;
        uint8_t bytes[] = {(uint8_t)(text / 4), limits[rest % 10], limits[rest / 10 % 10], limits[rest / 100]};
        rows_row row = {bytes, text % 4 + 1, text};
        rows_status expected = decodes(bytes, row.length) ? ROWS_OK : ROWS_INVALID_UTF8;
        CHECK(rows_edit(model, ROWS_MODIFIED, 0, &row) == expected);
    }
    CHECK(rows_destroy(model) == ROWS_OK);
}

static rows_snapshot kept;

static void keep(watcher *watcher, rows_snapshot snapshot) {
    (void)watcher;
    rows_release(kept);
    kept = snapshot;
}

static void check_handles(void) {
    rows_model model = create(watcher_create(keep), 0, 0, 1), other = create(watcher_create(NULL), 0, 0, 1);
    CHECK(insert(model, "row", 3) == ROWS_OK && rows_live_handles() == 3);
    // Handles of another kind.
    CHECK(rows_destroy(kept) == ROWS_INVALID_HANDLE && rows_release(model) == ROWS_INVALID_HANDLE);
    uint64_t before = watchers_destroyed;
    CHECK(rows_destroy(model) == ROWS_OK && watchers_destroyed == before + 1);
    CHECK(rows_destroy(model) == ROWS_INVALID_HANDLE && watchers_destroyed == before + 1);
    CHECK(insert(model, "row", 3) == ROWS_INVALID_HANDLE);
    rows_row row;
    CHECK(rows_read(kept, 0, &row) == ROWS_OK && row.length == 3 && memcmp(row.bytes, "row", 3) == 0);
    CHECK(rows_release(kept) == ROWS_OK && rows_release(kept) == ROWS_INVALID_HANDLE);
    CHECK(rows_read(kept, 0, &row) == ROWS_INVALID_HANDLE);
    CHECK(insert(other, "row", 3) == ROWS_OK && rows_destroy(other) == ROWS_OK && rows_live_handles() == 0);
}

static void destroy_other(void *user) { CHECK(rows_destroy(*(rows_model *)user) == ROWS_OK); }

// Every function of an observer may be null, and `destroy_user` may call every function of the core.
static void check_observers(void) {
    rows_options options = {2, 1, 1e6};
    rows_observer silent = {0};
    rows_model quiet = 0, model = 0;
    CHECK(rows_create(&options, &silent, &quiet) == ROWS_OK && insert(quiet, "", 0) == ROWS_OK);
    rows_observer observer = {&quiet, destroy_other, NULL, NULL, NULL};
    CHECK(rows_create(&options, &observer, &model) == ROWS_OK);
    CHECK(rows_destroy(model) == ROWS_OK && rows_destroy(quiet) == ROWS_INVALID_HANDLE);
    CHECK(rows_live_handles() == 0);
}

// Each thread inserts a row immediately. Then it sleeps for at least 1 000 s, from which `rows_destroy` wakes it.
static void check_sleep(size_t threads) {
    watcher *watcher = watcher_create(NULL);
    rows_model model = create(watcher, threads, 1, 0.001);
    watcher_wait(watcher, threads);
    bool seen[ROWS_MOST_THREADS] = {false};
    for (size_t index = 0; index < watcher->count; index++) {
        char text[32] = {0};
        memcpy(text, watcher->rows[index].bytes, watcher->rows[index].length);
        size_t number = threads;
        CHECK(sscanf(text, "thread-%zu", &number) == 1 && number < threads && !seen[number]);
        seen[number] = true;
    }
    CHECK(watcher->inserted == threads && watcher_changes(watcher) == threads);
    CHECK(rows_destroy(model) == ROWS_OK);
}

static uint64_t hash_of_edits;

static void read_hash(watcher *watcher, rows_snapshot snapshot) {
    rows_release(snapshot);
    // The counter does not include this change yet.
    if (watcher_changes(watcher) + 1 != 2000) return;
    hash_of_edits = watcher->hash;
    for (size_t index = 0; index < watcher->count; index++) {
        const copied_row *row = &watcher->rows[index];
        uint64_t dashes = 0;
        for (size_t byte = 0; byte < row->length; byte++) dashes += row->bytes[byte] == '-';
        CHECK(row->number == dashes - 1);
    }
}

// With one thread, the changes are the same in every core.
static void check_edits(uint64_t seed) {
    watcher *counted = watcher_create(read_hash);
    rows_model model = create(counted, 1, seed, 1e6);
    watcher_wait(counted, 2000);
    uint64_t all = watcher_changes(counted);
    // 20 % insertions and 10 % removals, as exactly as 2 000 choices are.
    CHECK(counted->inserted * 100 > all * 16 && counted->inserted * 100 < all * 24);
    CHECK(counted->removed * 100 > all * 7 && counted->removed * 100 < all * 13);
    CHECK(rows_destroy(model) == ROWS_OK);
    printf("%016llx\n", (unsigned long long)hash_of_edits);
}

// Where the system starts no more threads, no thread has edited, and the observer still belongs to the caller.
static void check_threads(void) {
    watcher *watcher = watcher_create(NULL);
    rows_observer observer = watcher_observer(watcher);
    rows_options options = {ROWS_MOST_THREADS, 1, 1e6};
    rows_model model = 42;
#if defined(__GLIBC__)
    // Only stacks shall be missing: what a thread that has started allocates comes from memory that is there already.
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    void *volatile reserve = malloc(1 << 24);
    free(reserve);
#endif
    struct rlimit limit = {UINT64_C(1) << 29, RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    CHECK(rows_create(&options, &observer, &model) == ROWS_NO_THREADS);
    CHECK(model == 42 && watcher_changes(watcher) == 0 && watchers_destroyed == 0);
    CHECK(rows_live_handles() == 0);
    options.threads = 1;
    CHECK(rows_create(&options, &observer, &model) == ROWS_OK);
    watcher_wait(watcher, 100);
    CHECK(rows_destroy(model) == ROWS_OK && watchers_destroyed == 1);
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    uint64_t first = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    uint64_t seed = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
    // A wait that never ends is ended here.
    alarm(600);
    if (strcmp(mode, "contract") == 0) {
        check_utf8();
        check_handles();
        check_observers();
        for (size_t threads = 0; threads <= 64; threads = threads * 8 + (threads == 0)) check_sleep(threads);
    } else if (strcmp(mode, "random") == 0) {
        check_random_calls(first, seed);
    } else if (strcmp(mode, "races") == 0) {
        check_races(first, seed);
    } else if (strcmp(mode, "edits") == 0) {
        check_edits(first);
    } else if (strcmp(mode, "threads") == 0) {
        check_threads();
    } else {
        fprintf(stderr, "no such check: %s\n", mode);
        return 2;
    }
    CHECK(rows_live_handles() == 0);
    return 0;
}
