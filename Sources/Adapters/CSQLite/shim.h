#ifndef SKERRY_CSQLITE_SHIM_H
#define SKERRY_CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT, a macro that Swift does not see: SQLite copies the bytes before the call returns. */
static inline sqlite3_destructor_type skerry_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

#endif
