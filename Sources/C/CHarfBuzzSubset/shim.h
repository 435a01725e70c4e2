// HarfBuzz and its subsetter, as far as fonts are cut with them.
#pragma once
#include <hb-ot.h>
#include <hb-subset.h>
#include <hb.h>

// Macros that Swift cannot import.
static inline hb_codepoint_t forme_subset_set_invalid(void) { return HB_SET_VALUE_INVALID; }
