#include "CForking.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A child that hangs would keep the output of the tests open, and the program that reads this output would wait for
// ever.
static void end_after_a_minute(void) {
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    signal(SIGALRM, SIG_DFL);
    alarm(60);
}

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

// Waits for the end of `child`, and ends it if it takes longer than the child's alarm: it may hang before it sets that.
static bool has_exited(pid_t child, int *status) {
    const struct timespec pause = {.tv_nsec = 1000000};
    for (time_t end = now() + 90; now() < end;) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended != 0) return ended == child && WIFEXITED(*status);
        nanosleep(&pause, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return false;
}

int in_forked_child(int (*body)(void)) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        end_after_a_minute();
        _exit(body());
    }
    int status = 0;
    return has_exited(child, &status) ? WEXITSTATUS(status) : -1;
}

struct call {
    int (*body)(void);
    int result;
};

static void *run(void *call) {
    ((struct call *)call)->result = ((struct call *)call)->body();
    return NULL;
}

static void *work(void *call) {
    sigset_t all;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    if (pthread_create(&thread, NULL, run, call) == 0) pthread_join(thread, NULL);
    return NULL;
}

int on_thread_of_worker(int (*body)(void)) {
    struct call call = {body, -1};
    pthread_t worker;
    if (pthread_create(&worker, NULL, work, &call) == 0) pthread_join(worker, NULL);
    return call.result;
}
