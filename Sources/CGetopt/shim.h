#ifndef RUNWAY_CGETOPT_SHIM_H
#define RUNWAY_CGETOPT_SHIM_H

// Part of the C library, and left out of Swift's module of it.
#include <getopt.h>

#endif
