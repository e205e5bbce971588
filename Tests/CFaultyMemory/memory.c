// Memory of SQLite that fails when a test says so: its own, with a count before it.
//
// SQLite takes another allocator only before its first call (sqlite3_config), and other tests share the process. So it is
// put in before main begins, in the one way that Swift has not: a constructor.

#include "CFaultyMemory.h"

#include <sqlite3.h>

static sqlite3_mem_methods of_sqlite;
static bool is_installed;
static _Thread_local struct faulty_memory plan;

static bool fails(void) {
    if (plan.call == 0) return false;
    plan.calls += 1;
    if (plan.persists ? plan.calls < plan.call : plan.calls != plan.call) return false;
    plan.fired += 1;
    return true;
}

static void *allocate(int size) {
    return fails() ? 0 : of_sqlite.xMalloc(size);
}

static void *reallocate(void *memory, int size) {
    return fails() ? 0 : of_sqlite.xRealloc(memory, size);
}

__attribute__((constructor)) static void install(void) {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &of_sqlite) != SQLITE_OK) return;
    sqlite3_mem_methods faulty = of_sqlite;
    faulty.xMalloc = allocate;
    faulty.xRealloc = reallocate;
    is_installed = sqlite3_config(SQLITE_CONFIG_MALLOC, &faulty) == SQLITE_OK;
}

struct faulty_memory faulty_memory_follow(struct faulty_memory next) {
    struct faulty_memory before = plan;
    plan = next;
    return before;
}

bool faulty_memory_is_installed(void) {
    return is_installed;
}
