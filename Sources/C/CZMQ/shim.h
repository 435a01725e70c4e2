// libzmq, as far as Forme uses it, and the two kernel calls that Swift's Glibc leaves out of what a poll loop needs.
#pragma once
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <zmq.h>

static inline int forme_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
static inline int forme_signalfd(const sigset_t *set) { return signalfd(-1, set, SFD_NONBLOCK | SFD_CLOEXEC); }
