// Copied into `CInterlock` where faults are planted: the environment chooses one by its number.

#include "CInterlock.h"
#include <stdlib.h>

int interlock_planted_fault;

__attribute__((constructor(101))) static void choose(void) {
    const char *number = getenv("INTERLOCK_FAULT");
    if (number) interlock_planted_fault = atoi(number);
}
