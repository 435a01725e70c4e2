internal import CHarfBuzz

/// One HarfBuzz buffer, owned by one shaping lane and freed with it.
@safe struct ShapingBuffer: ~Copyable {
    private let raw: OpaquePointer
    private let language: hb_language_t?
    private let withoutMarks = [StaticString("mark"), "mkmk"].map {
        hb_feature_t(tag: FontFace.tag($0), value: 0, start: 0, end: .max)
    }

    init() {
        unsafe raw = hb_buffer_create()
        unsafe language = hb_language_from_string("en", -1)
    }

    deinit { unsafe hb_buffer_destroy(raw) }

    /// The setting in which a stretch of text is shaped.
    struct Setting: Hashable {
        var face: Int
        var script: UInt16
        var isRightToLeft: Bool
        /// The joining of the text before and behind it; nothing else there has a say in its forms.
        var joinsBefore: UInt8 = 0
        var joinsBehind: UInt8 = 0
        /// Whether marks are attached to their bases. False where that changes nothing that is measured, and takes
        /// time.
        var attachesMarks = true

        /// The whole setting as a number, for keys.
        var packed: UInt64 {
            let joins = UInt64(joinsBefore) << 8 | UInt64(joinsBehind)
            return UInt64(face) << 32 | joins << 48 | UInt64(script) << 1 | (isRightToLeft ? 1 : 0)
        }

        var joins: Bool { joinsBefore | joinsBehind != 0 }

        /// The setting for `range` of a text.
        func at(_ range: Range<Int>, of text: [CharacterRecord]) -> Setting {
            var setting = self
            setting.joinsBefore = text.joining(before: range.lowerBound)
            setting.joinsBehind = text.joining(at: range.upperBound)
            return setting
        }
    }

    /// Shapes `range` of `text` and returns its glyphs in visual order. All of the text is context, so that letters
    /// stay joined to their neighbours beside the range.
    borrowing func shape(_ text: [UInt16], _ range: Range<Int>, with face: FontFace, as setting: Setting) -> Glyphs {
        unsafe hb_buffer_clear_contents(raw)
        unsafe hb_buffer_set_direction(raw, setting.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        unsafe hb_buffer_set_script(raw, hb_script_from_iso15924_tag(Unicode.tag(ofScript: setting.script)))
        unsafe hb_buffer_set_language(raw, language)
        unsafe hb_buffer_add_utf16(
            raw, text, Int32(text.count), UInt32(range.lowerBound), Int32(range.count))
        unsafe hb_shape(face.font, raw, withoutMarks, setting.attachesMarks ? 0 : UInt32(withoutMarks.count))
        var count: UInt32 = 0
        let infos = unsafe hb_buffer_get_glyph_infos(raw, &count)
        let positions = unsafe hb_buffer_get_glyph_positions(raw, &count)
        return unsafe Glyphs(
            infos: UnsafeBufferPointer(start: infos, count: Int(count)),
            positions: UnsafeBufferPointer(start: positions, count: Int(count)), strike: face.strike)
    }

    /// The sum of the advances of `range`, shaped by itself.
    borrowing func width(_ text: [UInt16], _ range: Range<Int>, with face: FontFace, as setting: Setting) -> Int32 {
        let glyphs = shape(text, range, with: face, as: setting)
        return (0..<glyphs.count).reduce(0) { $0 &+ glyphs.advance($1) }
    }
}

/// The glyphs of the last shaping, until the next one.
@safe struct Glyphs {
    private let infos: UnsafeBufferPointer<hb_glyph_info_t>
    private let positions: UnsafeBufferPointer<hb_glyph_position_t>
    private let strike: BitmapStrike?

    fileprivate init(
        infos: UnsafeBufferPointer<hb_glyph_info_t>, positions: UnsafeBufferPointer<hb_glyph_position_t>,
        strike: BitmapStrike?
    ) {
        unsafe self.infos = unsafe infos
        unsafe self.positions = unsafe positions
        self.strike = strike
    }

    var count: Int { unsafe infos.count }

    /// The first unit of the cluster that the glyph belongs to.
    func cluster(_ i: Int) -> Int { unsafe Int(infos[i].cluster) }

    func glyph(_ i: Int) -> UInt32 { unsafe infos[i].codepoint }

    func isUnsafeToBreak(_ i: Int) -> Bool {
        unsafe infos[i].mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0
    }

    /// The advance of a glyph. That of a bitmap is in pixels of its strike; a glyph without one, such as a joiner,
    /// has no advance there.
    func advance(_ i: Int) -> Int32 {
        guard let strike else { return unsafe positions[i].x_advance }
        return strike.advance(ofGlyph: glyph(i)) ?? 0
    }
}
