#ifndef SKERRY_CPOSTGRESQL_H
#define SKERRY_CPOSTGRESQL_H

#include <stdbool.h>

/* The part of libpq's binary interface that Skerry uses; it has been the same since libpq 14, and libpq.so.5 stands for it. */
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

enum {
    SKERRY_PQ_CONNECTION_OK = 0,
    SKERRY_PQ_COMMAND_OK = 1,
    SKERRY_PQ_TUPLES_OK = 2,
    SKERRY_PQ_PIPELINE_SYNC = 10,
    SKERRY_PQ_PIPELINE_ABORTED = 11,
    SKERRY_PQ_PING_REJECTED = 1,
    SKERRY_PQ_PING_UNANSWERED = 2,
    /* 'C', the field of an error that has its SQLSTATE. */
    SKERRY_PQ_SQLSTATE = 67,
    /* 'M', its message. */
    SKERRY_PQ_MESSAGE = 77,
};

/* The functions of libpq by their names without PQ. Addresses of code never change, so any thread may use them. */
struct __attribute__((swift_attr("@Sendable"))) skerry_pq {
    PGconn *_Nullable (*_Nonnull connectdbParams)(const char *_Nullable const *_Nonnull keywords,
                                                  const char *_Nullable const *_Nonnull values, int expands);
    int (*_Nonnull pingParams)(const char *_Nullable const *_Nonnull keywords,
                               const char *_Nullable const *_Nonnull values, int expands);
    int (*_Nonnull status)(const PGconn *_Nonnull connection);
    char *_Nullable (*_Nonnull errorMessage)(const PGconn *_Nonnull connection);
    int (*_Nonnull socket)(const PGconn *_Nonnull connection);
    int (*_Nonnull backendPID)(const PGconn *_Nonnull connection);
    int (*_Nonnull setnonblocking)(PGconn *_Nonnull connection, int is_nonblocking);
    int (*_Nonnull enterPipelineMode)(PGconn *_Nonnull connection);
    void (*_Nullable (*_Nonnull setNoticeProcessor)(PGconn *_Nonnull connection,
                                                    void (*_Nullable processor)(void *_Nullable, const char *_Nullable),
                                                    void *_Nullable context))(void *_Nullable, const char *_Nullable);
    void (*_Nonnull finish)(PGconn *_Nonnull connection);

    int (*_Nonnull sendPrepare)(PGconn *_Nonnull connection, const char *_Nonnull name, const char *_Nonnull text, int count,
                                const unsigned *_Nullable types);
    int (*_Nonnull sendQueryPrepared)(PGconn *_Nonnull connection, const char *_Nonnull name, int count,
                                      const char *_Nullable const *_Nullable values, const int *_Nullable lengths,
                                      const int *_Nullable formats, int result_format);
    int (*_Nonnull pipelineSync)(PGconn *_Nonnull connection);
    int (*_Nonnull flush)(PGconn *_Nonnull connection);
    int (*_Nonnull consumeInput)(PGconn *_Nonnull connection);
    int (*_Nonnull isBusy)(PGconn *_Nonnull connection);
    PGresult *_Nullable (*_Nonnull getResult)(PGconn *_Nonnull connection);

    int (*_Nonnull resultStatus)(const PGresult *_Nonnull result);
    char *_Nullable (*_Nonnull resultErrorField)(const PGresult *_Nonnull result, int field);
    int (*_Nonnull ntuples)(const PGresult *_Nonnull result);
    int (*_Nonnull nfields)(const PGresult *_Nonnull result);
    char *_Nullable (*_Nonnull getvalue)(const PGresult *_Nonnull result, int row, int column);
    int (*_Nonnull getlength)(const PGresult *_Nonnull result, int row, int column);
    int (*_Nonnull getisnull)(const PGresult *_Nonnull result, int row, int column);
    void (*_Nonnull clear)(PGresult *_Nonnull result);
};

/* Loads libpq by the name of its file; a process that keeps its devices in a file does without it. On failure, `reason` is what
   the loader says, valid until its next call on this thread. See docs/decisions/0041-libcurl-on-demand.md. */
bool skerry_pq_load(const char *_Nonnull file, struct skerry_pq *_Nonnull library,
                    const char *_Nullable *_Nonnull reason);

#endif
