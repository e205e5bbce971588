// The functions of libpq that Skerry calls, found in the library when it is loaded.

#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <stddef.h>

#define EACH_FUNCTION(of) \
    of(connectdbParams) of(pingParams) of(status) of(errorMessage) of(socket) of(backendPID) of(setnonblocking) \
    of(enterPipelineMode) of(setNoticeProcessor) of(finish) of(sendPrepare) of(sendQueryPrepared) of(pipelineSync) \
    of(flush) of(consumeInput) of(isBusy) of(getResult) of(resultStatus) of(resultErrorField) of(ntuples) of(nfields) of(getvalue) \
    of(getlength) of(getisnull) of(clear)

bool skerry_pq_load(const char *file, struct skerry_pq *library, const char **reason) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        *reason = dlerror();
        return false;
    }
#define FIND(name) \
    if ((library->name = (__typeof__(library->name))dlsym(handle, "PQ" #name)) == NULL) { \
        *reason = dlerror(); \
        return false; \
    }
    EACH_FUNCTION(FIND)
    return true;
}
