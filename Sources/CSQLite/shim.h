#ifndef RUNWAY_CSQLITE_SHIM_H
#define RUNWAY_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
