#if defined(__linux__)
#define _GNU_SOURCE  // dladdr
#endif
#include "CInterlock.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <stddef.h>

// Weak, because a program without dynamic linking has no loader, and the linker would warn of it.
extern __typeof__(dladdr) dladdr __attribute__((weak));
extern __typeof__(dlopen) dlopen __attribute__((weak));

void interlock_keep_loaded(void) {
    Dl_info image;
    if (dladdr == NULL || dlopen == NULL || dladdr((const void *)interlock_keep_loaded, &image) == 0) return;
    // The handle is never closed. For the program itself, which is never unloaded, there may be none.
    (void)dlopen(image.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

#else

// Apple's systems unload no image with Swift code.
void interlock_keep_loaded(void) {}

#endif
