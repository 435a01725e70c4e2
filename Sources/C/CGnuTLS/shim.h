// GnuTLS's hashes, as far as Forme uses them.
#pragma once
#include <gnutls/crypto.h>
