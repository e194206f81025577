#include "Apple.h"
#include "../../Sources/CInterlock/Darwin.c"
