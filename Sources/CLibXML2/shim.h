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

// libxml2 prints some faults, through a function that belongs to the thread.
// Its type is variadic, and can't be written in Swift.
static inline void runway_ignoreMessage(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

// Keeps libxml2 from printing, and returns what it printed with.
static inline xmlGenericErrorFunc runway_muteLibXML(void) {
  xmlGenericErrorFunc printer = xmlGenericError;
  xmlGenericError = runway_ignoreMessage;
  return printer;
}

static inline void runway_unmuteLibXML(xmlGenericErrorFunc printer) {
  xmlGenericError = printer;
}

#endif
