#include "Apple.h"
#include "../../Sources/CInterlock/ParkingTable.c"
