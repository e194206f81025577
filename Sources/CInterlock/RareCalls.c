#include "CInterlock.h"

INTERLOCK_PRESERVING uintptr_t interlock_call_preserving(uintptr_t first, uintptr_t second, interlock_slow_path function) {
    return function(first, second);
}
