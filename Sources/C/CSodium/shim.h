// libsodium, as far as Forme uses it.
#pragma once
#include <sodium.h>
