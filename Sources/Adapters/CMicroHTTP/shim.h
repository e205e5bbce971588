#ifndef SKERRY_CMICROHTTP_SHIM_H
#define SKERRY_CMICROHTTP_SHIM_H

#include <microhttpd.h>

/* The settings of a daemon. */
struct skerry_mhd_setup {
    int listening_socket;
    unsigned int connection_limit;
    size_t memory_per_connection;
    /* The chain of certificates and the private key, both PEM; NULL without TLS. They are copied. */
    const char *certificate;
    const char *key;
    MHD_AcceptPolicyCallback accept;
    MHD_NotifyConnectionCallback connection;
    /* Gets the target of a request as it was sent, not decoded. */
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    /* The first argument of each of these functions. */
    void *context;
};

/* Leaves escapes as they are: a decoded slash would look like one between parts of a path. */
static inline size_t skerry_mhd_keep(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return __builtin_strlen(text);
}

/* MHD_start_daemon is variadic, which Swift cannot call. The daemon has no thread: it works in MHD_run. */
static inline struct MHD_Daemon *skerry_mhd_start(const struct skerry_mhd_setup *setup) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)setup->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)setup->key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (setup->certificate ? MHD_USE_TLS : 0);
    return MHD_start_daemon(
        flags, 0, setup->accept, setup->context, setup->request, setup->context,
        MHD_OPTION_LISTEN_SOCKET, setup->listening_socket,
        MHD_OPTION_CONNECTION_LIMIT, setup->connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, setup->memory_per_connection,
        MHD_OPTION_NOTIFY_CONNECTION, setup->connection, setup->context,
        MHD_OPTION_NOTIFY_COMPLETED, setup->completed, setup->context,
        MHD_OPTION_URI_LOG_CALLBACK, setup->target, setup->context,
        MHD_OPTION_UNESCAPE_CALLBACK, &skerry_mhd_keep, NULL,
        MHD_OPTION_ARRAY, setup->certificate ? tls : &tls[3],
        MHD_OPTION_END);
}

/* The file to poll for; MHD_get_daemon_info is variadic, too. */
static inline int skerry_mhd_epoll_file(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

/* So is MHD_get_connection_info. The context is the one that MHD_NotifyConnectionCallback left. */
static inline int skerry_mhd_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}
static inline const struct sockaddr *skerry_mhd_peer(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}
static inline int skerry_mhd_is_secure(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info != NULL && info->tls_session != NULL;
}
static inline void *skerry_mhd_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

#endif
