#ifndef RUNWAY_CLIBXML2_SHIM_H
#define RUNWAY_CLIBXML2_SHIM_H

// Debian builds libxml2 with ICU, and <libxml/encoding.h> then includes the
// system's <unicode/ucnv.h>, whose UErrorCode collides with the one of
// Foundation's own ICU. Without the macro two trailing fields of a struct that
// RunWay never touches disappear, and nothing else.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlwriter.h>

#endif
