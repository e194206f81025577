#include "owning_core.h"

#include "crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t id;
    char *bytes;
    size_t length;
} row;

typedef enum { RIGHT, UNORDERED, WRONG_ROW, LATE } fault;

// `lock` guards the rows, their numbers and `crew`. An edit is posted before `lock` is released, so edits are
// posted in the order in which they are made.
typedef struct {
    pthread_mutex_t lock;
    row *rows;
    size_t count, capacity;
    uint64_t generation, sequence, next_id;
    interlock_rows_sink sink;
    fault fault;
    bool has_erred;
    // The running workers; NULL if there are none. `lock` guards the pointer, because any thread may ask for
    // the number of workers.
    crew *crew;
} core;

// MARK: Rows

static void *or_abort(void *memory) {
    if (memory == NULL) abort();
    return memory;
}

static row make_row(uint64_t id, interlock_rows_text text) {
    row row = {id, or_abort(malloc(text.length + 1)), text.length};
    if (text.length > 0) memcpy(row.bytes, text.bytes, text.length);
    return row;
}

static void insert_row(core *core, size_t index, row row) {
    if (core->count == core->capacity) {
        core->capacity = core->capacity * 2 + 16;
        core->rows = or_abort(realloc(core->rows, core->capacity * sizeof row));
    }
    memmove(&core->rows[index + 1], &core->rows[index], (core->count - index) * sizeof row);
    core->rows[index] = row;
    core->count += 1;
}

static row remove_row(core *core, size_t index) {
    row removed = core->rows[index];
    core->count -= 1;
    memmove(&core->rows[index], &core->rows[index + 1], (core->count - index) * sizeof removed);
    return removed;
}

static void remove_all(core *core) {
    for (size_t index = 0; index < core->count; index++) free(core->rows[index].bytes);
    core->count = 0;
}

// Sets `index` to the index below `limit` that a position selects; returns false if there is none.
static bool find(interlock_rows_position position, size_t limit, size_t *index) {
    if (position.kind == INTERLOCK_ROWS_AT_SHARE) {
        *index = (size_t)((unsigned __int128)position.value * limit >> 64);
        return limit > 0;
    }
    *index = (size_t)position.value;
    return position.value < limit;
}

// Makes an edit, and describes it in `posted`, whose text belongs to the row. Returns
// INTERLOCK_ROWS_NO_SUCH_ROW if the row does not exist. The caller must hold the lock.
//
// Sets `removed` to the text of a removed row, which the caller must free after it has posted the edit, or to
// NULL if no row was removed.
static interlock_rows_status make(
    core *core, const interlock_rows_edit *edit, interlock_rows_posted *posted, char **removed) {
    size_t index;
    size_t limit = core->count + (edit->change == INTERLOCK_ROWS_INSERTED);
    *removed = NULL;
    if (!find(edit->position, limit, &index)) return INTERLOCK_ROWS_NO_SUCH_ROW;
    row row;
    if (edit->change == INTERLOCK_ROWS_INSERTED) {
        row = make_row(core->next_id++, edit->text);
        insert_row(core, index, row);
    } else if (edit->change == INTERLOCK_ROWS_REMOVED) {
        row = remove_row(core, index);
        *removed = row.bytes;
    } else {
        row = core->rows[index];
        row.bytes = or_abort(realloc(row.bytes, row.length + edit->text.length + 1));
        if (edit->text.length > 0) memcpy(row.bytes + row.length, edit->text.bytes, edit->text.length);
        row.length += edit->text.length;
        core->rows[index] = row;
    }
    core->sequence += 1;
    *posted = (interlock_rows_posted){
        core->generation, core->sequence, edit->change, index, row.id, {row.bytes, row.length}};
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status post(core *core, const interlock_rows_posted *posted) {
    return core->sink.post(core->sink.handle, posted);
}

// Makes the deliberate mistake UNORDERED: posts a second edit before the first one. A core that released its
// lock between an edit and its post could make this mistake.
static interlock_rows_status make_unordered(core *core, const interlock_rows_edit *edit) {
    interlock_rows_posted first, second;
    char *removed_first, *removed_second;
    interlock_rows_text text = {"overtaking", 10};
    interlock_rows_edit other = {INTERLOCK_ROWS_INSERTED, {INTERLOCK_ROWS_AT_SHARE, UINT64_MAX}, text};
    interlock_rows_status status = make(core, edit, &first, &removed_first);
    if (status != INTERLOCK_ROWS_OK) return status;
    core->has_erred = true;
    make(core, &other, &second, &removed_second);
    post(core, &second);
    post(core, &first);
    free(removed_first);
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status make_and_post(core *core, const interlock_rows_edit *edit) {
    bool errs = !core->has_erred && core->sequence >= 3;
    if (errs && core->fault == UNORDERED) return make_unordered(core, edit);
    interlock_rows_posted posted;
    char *removed;
    interlock_rows_status status = make(core, edit, &posted, &removed);
    if (status != INTERLOCK_ROWS_OK) return status;
    if (errs && core->fault == WRONG_ROW && edit->change == INTERLOCK_ROWS_MODIFIED) {
        core->has_erred = true;
        // Use the identity of another row. An identity that no row ever had would be refused immediately.
        posted.id = posted.id == 0 ? 1 : posted.id - 1;
    }
    status = post(core, &posted);
    free(removed);
    return status;
}

// MARK: The table

static interlock_rows_status activate(void *user, const interlock_rows_sink *sink) {
    ((core *)user)->sink = *sink;
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status begin(void *user, const interlock_rows_beginning *beginning) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    remove_all(core);
    core->generation = beginning->generation;
    core->sequence = 0;
    for (size_t index = 0; index < beginning->count; index++) {
        insert_row(core, index, make_row(beginning->first_id + index, beginning->rows[index]));
    }
    core->next_id = beginning->first_id + beginning->count;
    pthread_mutex_unlock(&core->lock);
    return INTERLOCK_ROWS_OK;
}

static interlock_rows_status edit(void *user, const interlock_rows_edit *edit) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    interlock_rows_status status = make_and_post(core, edit);
    pthread_mutex_unlock(&core->lock);
    return status;
}

static interlock_rows_status start(void *user, const interlock_rows_crew *settings) {
    core *core = user;
    crew *crew = crew_start(settings, edit, core);
    pthread_mutex_lock(&core->lock);
    core->crew = crew;
    pthread_mutex_unlock(&core->lock);
    return crew == NULL ? INTERLOCK_ROWS_REFUSED : INTERLOCK_ROWS_OK;
}

static void stop(void *user) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    crew *crew = core->crew;
    core->crew = NULL;
    pthread_mutex_unlock(&core->lock);
    // The lock must not be held here: `crew_stop` joins threads that may still acquire the lock for an edit.
    crew_stop(crew);
}

static interlock_rows_status read_rows(void *user, const interlock_rows_reader *reader) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    for (size_t index = 0; index < core->count; index++) {
        row row = core->rows[index];
        reader->row(reader->reader, row.id, row.bytes, row.length);
    }
    reader->end(reader->reader, core->generation, core->sequence);
    pthread_mutex_unlock(&core->lock);
    return INTERLOCK_ROWS_OK;
}

static size_t running(void *user) {
    core *core = user;
    pthread_mutex_lock(&core->lock);
    size_t running = crew_running(core->crew);
    pthread_mutex_unlock(&core->lock);
    return running;
}

static void invalidate(void *user) { stop(user); }

static void destroy(void *user) {
    core *core = user;
    if (core->fault == LATE && core->sink.post != NULL) {
        interlock_rows_text text = {"late", 4};
        interlock_rows_edit insertion = {INTERLOCK_ROWS_INSERTED, {INTERLOCK_ROWS_AT_INDEX, 0}, text};
        edit(core, &insertion);
    }
    remove_all(core);
    free(core->rows);
    pthread_mutex_destroy(&core->lock);
    free(core);
}

static bool is(interlock_rows_text text, const char *word) {
    return text.length == strlen(word) && (text.length == 0 || memcmp(text.bytes, word, text.length) == 0);
}

interlock_rows_status owning_core_open(interlock_rows_text argument, interlock_rows_core *table) {
    fault fault = RIGHT;
    if (is(argument, "unordered")) fault = UNORDERED;
    else if (is(argument, "wrong-row")) fault = WRONG_ROW;
    else if (is(argument, "late")) fault = LATE;
    else if (!is(argument, "")) return INTERLOCK_ROWS_INVALID_ARGUMENT;
    core *core = calloc(1, sizeof *core);
    if (core == NULL) return INTERLOCK_ROWS_REFUSED;
    pthread_mutex_init(&core->lock, NULL);
    core->fault = fault;
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
