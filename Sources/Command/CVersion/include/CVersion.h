#ifndef CVERSION_H
#define CVERSION_H

/// The version of this build.
const char *_Nonnull skerry_version(void);

#endif
