// Loads the library that the argument names, and unloads it while code of the library is still to run: at the end of a
// thread that has read a snapshot, and in the thread that frees what was published.

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long (*count_numbers)(void);

// The two threads meet here after the read, and again after the library was unloaded.
static pthread_barrier_t meeting;

static void *read_and_end(void *argument) {
    (void)argument;
    if (count_numbers() != 3) exit(2);
    pthread_barrier_wait(&meeting);
    pthread_barrier_wait(&meeting);
    return NULL;
}

int main(int count, char **arguments) {
    void *plugin = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (plugin == NULL) {
        fprintf(stderr, "host: %s\n", count == 2 ? dlerror() : "no library given");
        return 1;
    }
    count_numbers = (long (*)(void))dlsym(plugin, "plugin_count");
    void (*publish)(void) = (void (*)(void))dlsym(plugin, "plugin_publish");
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_t thread;
    if (pthread_create(&thread, NULL, read_and_end, NULL) != 0) return 1;
    pthread_barrier_wait(&meeting);
    publish();
    if (dlclose(plugin) != 0) return 1;
    pthread_barrier_wait(&meeting);
    pthread_join(thread, NULL);
    // The library frees the published value 20 ms after the publication.
    usleep(100000);
    puts("host: the library's threads have ended");
    return 0;
}
