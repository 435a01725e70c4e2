// ICU behind a header of our own. ICU renames its functions by macros, and its headers collide with the ICU inside
// Foundation, so nothing of ICU is visible here: plain functions over UTF-16, answers into the caller's arrays.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// A break iterator and a bidi object, reused from text to text. Owned by one thread.
typedef struct forme_icu forme_icu;

/// NULL when ICU's data cannot be opened.
forme_icu *forme_icu_open(void);
void forme_icu_close(forme_icu *icu);

/// The version of the Unicode data, as "15.0.0.0", and of ICU itself.
void forme_icu_unicode_version(char text[20]);
void forme_icu_version(char text[20]);

/// Sets `bit` in `marks[i]` for every line break opportunity inside the text, before unit i. The locale is `en@lb=normal`, which is what
/// `line-break: auto` means to browsers.
bool forme_icu_line_breaks(forme_icu *icu, const uint16_t *text, int32_t length, uint16_t bit, uint16_t *marks);

/// Copies one of ICU's dictionaries of words, such as "khmerdict", when it fits. Answers its size, 0 without it.
int32_t forme_icu_dictionary(const char *name, uint8_t *bytes, int32_t capacity);

/// Sets `bit` in `marks[i]` for every extended grapheme cluster that starts at unit i. The engine has its own rules, which
/// tests compare with these.
bool forme_icu_clusters(const uint16_t *text, int32_t length, uint16_t bit, uint16_t *marks);

/// Resolves the levels of one paragraph whose direction is that of its first strong character, else left to right.
/// Answers the level of the paragraph itself, or -1 without memory.
int32_t forme_icu_levels(forme_icu *icu, const uint16_t *text, int32_t length, uint8_t *levels);

/// The facts that the engine asks of a character, in one look.
typedef struct {
    uint16_t script;     // ISO 15924 code as ICU numbers it
    uint8_t category;    // general category
    uint8_t lineBreak;   // UAX #14 class
    uint8_t eastAsian;   // East_Asian_Width
    uint8_t direction;   // Bidi_Class
    uint8_t cluster;     // Grapheme_Cluster_Break
    uint8_t joining;     // Joining_Type, or FORME_JOINING_*
    uint16_t flags;      // FORME_CHARACTER_*
} forme_character;

enum {
    FORME_CHARACTER_EMOJI = 1,
    FORME_CHARACTER_EMOJI_PRESENTATION = 2,
    FORME_CHARACTER_EMOJI_MODIFIER = 4,
    FORME_CHARACTER_REGIONAL_INDICATOR = 8,
    FORME_CHARACTER_IGNORABLE = 16,  // Default_Ignorable_Code_Point
    FORME_CHARACTER_OPENS = 32,      // Bidi_Paired_Bracket_Type
    FORME_CHARACTER_CLOSES = 64,
    FORME_CHARACTER_EXTENSIONS = 128,  // has Script_Extensions of its own
    FORME_CHARACTER_MARK = 256,        // gc = M
    FORME_CHARACTER_EXTENDED_PICTOGRAPHIC = 512,
    FORME_CHARACTER_JOINS = 1024,  // Joining_Type D, R or L
    FORME_CHARACTER_COMBINES = 2048,  // ccc is not 0
    FORME_CHARACTER_CONSONANT = 4096,  // Indic_Syllabic_Category
    FORME_CHARACTER_VIRAMA = 8192,
};

/// Letters of Syriac on which the forms of others depend.
enum { FORME_JOINING_ALAPH = 16, FORME_JOINING_DALATH_RISH = 17 };

forme_character forme_icu_character(uint32_t scalar);
/// Script extensions, at most `capacity`; returns how many there are.
int32_t forme_icu_script_extensions(uint32_t scalar, uint16_t *scripts, int32_t capacity);
uint32_t forme_icu_paired_bracket(uint32_t scalar);
/// Canonical decomposition, one step: writes one or two parts and returns how many, or 0.
int32_t forme_icu_decomposition(uint32_t scalar, uint32_t parts[2]);
/// The four letters of ISO 15924 for a script number, as HarfBuzz wants them; 0 when it has none.
uint32_t forme_icu_script_tag(uint16_t script);
