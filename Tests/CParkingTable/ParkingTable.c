// Compiles the parking table for its tests where `CInterlock` does not contain it.
#if !defined(__APPLE__)
#define INTERLOCK_PARKING_TABLE
#include "../../Sources/CInterlock/ParkingTable.c"
#endif
