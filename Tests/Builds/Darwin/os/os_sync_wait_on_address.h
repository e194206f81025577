#include "../Darwin.h"
