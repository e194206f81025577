// `check` copies this file into the module `CInterlock` of a package with planted faults. The environment
// variable `INTERLOCK_FAULT` contains the number of the fault to activate.

#include "CInterlock.h"
#include <stdlib.h>

int interlock_planted_fault;

__attribute__((constructor(101))) static void choose(void) {
    const char *number = getenv("INTERLOCK_FAULT");
    if (number) interlock_planted_fault = atoi(number);
}
