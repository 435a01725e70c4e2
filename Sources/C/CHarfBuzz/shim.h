// HarfBuzz, as far as Forme uses it. Shapes are asked of hb-ot: no rasteriser is needed.
#pragma once
#include <hb-ot.h>
#include <hb.h>

// Macros and casts that Swift cannot import.
static inline hb_codepoint_t forme_hb_set_invalid(void) { return HB_SET_VALUE_INVALID; }
static inline hb_tag_t forme_hb_tag(char a, char b, char c, char d) { return HB_TAG(a, b, c, d); }
