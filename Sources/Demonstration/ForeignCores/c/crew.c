#include "crew.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct crew {
    interlock_rows_crew settings;
    crew_edit edit;
    void *context;
    // Guards `shall_stop` and `running`.
    pthread_mutex_t lock;
    pthread_cond_t stopping;
    bool shall_stop;
    size_t running;
    struct worker *workers;
    size_t started;
};

typedef struct worker {
    crew *crew;
    size_t number;
    pthread_t thread;
} worker;

uint64_t crew_random(uint64_t *state) {
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

// A random number below `limit`.
static uint64_t below(uint64_t limit, uint64_t *state) { return (crew_random(state) >> 32) * limit >> 32; }

// Sleeps for `seconds`, or until the crew is stopped; returns false if the crew was stopped.
static bool nap(crew *crew, double seconds) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    double whole = floor(seconds);
    end.tv_sec += (time_t)whole;
    end.tv_nsec += (long)((seconds - whole) * 1e9);
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&crew->lock);
    while (!crew->shall_stop && seconds > 0) {
        if (pthread_cond_timedwait(&crew->stopping, &crew->lock, &end) == ETIMEDOUT) break;
    }
    bool goes_on = !crew->shall_stop;
    pthread_mutex_unlock(&crew->lock);
    return goes_on;
}

static void *work(void *argument) {
    worker *self = argument;
    crew *crew = self->crew;
    uint64_t state = crew->settings.seed ^ (self->number + 1) * UINT64_C(0xd1342543de82ef95);
    char name[32], mark[32];
    int name_length = snprintf(name, sizeof name, "thread-%zu", self->number);
    int mark_length = snprintf(mark, sizeof mark, "-%zu", self->number);
    interlock_rows_text insertion = {name, (size_t)name_length}, addition = {mark, (size_t)mark_length};

    interlock_rows_edit edit = {
        INTERLOCK_ROWS_INSERTED, {INTERLOCK_ROWS_AT_SHARE, crew_random(&state)}, insertion};
    do {
        // The status is ignored: in an empty list, the edit may find no row, which is no error.
        crew->edit(crew->context, &edit);
        uint64_t choice = below(100, &state);
        edit.change = choice < 20   ? INTERLOCK_ROWS_INSERTED
                      : choice < 30 ? INTERLOCK_ROWS_REMOVED
                                    : INTERLOCK_ROWS_MODIFIED;
        edit.text = edit.change == INTERLOCK_ROWS_INSERTED ? insertion : addition;
        edit.position.value = crew_random(&state);
    } while (nap(crew, (double)(1000 + below(3001, &state)) / 1000 / crew->settings.speed));

    pthread_mutex_lock(&crew->lock);
    crew->running -= 1;
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

crew *crew_start(const interlock_rows_crew *settings, crew_edit edit, void *context) {
    crew *crew = calloc(1, sizeof *crew);
    worker *workers = calloc(settings->count + 1, sizeof *workers);
    if (crew == NULL || workers == NULL) {
        free(crew);
        free(workers);
        return NULL;
    }
    crew->settings = *settings;
    crew->edit = edit;
    crew->context = context;
    crew->workers = workers;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->stopping, NULL);
    crew->running = settings->count;
    for (size_t number = 0; number < settings->count; number++) {
        workers[number].crew = crew;
        workers[number].number = number;
        if (pthread_create(&workers[number].thread, NULL, work, &workers[number]) != 0) {
            crew_stop(crew);
            return NULL;
        }
        crew->started += 1;
    }
    return crew;
}

void crew_stop(crew *crew) {
    if (crew == NULL) return;
    pthread_mutex_lock(&crew->lock);
    crew->shall_stop = true;
    pthread_cond_broadcast(&crew->stopping);
    pthread_mutex_unlock(&crew->lock);
    for (size_t number = 0; number < crew->started; number++) {
        pthread_join(crew->workers[number].thread, NULL);
    }
    pthread_cond_destroy(&crew->stopping);
    pthread_mutex_destroy(&crew->lock);
    free(crew->workers);
    free(crew);
}

size_t crew_running(crew *crew) {
    if (crew == NULL) return 0;
    pthread_mutex_lock(&crew->lock);
    size_t running = crew->running;
    pthread_mutex_unlock(&crew->lock);
    return running;
}
