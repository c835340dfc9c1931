#ifndef RUNWAY_CSQLITE_SHIM_H
#define RUNWAY_CSQLITE_SHIM_H

#include <sqlite3.h>

// Variadic in C, so not callable from Swift.
static inline int runway_sqlite3_disable_checkpoint_on_close(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline int runway_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                           sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int runway_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                           sqlite3_uint64 length) {
  return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

static inline void runway_sqlite3_result_text(sqlite3_context *context, const char *text,
                                              sqlite3_uint64 length) {
  sqlite3_result_text64(context, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
