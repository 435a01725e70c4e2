/* The baseline of Pango: every text broken into lines for every width, as a chat program would have it done.
 *
 *     .build/release/forme-baseline-pango TEXTFILE FONT-FAMILY-LIST SIZE WIDTHS SECONDS FIRST COUNT
 *
 * SIZE is in pixels, WIDTHS are pixels with commas between them. One thread; the font map, the context and the layout
 * are made once, so no text pays for looking up fonts. Hinting is off and positions are not rounded. */
#include <pango/pangofc-fontmap.h>
#include <pango/pangoft2.h>

#include "texts.h"

enum { MOST_WIDTHS = 64 };

struct engine {
    PangoLayout *layout;
    int widths[MOST_WIDTHS];
    int count;
};

static void without_hinting(FcPattern *pattern, gpointer unused) {
    (void)unused;
    FcPatternDel(pattern, FC_HINTING);
    FcPatternAddBool(pattern, FC_HINTING, FcFalse);
    FcPatternDel(pattern, FC_HINT_STYLE);
    FcPatternAddInteger(pattern, FC_HINT_STYLE, FC_HINT_NONE);
}

static PangoLayout *make_layout(const char *families, double size) {
    PangoFontMap *map = pango_ft2_font_map_new();
    pango_ft2_font_map_set_resolution(PANGO_FT2_FONT_MAP(map), 72, 72);
    pango_fc_font_map_set_default_substitute(PANGO_FC_FONT_MAP(map), without_hinting, NULL, NULL);
    PangoContext *context = pango_font_map_create_context(map);
    pango_context_set_round_glyph_positions(context, FALSE);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, families);
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_context_set_font_description(context, font);
    PangoLayout *layout = pango_layout_new(context);
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_auto_dir(layout, TRUE);
    return layout;
}

static void break_lines(void *of, struct text text, struct work *work) {
    struct engine *engine = of;
    pango_layout_set_text(engine->layout, text.bytes, text.length);
    for (int index = 0; index < engine->count; index++) {
        pango_layout_set_width(engine->layout, engine->widths[index]);
        for (GSList *rest = pango_layout_get_lines_readonly(engine->layout); rest; rest = rest->next) {
            PangoRectangle logical;
            pango_layout_line_get_extents(rest->data, NULL, &logical);
            add(work, pango_layout_line_get_start_index(rest->data));
            add(work, pango_layout_line_get_length(rest->data));
            add(work, logical.width);
            work->lines++;
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 8) fail("TEXTFILE FONT-FAMILY-LIST SIZE WIDTHS SECONDS FIRST COUNT are needed", argv[0]);
    struct engine engine = {make_layout(argv[2], atof(argv[3])), {0}, 0};
    for (char *width = strtok(argv[4], ","); width && engine.count < MOST_WIDTHS; width = strtok(NULL, ","))
        engine.widths[engine.count++] = (int)(atof(width) * PANGO_SCALE);
    benchmark(break_lines, &engine, read_texts(argv[1]), atof(argv[5]), atol(argv[6]), atol(argv[7]));
    return 0;
}
