#ifndef SKERRY_CYAML_SHIM_H
#define SKERRY_CYAML_SHIM_H

#include <yaml.h>

#endif
