#include "mirror.h"

#include "check.h"

#include <string.h>

static void set_text(mirror_row *row, interlock_rows_text text) {
    row->bytes = realloc(row->bytes, text.length + 1);
    CHECK(row->bytes != NULL);
    if (text.length > 0) memcpy(row->bytes, text.bytes, text.length);
    row->length = text.length;
}

static void insert(mirror *mirror, size_t index, uint64_t id, interlock_rows_text text) {
    CHECK(index <= mirror->count);
    if (mirror->count == mirror->capacity) {
        mirror->capacity = mirror->capacity * 2 + 16;
        mirror->rows = realloc(mirror->rows, mirror->capacity * sizeof *mirror->rows);
        CHECK(mirror->rows != NULL);
    }
    memmove(&mirror->rows[index + 1], &mirror->rows[index], (mirror->count - index) * sizeof *mirror->rows);
    mirror->count += 1;
    mirror->rows[index] = (mirror_row){id, NULL, 0};
    set_text(&mirror->rows[index], text);
}

static bool has_text(const mirror_row *row, interlock_rows_text text) {
    return row->length == text.length && (text.length == 0 || memcmp(row->bytes, text.bytes,
        text.length) == 0);
}

static void follow(mirror *mirror, const interlock_rows_change *change) {
    mirror->callbacks += 1;
    mirror->edits += change->last_sequence - change->first_sequence + 1;
    CHECK(mirror->destroyed == 0);
    CHECK(change->generation == mirror->generation);
    CHECK(change->first_sequence == mirror->last_sequence + 1);
    CHECK(change->last_sequence >= change->first_sequence);
    mirror->last_sequence = change->last_sequence;
    CHECK(change->row_count == mirror->count);
    if (mirror->then != NULL) mirror->then(mirror, change);
}

static void inserted(void *user, const interlock_rows_change *change) {
    mirror *mirror = user;
    insert(mirror, change->index, change->id, change->text);
    follow(mirror, change);
}

static void removed(void *user, const interlock_rows_change *change) {
    mirror *mirror = user;
    CHECK(change->index < mirror->count);
    mirror_row *row = &mirror->rows[change->index];
    CHECK(row->id == change->id && has_text(row, change->text));
    free(row->bytes);
    mirror->count -= 1;
    memmove(row, row + 1, (mirror->count - change->index) * sizeof *row);
    follow(mirror, change);
}

static void modified(void *user, const interlock_rows_change *change) {
    mirror *mirror = user;
    CHECK(change->index < mirror->count);
    CHECK(mirror->rows[change->index].id == change->id);
    set_text(&mirror->rows[change->index], change->text);
    follow(mirror, change);
}

static int32_t add(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    insert(user, index, id, (interlock_rows_text){text, length});
    return 1;
}

static void restarted(void *user, uint64_t generation, size_t row_count) {
    mirror *mirror = user;
    CHECK(mirror->destroyed == 0);
    for (size_t index = 0; index < mirror->count; index++) free(mirror->rows[index].bytes);
    mirror->count = 0;
    mirror->generation = generation;
    mirror->last_sequence = 0;
    interlock_rows_snapshot snapshot;
    OK(interlock_rows_shown(mirror->model, &snapshot));
    OK(interlock_rows_snapshot_visit(snapshot, 0, SIZE_MAX, add, mirror));
    OK(interlock_rows_snapshot_release(snapshot));
    CHECK(mirror->count == row_count);
}

static void destroy(void *user) { ((mirror *)user)->destroyed += 1; }

interlock_rows_observer mirror_observer(mirror *mirror) {
    return (interlock_rows_observer){
        .size = sizeof(interlock_rows_observer),
        .user = mirror,
        .destroy_user = destroy,
        .inserted = inserted,
        .removed = removed,
        .modified = modified,
        .restarted = restarted,
    };
}

typedef struct {
    const mirror *mirror;
    size_t equal;
} comparison;

static int32_t compare(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    comparison *comparison = user;
    if (index >= comparison->mirror->count) return 0;
    const mirror_row *row = &comparison->mirror->rows[index];
    if (row->id != id || !has_text(row, (interlock_rows_text){text, length})) return 0;
    comparison->equal += 1;
    return 1;
}

bool mirror_equals(const mirror *mirror, interlock_rows_snapshot snapshot) {
    comparison comparison = {mirror, 0};
    size_t count;
    OK(interlock_rows_snapshot_count(snapshot, &count));
    OK(interlock_rows_snapshot_visit(snapshot, 0, SIZE_MAX, compare, &comparison));
    return count == mirror->count && comparison.equal == count;
}

void mirror_clear(mirror *mirror) {
    for (size_t index = 0; index < mirror->count; index++) free(mirror->rows[index].bytes);
    free(mirror->rows);
    mirror->rows = NULL;
    mirror->count = mirror->capacity = 0;
}
