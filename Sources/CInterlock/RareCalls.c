#include "CInterlock.h"

INTERLOCK_PRESERVING uintptr_t interlock_call_preserving(interlock_slow_path function, uintptr_t first, uintptr_t second) {
    return function(first, second);
}
