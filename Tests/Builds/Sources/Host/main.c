// Loads the library that the first argument names, and unloads it while code of the library is still to run: at the end of a
// thread that has read a snapshot, and in the thread that frees what was published.
//
// Before that, loads the library of a second argument, reads a snapshot of each on the same thread, and forks.

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long (*read_numbers)(void (*body)(void));
static void (*publish)(void);

// The two threads meet here after the read, and again after the library was unloaded.
static pthread_barrier_t meeting;

static void do_nothing(void) {}

static void *read_and_end(void *argument) {
    (void)argument;
    if (read_numbers(do_nothing) != 3) exit(2);
    pthread_barrier_wait(&meeting);
    pthread_barrier_wait(&meeting);
    return NULL;
}

// The library frees a published value 20 ms after the next publication.
static void wait_for_free(void) { usleep(100000); }

static void replace(void) {
    publish();
    wait_for_free();
}

// A fork waits for the mutexes of both libraries, and would wait forever if they were one.
static bool can_fork(void) {
    alarm(60);
    pid_t child = fork();
    if (child == 0) _exit(0);
    int status = 1;
    bool is_over = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    alarm(0);
    return is_over;
}

static void *load(const char *path, int scope) {
    void *plugin = dlopen(path, RTLD_NOW | scope);
    if (plugin == NULL) {
        fprintf(stderr, "host: %s\n", dlerror());
        exit(1);
    }
    read_numbers = (long (*)(void (*)(void)))dlsym(plugin, "plugin_read");
    publish = (void (*)(void))dlsym(plugin, "plugin_publish");
    return plugin;
}

int main(int count, char **arguments) {
    if (count < 2) return 1;
    if (count > 2) {
        // Its symbols come before those of the other library.
        load(arguments[2], RTLD_GLOBAL);
        read_numbers(do_nothing);
    }
    void *plugin = load(arguments[1], RTLD_LOCAL);
    if (count > 2 && read_numbers(replace) != 3) {
        fputs("host: the numbers were freed while they were read\n", stderr);
        return 1;
    }
    if (count > 2 && !can_fork()) {
        fputs("host: a child could not be made\n", stderr);
        return 1;
    }
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_t thread;
    if (pthread_create(&thread, NULL, read_and_end, NULL) != 0) return 1;
    pthread_barrier_wait(&meeting);
    publish();
    if (dlclose(plugin) != 0) return 1;
    pthread_barrier_wait(&meeting);
    pthread_join(thread, NULL);
    wait_for_free();
    puts("host: the library's threads have ended");
    return 0;
}
