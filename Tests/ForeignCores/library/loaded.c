// Loads the library of the row model while the program runs, on a thread that is not the first, as programs
// with plug-ins do. That thread then is the main thread of the interface.

#include "interlock_rows.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "loaded.c:%d: this does not hold: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static void *library;

static void *symbol(const char *name) {
    void *symbol = dlsym(library, name);
    CHECK(symbol != NULL);
    return symbol;
}

// The function of the library that has this name.
#define LOADED(function) ((__typeof__(&function))symbol(#function))

static interlock_rows_model model;
static int insertions, ends;

static void inserted(void *user, const interlock_rows_change *change) {
    (void)user;
    insertions += 1;
    if (change->row_count == 100) CHECK(LOADED(interlock_rows_stop_serving)() == INTERLOCK_ROWS_OK);
}

static void ended(void *user) {
    (void)user;
    ends += 1;
}

static void *edit(void *argument) {
    (void)argument;
    interlock_rows_position first = {INTERLOCK_ROWS_AT_INDEX, 0};
    for (int number = 0; number < 100; number++) {
        CHECK(LOADED(interlock_rows_insert)(model, first, "row", 3) == INTERLOCK_ROWS_OK);
    }
    return NULL;
}

static pthread_barrier_t barrier;

static void *load_and_serve(void *path) {
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
    CHECK(library != NULL);
    interlock_rows_options options;
    CHECK(LOADED(interlock_rows_options_init)(&options) == INTERLOCK_ROWS_OK);
    CHECK(LOADED(interlock_rows_create)(&options, &model) == INTERLOCK_ROWS_OK);
    interlock_rows_observer observer = {.size = sizeof observer, .destroy_user = ended, .inserted = inserted};
    interlock_rows_registration registration;
    CHECK(LOADED(interlock_rows_observe)(model, &observer, &registration) == INTERLOCK_ROWS_OK);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, edit, NULL) == 0);
    CHECK(LOADED(interlock_rows_serve)(UINT64_MAX) == INTERLOCK_ROWS_OK);
    pthread_join(thread, NULL);
    CHECK(insertions == 100);
    // The first thread is another thread than the main thread.
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    CHECK(LOADED(interlock_rows_destroy)(model) == INTERLOCK_ROWS_OK);
    CHECK(ends == 1 && LOADED(interlock_rows_live_handles)() == 0);
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, load_and_serve, arguments[1]) == 0);
    pthread_barrier_wait(&barrier);
    CHECK(LOADED(interlock_rows_serve)(0) == INTERLOCK_ROWS_WRONG_THREAD);
    CHECK(LOADED(interlock_rows_deliver)(model) == INTERLOCK_ROWS_WRONG_THREAD);
    interlock_rows_position first = {INTERLOCK_ROWS_AT_INDEX, 0};
    CHECK(LOADED(interlock_rows_remove)(model, first) == INTERLOCK_ROWS_OK);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    printf("loaded by another thread than the first: %d rows were shown there\n", insertions);
    return 0;
}
