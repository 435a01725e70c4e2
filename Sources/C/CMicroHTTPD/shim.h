// libmicrohttpd, as far as Forme uses it, and what of the kernel's sockets Swift's Glibc leaves out.
#pragma once
#include <errno.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

// The settings that a server gives its daemon. Starting one is a variadic call, which Swift cannot import.
struct forme_http_options {
    int listener;
    unsigned int connections;
    unsigned int idle_seconds;
    size_t memory;
    const char *key;
    const char *certificate;
    void *owner;
    MHD_AccessHandlerCallback request;
    MHD_AcceptPolicyCallback accept;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *owner, const char *target, struct MHD_Connection *connection);
    size_t (*unescape)(void *owner, struct MHD_Connection *connection, char *text);
    // A length of a body that cannot be read is about to be refused.
    void (*unreadable)(void *owner);
};

// The answers of libmicrohttpd tell all that it logs, except for bad lengths: it answers these with two heads.
static inline void forme_http_log(void *given, const char *format, va_list arguments) {
    const struct forme_http_options *options = (const struct forme_http_options *)given;
    (void)arguments;
    if (strstr(format, "Content-Length")) options->unreadable(options->owner);
}

// TLS 1.2 and 1.3 with forward secrecy and authenticated encryption, and nothing else.
#define FORME_TLS_PRIORITIES \
    "NONE:+VERS-TLS1.3:+VERS-TLS1.2:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:+AEAD:+ECDHE-ECDSA:+ECDHE-RSA:" \
    "+GROUP-ALL:+SIGN-ALL:-SIGN-RSA-SHA1:-SIGN-ECDSA-SHA1:+COMP-NULL:+CTYPE-X509:%SERVER_PRECEDENCE"

// Without a thread of its own: the caller waits for the epoll descriptor, and calls MHD_run. The given options must live as long.
static inline struct MHD_Daemon *forme_http_start(struct forme_http_options *given) {
    struct MHD_OptionItem tls[] = {
        {given->key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)given->key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)given->certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)FORME_TLS_PRIORITIES},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_ERROR_LOG
        | (given->key ? MHD_USE_TLS : 0);
    return MHD_start_daemon(
        flags, 0, given->accept, given->owner, given->request, given->owner,
        MHD_OPTION_EXTERNAL_LOGGER, forme_http_log, given,
        MHD_OPTION_LISTEN_SOCKET, given->listener,
        MHD_OPTION_CONNECTION_LIMIT, given->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, given->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, given->memory,
        // Strictness would add only that HTTP 1.1 names a host, which is looked at here: libmicrohttpd says it with two heads.
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
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
static inline const struct sockaddr *forme_http_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}


// The length that a request says its body has: the first, as libmicrohttpd reads no other. NULL where there is none.
static inline const char *forme_http_length(struct MHD_Connection *connection) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
}
// Sends bytes that fit, past libmicrohttpd, on a connection on which nothing is being sent.
static inline void forme_http_say(struct MHD_Connection *connection, const void *bytes, size_t count) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (info && info->tls_session) {
        gnutls_record_send((gnutls_session_t)info->tls_session, bytes, count);
    } else {
        send(forme_http_socket(connection), bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}

// A certificate chain and its key, for any number of sessions. NULL when they are none, or do not belong together.
static inline gnutls_certificate_credentials_t forme_tls_credentials(const char *chain, const char *key) {
    gnutls_certificate_credentials_t made = NULL;
    const gnutls_datum_t chain_text = {(unsigned char *)chain, (unsigned int)strlen(chain)};
    const gnutls_datum_t key_text = {(unsigned char *)key, (unsigned int)strlen(key)};
    if (gnutls_certificate_allocate_credentials(&made) != GNUTLS_E_SUCCESS) return NULL;
    if (gnutls_certificate_set_x509_key_mem(made, &chain_text, &key_text, GNUTLS_X509_FMT_PEM) < 0) {
        gnutls_certificate_free_credentials(made);
        return NULL;
    }
    return made;
}
// Before the handshake of a connection: the credentials must live as long as it does.
static inline int forme_tls_show(struct MHD_Connection *connection, gnutls_certificate_credentials_t credentials) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (!info || !info->tls_session) return 0;
    return gnutls_credentials_set((gnutls_session_t)info->tls_session, GNUTLS_CRD_CERTIFICATE, credentials)
        == GNUTLS_E_SUCCESS;
}

// Bytes that the other end of a TCP connection has acknowledged; 0 where the kernel does not say. As in linux/tcp.h, which
// cannot stand beside netinet/tcp.h: tcpi_bytes_acked is the 64-bit number at byte 120.
static inline unsigned long long forme_tcp_acknowledged(int socket) {
    unsigned char facts[128];
    unsigned long long count = 0;
    socklen_t length = sizeof facts;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, facts, &length) != 0 || length < 128) return 0;
    memcpy(&count, facts + 120, sizeof count);
    return count;
}

// Tells once that the other end of a socket has gone, or will send no more.
static inline int forme_hangup_watch(int epoll, int socket, unsigned long long id) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data = {.u64 = id}};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0) return 0;
    return epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event);
}
static inline void forme_hangup_forget(int epoll, int socket) {
    struct epoll_event event = {0};
    epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event);
}
// How many there were; their ids are written there. At most 256.
static inline int forme_hangup_take(int epoll, unsigned long long *ids) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, 256, 0);
    for (int i = 0; i < count; i++) ids[i] = events[i].data.u64;
    return count;
}
