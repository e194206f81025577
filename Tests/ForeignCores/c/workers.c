#include "check.h"
#include "crew.h"
#include "models.h"
#include "owning_core.h"
#include "programs.h"

#include <pthread.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static interlock_rows_status edit(void *context, const interlock_rows_edit *edit) {
    return interlock_rows_edit_all(*(interlock_rows_model *)context, edit, 1, NULL);
}

// Delivers all notifications, and checks that the mirror, the model and the model's account agree.
static interlock_rows_account check_account(interlock_rows_model model, mirror *mirror) {
    OK(interlock_rows_deliver(model));
    CHECK(shows_latest(model, mirror));
    interlock_rows_account account = account_of(model);
    CHECK(account.complaints == 0 && account.violations == 0 && account.gaps == 0);
    CHECK(account.queued == 0 && account.threads == 0);
    CHECK(account.posted == account.delivered + account.dropped + account.unobserved);
    CHECK(account.delivered == mirror->edits);
    return account;
}

static interlock_rows_model create(
    uint32_t strategy, double speed, interlock_rows_core *core, mirror *mirror) {
    static const interlock_rows_text rows[] = {{"row-0", 5}, {"row-1", 5}, {"row-2", 5}};
    interlock_rows_options options = default_options();
    options.strategy = strategy;
    options.seed = 7;
    options.speed = speed;
    options.initial_rows = rows;
    options.initial_count = 3;
    interlock_rows_model model = core == NULL ? make_model(options) : make_model_over(core, options);
    mirror->model = model;
    interlock_rows_observer observer = mirror_observer(mirror);
    OK(interlock_rows_observe(model, &observer, &mirror->registration));
    return model;
}

// Lets threads of this program edit a model whose rows Swift owns.
static void drive(uint32_t strategy, const char *name, double seconds, double speed) {
    mirror mirror = {0};
    interlock_rows_model model = create(strategy, 1, NULL, &mirror);
    for (int generation = 0; generation < 2; generation++) {
        OK(interlock_rows_restart(model, 0));
        interlock_rows_crew settings = {8, speed, 42};
        crew *crew = crew_start(&settings, edit, &model);
        CHECK(crew != NULL);
        EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve((uint64_t)(seconds * 1e9 / 2)));
        crew_stop(crew);
    }
    interlock_rows_account account = check_account(model, &mirror);
    CHECK(account.posted >= 16);
    printf("8 threads in C, %s: %llu edits, %llu rows, clean\n", name, (unsigned long long)account.posted,
           (unsigned long long)account.rows);
    finish(model, &mirror);
}

// Lets the threads of a core in C edit rows that the core owns.
static void own(double seconds, double speed) {
    mirror mirror = {0};
    interlock_rows_core core;
    OK(owning_core_open((interlock_rows_text){NULL, 0}, &core));
    interlock_rows_model model = create(0, speed, &core, &mirror);
    for (int generation = 0; generation < 2; generation++) {
        OK(interlock_rows_restart(model, 8));
        EXPECT(INTERLOCK_ROWS_TIMED_OUT, interlock_rows_serve((uint64_t)(seconds * 1e9 / 2)));
    }
    OK(interlock_rows_stop(model));
    interlock_rows_account account = check_account(model, &mirror);
    CHECK(account.posted >= 16 && interlock_rows_refused_edits() == 0);
    printf("8 threads of a core in C: %llu edits, %llu rows, clean\n", (unsigned long long)account.posted,
           (unsigned long long)account.rows);
    finish(model, &mirror);
}

void run_workers(double seconds, double speed) {
    drive(INTERLOCK_ROWS_ARRAY, "array", seconds, speed);
    drive(INTERLOCK_ROWS_TREE, "tree", seconds, speed);
    drive(INTERLOCK_ROWS_DELTA, "delta", seconds, speed);
    drive(INTERLOCK_ROWS_MAIN_ACTOR, "mainActor", seconds, speed);
    own(seconds, speed);
}

// MARK: Many edits

typedef struct {
    interlock_rows_model model;
    uint64_t count, seed;
} share;

static void *edit_much(void *argument) {
    share *share = argument;
    for (uint64_t number = 0; number < share->count; number++) {
        uint64_t random = crew_random(&share->seed);
        interlock_rows_position position = {INTERLOCK_ROWS_AT_SHARE, crew_random(&share->seed)};
        // Once there are rows, about as many are inserted as removed.
        if (random % 4 == 0) OK(interlock_rows_insert(share->model, position, "a row of this thread", 20));
        else if (random % 4 == 1) interlock_rows_remove(share->model, position);
        else interlock_rows_append(share->model, position, "+", 1);
    }
    return NULL;
}

static void make_edits(interlock_rows_model model, mirror *mirror, uint64_t count) {
    OK(interlock_rows_restart(model, 0));
    double start = now();
    share shares[2] = {{model, count / 2, 1}, {model, count - count / 2, 2}};
    pthread_t threads[2];
    for (int number = 0; number < 2; number++) {
        CHECK(pthread_create(&threads[number], NULL, edit_much, &shares[number]) == 0);
    }
    // The main thread serves meanwhile. So it gets single notifications, or composed ones while it is too
    // slow.
    while (mirror->edits < count / 2) interlock_rows_serve(1000000);
    for (int number = 0; number < 2; number++) pthread_join(threads[number], NULL);
    interlock_rows_account account = check_account(model, mirror);
    printf("%llu edits asked for, %llu made, %llu composed bursts, %.2f s\n", (unsigned long long)count,
           (unsigned long long)account.posted, (unsigned long long)account.composed, now() - start);
    finish(model, mirror);
}

void run_edits(uint64_t count) {
    mirror first = {0}, second = {0};
    make_edits(create(INTERLOCK_ROWS_TREE, 1, NULL, &first), &first, count);
    interlock_rows_core core;
    OK(owning_core_open((interlock_rows_text){NULL, 0}, &core));
    make_edits(create(0, 1, &core, &second), &second, count);
    CHECK(interlock_rows_refused_edits() == 0);
}
