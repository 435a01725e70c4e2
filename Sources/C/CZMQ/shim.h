// libzmq, as far as Forme uses it, and the kernel calls that Swift's Glibc leaves out of what a poll loop needs, or that take
// structs and numbers which only macros of C name.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <zmq.h>

static inline int forme_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
static inline int forme_signalfd(const sigset_t *set) { return signalfd(-1, set, SFD_NONBLOCK | SFD_CLOEXEC); }

/// Bytes that wait to be read from a socket.
static inline int forme_unread(int socket, int *count) { return ioctl(socket, FIONREAD, count); }

/// The process at the other end of a socket in a folder; not 0 for any other socket.
static inline int forme_peer_process(int socket, int *process, unsigned *user) {
  struct sockaddr_storage own;
  socklen_t size = sizeof own;
  if (getsockname(socket, (struct sockaddr *)&own, &size) != 0 || own.ss_family != AF_UNIX) return -1;
  // struct ucred, which glibc hides: pid, uid, gid.
  int credentials[3];
  size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, credentials, &size) != 0) return -1;
  *process = credentials[0];
  *user = (unsigned)credentials[1];
  return 0;
}

/// ADDRESS:PORT of the other end of a TCP socket.
static inline int forme_peer_address(int socket, char *text, size_t room) {
  struct sockaddr_storage other;
  socklen_t size = sizeof other;
  char host[INET6_ADDRSTRLEN];
  if (getpeername(socket, (struct sockaddr *)&other, &size) != 0) return -1;
  if (other.ss_family == AF_INET) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)&other;
    if (!inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host)) return -1;
    snprintf(text, room, "%s:%d", host, ntohs(v4->sin_port));
    return 0;
  }
  if (other.ss_family != AF_INET6) return -1;
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&other;
  if (!inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof host)) return -1;
  snprintf(text, room, "[%s]:%d", host, ntohs(v6->sin6_port));
  return 0;
}

/// Bytes that somebody was sent and has not taken yet. libzmq tells when it needs a message no more, on a thread of its own; so an account
/// lives until its owner has closed it and every parcel of it is gone.
struct forme_account {
  long bytes;
  long holders;
  struct forme_account *whole;
};

/// Whole is the account of all peers together, or null.
static inline struct forme_account *forme_account_open(struct forme_account *whole) {
  struct forme_account *account = calloc(1, sizeof *account);
  if (!account) abort();
  account->holders = 1;
  account->whole = whole;
  if (whole) __atomic_add_fetch(&whole->holders, 1, __ATOMIC_RELAXED);
  return account;
}

static inline void forme_account_close(struct forme_account *account) {
  while (account && __atomic_sub_fetch(&account->holders, 1, __ATOMIC_ACQ_REL) == 0) {
    struct forme_account *whole = account->whole;
    free(account);
    account = whole;
  }
}

static inline long forme_account_bytes(const struct forme_account *account) {
  return __atomic_load_n(&account->bytes, __ATOMIC_RELAXED);
}

struct forme_parcel {
  struct forme_account *account;
  size_t size;
};

static inline void forme_account_add(struct forme_account *account, long bytes) {
  for (; account; account = account->whole) __atomic_add_fetch(&account->bytes, bytes, __ATOMIC_RELAXED);
}

static inline void forme_parcel_free(void *data, void *hint) {
  struct forme_parcel *parcel = hint;
  (void)data;
  forme_account_add(parcel->account, -(long)parcel->size);
  forme_account_close(parcel->account);
  free(parcel);
}

/// zmq_send, with the bytes on the account until libzmq has given them to the kernel.
static inline int forme_send_counted(
  void *socket, const void *bytes, size_t size, int flags, struct forme_account *account) {
  struct forme_parcel *parcel = malloc(sizeof *parcel + size);
  if (!parcel) return errno = ENOMEM, -1;
  parcel->account = account;
  parcel->size = size;
  memcpy(parcel + 1, bytes, size);
  zmq_msg_t message;
  if (zmq_msg_init_data(&message, parcel + 1, size, forme_parcel_free, parcel) != 0) return free(parcel), -1;
  __atomic_add_fetch(&account->holders, 1, __ATOMIC_RELAXED);
  forme_account_add(account, (long)size);
  int sent = zmq_msg_send(&message, socket, flags);
  if (sent < 0) {
    int code = errno;
    zmq_msg_close(&message);
    errno = code;
  }
  return sent;
}

/// Bytes that came over a connection of TCP so far; below zero for any other, and where the kernel does not count them.
static inline long long forme_received(int descriptor) {
  /// tcpi_bytes_received of linux/tcp.h, which cannot be included beside the older netinet/tcp.h of glibc.
  enum { place = 128 };
  unsigned char info[256] = {0};
  socklen_t length = sizeof info;
  long long bytes = -1;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &length) != 0 || length < place + sizeof bytes) return -1;
  memcpy(&bytes, info + place, sizeof bytes);
  return bytes;
}

/// Free memory goes back to the kernel.
static inline void forme_give_back_memory(void) { malloc_trim(0); }
