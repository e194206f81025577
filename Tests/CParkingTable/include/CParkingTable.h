#include "../../../Sources/CInterlock/ParkingTable.h"
