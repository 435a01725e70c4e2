// libzmq, as far as Forme uses it.
#pragma once
#include <errno.h>
#include <zmq.h>
