#include "CInterlock.h"

#include <stdlib.h>

#if defined(__linux__)
#include <sys/auxv.h>
#else
#include <unistd.h>
#endif

// Whether the program's file gave the process privileges that its user does not have: it is setuid or setgid, or has
// capabilities.
static bool has_raised_privileges(void) {
#if defined(__linux__)
    return getauxval(AT_SECURE) != 0;
#else
    return issetugid() != 0;
#endif
}

const char *interlock_environment(const char *name) { return has_raised_privileges() ? NULL : getenv(name); }
