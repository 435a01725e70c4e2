/* The baseline of HarfBuzz: each text shaped once as a single run, and nothing else done with it.
 *
 *     .build/release/forme-baseline-harfbuzz TEXTFILE FONTFILE SIZE SECONDS FIRST COUNT
 *
 * SIZE is in pixels. One thread; the font and the buffer are made once. The report calls each text one line. */
#include <hb-ot.h>
#include <hb.h>

#include "texts.h"

struct engine {
    hb_font_t *font;
    hb_buffer_t *buffer;
};

static hb_font_t *make_font(const char *path, double size) {
    hb_blob_t *blob = hb_blob_create_from_file_or_fail(path);
    if (!blob) fail("cannot be read", path);
    hb_font_t *font = hb_font_create(hb_face_create(blob, 0));
    hb_font_set_scale(font, (int)(size * 65536), (int)(size * 65536));
    return font;
}

static void shape(void *of, struct text text, struct work *work) {
    struct engine *engine = of;
    hb_buffer_clear_contents(engine->buffer);
    hb_buffer_add_utf8(engine->buffer, text.bytes, text.length, 0, text.length);
    hb_buffer_guess_segment_properties(engine->buffer);
    hb_shape(engine->font, engine->buffer, NULL, 0);
    unsigned count;
    hb_glyph_position_t *positions = hb_buffer_get_glyph_positions(engine->buffer, &count);
    int64_t width = 0;
    for (unsigned index = 0; index < count; index++) width += positions[index].x_advance;
    add(work, width);
    work->lines++;
}

int main(int argc, char **argv) {
    if (argc != 7) fail("TEXTFILE FONTFILE SIZE SECONDS FIRST COUNT are needed", argv[0]);
    struct engine engine = {make_font(argv[2], atof(argv[3])), hb_buffer_create()};
    benchmark(shape, &engine, read_texts(argv[1]), atof(argv[4]), atol(argv[5]), atol(argv[6]));
    return 0;
}
