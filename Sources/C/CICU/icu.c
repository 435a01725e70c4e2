#include "CICU.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ubidi.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/udata.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>
#include <unicode/uversion.h>

struct forme_icu {
    UBreakIterator *line;
    UBiDi *bidi;
};

forme_icu *forme_icu_open(void) {
    forme_icu *icu = calloc(1, sizeof *icu);
    if (icu == NULL) return NULL;
    UErrorCode status = U_ZERO_ERROR;
    icu->line = ubrk_open(UBRK_LINE, "en@lb=normal", NULL, 0, &status);
    icu->bidi = ubidi_open();
    if (U_FAILURE(status) || icu->bidi == NULL) {
        forme_icu_close(icu);
        return NULL;
    }
    return icu;
}

void forme_icu_close(forme_icu *icu) {
    if (icu == NULL) return;
    if (icu->line != NULL) ubrk_close(icu->line);
    if (icu->bidi != NULL) ubidi_close(icu->bidi);
    free(icu);
}

void forme_icu_unicode_version(char text[20]) {
    UVersionInfo version;
    u_getUnicodeVersion(version);
    u_versionToString(version, text);
}

void forme_icu_version(char text[20]) {
    UVersionInfo version;
    u_getVersion(version);
    u_versionToString(version, text);
}

static bool mark(UBreakIterator *iterator, const uint16_t *text, int32_t length, uint16_t bit, uint16_t *marks) {
    UErrorCode status = U_ZERO_ERROR;
    ubrk_setText(iterator, (const UChar *)text, length, &status);
    if (U_FAILURE(status)) return false;
    for (int32_t i = ubrk_next(iterator); i != UBRK_DONE && i < length; i = ubrk_next(iterator)) marks[i] |= bit;
    return true;
}

bool forme_icu_line_breaks(forme_icu *icu, const uint16_t *text, int32_t length, uint16_t bit, uint16_t *marks) {
    return mark(icu->line, text, length, bit, marks);
}

int32_t forme_icu_dictionary(const char *name, uint8_t *bytes, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    UDataMemory *data = udata_open(U_ICUDATA_NAME "-brkitr", "dict", name, &status);
    if (U_FAILURE(status)) return 0;
    // Eight numbers begin every dictionary; the fourth is its size.
    const int32_t *numbers = udata_getMemory(data);
    int32_t size = numbers[3];
    if (size > 0 && size <= capacity) memcpy(bytes, numbers, (size_t)size);
    udata_close(data);
    return size;
}

bool forme_icu_clusters(const uint16_t *text, int32_t length, uint16_t bit, uint16_t *marks) {
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *iterator = ubrk_open(UBRK_CHARACTER, "en", NULL, 0, &status);
    if (U_FAILURE(status)) return false;
    if (length > 0) marks[0] |= bit;
    bool done = mark(iterator, text, length, bit, marks);
    ubrk_close(iterator);
    return done;
}

int32_t forme_icu_levels(forme_icu *icu, const uint16_t *text, int32_t length, uint8_t *levels) {
    UErrorCode status = U_ZERO_ERROR;
    ubidi_setPara(icu->bidi, (const UChar *)text, length, UBIDI_DEFAULT_LTR, NULL, &status);
    const UBiDiLevel *found = ubidi_getLevels(icu->bidi, &status);
    if (U_FAILURE(status)) return -1;
    memcpy(levels, found, (size_t)length);
    return ubidi_getParaLevel(icu->bidi);
}

static bool joins(UChar32 c) {
    int32_t type = u_getIntPropertyValue(c, UCHAR_JOINING_TYPE);
    return type == U_JT_DUAL_JOINING || type == U_JT_RIGHT_JOINING || type == U_JT_LEFT_JOINING;
}

static uint8_t joining(UChar32 c) {
    switch (u_getIntPropertyValue(c, UCHAR_JOINING_GROUP)) {
    case U_JG_ALAPH: return FORME_JOINING_ALAPH;
    case U_JG_DALATH_RISH: return FORME_JOINING_DALATH_RISH;
    default: return (uint8_t)u_getIntPropertyValue(c, UCHAR_JOINING_TYPE);
    }
}

forme_character forme_icu_character(uint32_t scalar) {
    UChar32 c = (UChar32)scalar;
    UErrorCode status = U_ZERO_ERROR;
    forme_character answer = {0};
    int32_t category = u_charType(c);
    answer.script = (uint16_t)uscript_getScript(c, &status);
    answer.category = (uint8_t)category;
    answer.lineBreak = (uint8_t)u_getIntPropertyValue(c, UCHAR_LINE_BREAK);
    answer.eastAsian = (uint8_t)u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    answer.direction = (uint8_t)u_charDirection(c);
    answer.cluster = (uint8_t)u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK);
    answer.joining = joining(c);
    int32_t syllabic = u_getIntPropertyValue(c, UCHAR_INDIC_SYLLABIC_CATEGORY);
    int32_t bracket = u_getIntPropertyValue(c, UCHAR_BIDI_PAIRED_BRACKET_TYPE);
    UScriptCode extensions[32];
    int32_t count = uscript_getScriptExtensions(c, extensions, 32, &status);
    answer.flags = (uint16_t)(
        (u_hasBinaryProperty(c, UCHAR_EMOJI) ? FORME_CHARACTER_EMOJI : 0) |
        (u_hasBinaryProperty(c, UCHAR_EMOJI_PRESENTATION) ? FORME_CHARACTER_EMOJI_PRESENTATION : 0) |
        (u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER) ? FORME_CHARACTER_EMOJI_MODIFIER : 0) |
        (u_hasBinaryProperty(c, UCHAR_REGIONAL_INDICATOR) ? FORME_CHARACTER_REGIONAL_INDICATOR : 0) |
        (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ? FORME_CHARACTER_IGNORABLE : 0) |
        (u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) ? FORME_CHARACTER_EXTENDED_PICTOGRAPHIC : 0) |
        (joins(c) ? FORME_CHARACTER_JOINS : 0) |
        (u_getCombiningClass(c) != 0 ? FORME_CHARACTER_COMBINES : 0) |
        (syllabic == U_INSC_CONSONANT ? FORME_CHARACTER_CONSONANT : 0) |
        (syllabic == U_INSC_VIRAMA ? FORME_CHARACTER_VIRAMA : 0) |
        (bracket == U_BPT_OPEN ? FORME_CHARACTER_OPENS : 0) | (bracket == U_BPT_CLOSE ? FORME_CHARACTER_CLOSES : 0) |
        (count > 1 || (count == 1 && extensions[0] != answer.script) ? FORME_CHARACTER_EXTENSIONS : 0) |
        (U_MASK(category) & U_GC_M_MASK ? FORME_CHARACTER_MARK : 0));
    return answer;
}

int32_t forme_icu_script_extensions(uint32_t scalar, uint16_t *scripts, int32_t capacity) {
    UScriptCode found[32];
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = uscript_getScriptExtensions((UChar32)scalar, found, 32, &status);
    if (U_FAILURE(status)) return 0;
    for (int32_t i = 0; i < count && i < capacity; i++) scripts[i] = (uint16_t)found[i];
    return count < capacity ? count : capacity;
}

uint32_t forme_icu_paired_bracket(uint32_t scalar) { return (uint32_t)u_getBidiPairedBracket((UChar32)scalar); }

int32_t forme_icu_decomposition(uint32_t scalar, uint32_t parts[2]) {
    UErrorCode status = U_ZERO_ERROR;
    UChar units[8];
    const UNormalizer2 *normalizer = unorm2_getNFCInstance(&status);
    int32_t length = unorm2_getRawDecomposition(normalizer, (UChar32)scalar, units, 8, &status);
    if (U_FAILURE(status) || length <= 0) return 0;
    int32_t count = 0;
    for (int32_t i = 0; i < length && count < 2; count++) U16_NEXT(units, i, length, parts[count]);
    return count;
}

uint32_t forme_icu_script_tag(uint16_t script) {
    const char *name = uscript_getShortName((UScriptCode)script);
    if (name == NULL || strlen(name) != 4) return 0;
    return (uint32_t)(uint8_t)name[0] << 24 | (uint32_t)(uint8_t)name[1] << 16 | (uint32_t)(uint8_t)name[2] << 8 |
           (uint32_t)(uint8_t)name[3];
}
