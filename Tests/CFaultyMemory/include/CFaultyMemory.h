#ifndef SKERRY_CFAULTYMEMORY_H
#define SKERRY_CFAULTYMEMORY_H

#include <stdbool.h>

/// What SQLite's allocations on one thread are to do, and what became of it.
struct faulty_memory {
    /// Which one fails, from 1 on; 0 when none does.
    long call;
    /// Whether all later ones fail, too.
    bool persists;
    long calls;
    long fired;
};

/// Puts a plan into force for the calling thread, and returns the one before.
struct faulty_memory faulty_memory_follow(struct faulty_memory next);

/// Whether SQLite takes its memory here.
bool faulty_memory_is_installed(void);

#endif
