// libmicrohttpd, as far as Forme uses it, and what of the kernel's sockets Swift's Glibc leaves out.
#pragma once
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

// What a server gives its daemon. Starting one is a variadic call, which Swift cannot import.
struct forme_http_options {
    int listener;
    unsigned int connections;
    unsigned int connections_per_address;
    unsigned int idle_seconds;
    size_t memory;
    const char *key;
    const char *certificate;
    void *owner;
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *owner, const char *target, struct MHD_Connection *connection);
    size_t (*unescape)(void *owner, struct MHD_Connection *connection, char *text);
};

// Without a thread of its own: the caller waits for the epoll descriptor, and calls MHD_run.
static inline struct MHD_Daemon *forme_http_start(const struct forme_http_options *given) {
    struct MHD_OptionItem tls[] = {
        {given->key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)given->key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)given->certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | (given->key ? MHD_USE_TLS : 0);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, given->request, given->owner,
        MHD_OPTION_LISTEN_SOCKET, given->listener,
        MHD_OPTION_CONNECTION_LIMIT, given->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, given->connections_per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, given->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, given->memory,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, given->completed, given->owner,
        MHD_OPTION_NOTIFY_CONNECTION, given->connection, given->owner,
        MHD_OPTION_URI_LOG_CALLBACK, given->target, given->owner,
        MHD_OPTION_UNESCAPE_CALLBACK, given->unescape, given->owner,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_END);
}

static inline int forme_http_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}
static inline int forme_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
static inline void *forme_http_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
static inline size_t forme_http_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
