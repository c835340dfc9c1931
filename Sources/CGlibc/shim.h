#ifndef RUNWAY_CGLIBC_SHIM_H
#define RUNWAY_CGLIBC_SHIM_H

// Part of the C library, and left out of Swift's module of it.
#include <getopt.h>
#include <malloc.h>

#endif
