// Makes the file that is included next one for Apple's systems: with their conditions and calls.

#define _GNU_SOURCE
#include "CDarwinShim.h"
#include <stdlib.h>
#include <time.h>

#define __APPLE__ 1
#define __builtin_available(...) darwin_is_available(#__VA_ARGS__)
#define pthread_cond_wait darwin_cond_wait
#define pthread_rwlock_init darwin_rwlock_init
