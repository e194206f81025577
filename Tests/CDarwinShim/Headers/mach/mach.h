#include "CDarwinShim.h"
