#include "CBorder.h"

static uint64_t next(uint64_t *state) {
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

void border_edit(interlock_rows_model model, uint64_t count, uint64_t seed) {
    for (uint64_t number = 0; number < count; number++) {
        interlock_rows_position position = {INTERLOCK_ROWS_AT_SHARE, next(&seed)};
        switch (number % 4) {
        case 0: interlock_rows_insert(model, position, "another row, also on the heap", 29); break;
        case 2: interlock_rows_remove(model, position); break;
        default: interlock_rows_append(model, position, "-1", 2); break;
        }
    }
}

static void add(void *user, const interlock_rows_change *change) { *(uint64_t *)user += change->text.length; }

interlock_rows_observer border_observer(uint64_t *sum) {
    return (interlock_rows_observer){
        .size = sizeof(interlock_rows_observer), .user = sum, .inserted = add, .removed = add, .modified = add};
}

static int32_t see(void *user, size_t index, uint64_t id, const char *text, size_t length) {
    (void)index, (void)id;
    *(uint64_t *)user += length + (length > 0 ? (uint8_t)text[0] : 0);
    return 1;
}

uint64_t border_read(interlock_rows_snapshot snapshot) {
    uint64_t sum = 0;
    interlock_rows_snapshot_visit(snapshot, 0, SIZE_MAX, see, &sum);
    return sum;
}
