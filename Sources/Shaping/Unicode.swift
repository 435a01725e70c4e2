internal import CICU

/// ICU's answers about one text after another: words of dictionaries, bidi levels. Owned by one lane, since break
/// iterators keep state.
@safe struct Unicode: ~Copyable {
    private let icu: OpaquePointer

    /// The bits in the marks that the functions below set.
    static let cluster: UInt16 = 1
    static let opportunity: UInt16 = 2

    init() throws(FontError) {
        guard let opened = unsafe forme_icu_open() else { throw .noUnicodeData }
        unsafe icu = opened
    }

    deinit { unsafe forme_icu_close(icu) }

    /// Marks the places where a line may break inside `range`, which is of scripts that ICU has dictionaries for.
    borrowing func markWords(of text: [UInt16], in range: Range<Int>, marks: inout [UInt16]) {
        let done = unsafe text.withUnsafeBufferPointer { text in
            unsafe marks.withUnsafeMutableBufferPointer { marks -> Bool in
                guard let text = text.baseAddress, let marks = marks.baseAddress else { return true }
                return unsafe forme_icu_line_breaks(
                    icu, text + range.lowerBound, Int32(range.count), Unicode.opportunity, marks + range.lowerBound)
            }
        }
        precondition(done, "ICU fails only without memory")
    }

    /// Finds the levels of the paragraph `range`, the newline that ends it included, and returns the paragraph's own.
    borrowing func findLevels(of text: [UInt16], in range: Range<Int>, into levels: inout [UInt8]) -> UInt8 {
        let level = unsafe text.withUnsafeBufferPointer { text in
            unsafe levels.withUnsafeMutableBufferPointer { levels -> Int32 in
                guard let text = text.baseAddress, let levels = levels.baseAddress else { return 0 }
                return unsafe forme_icu_levels(
                    icu, text + range.lowerBound, Int32(range.count), levels + range.lowerBound)
            }
        }
        precondition(level >= 0, "ICU fails only without memory")
        return UInt8(truncatingIfNeeded: level)
    }

    /// Marks the clusters that ICU finds. The engine's own rules are compared with them.
    static func markClusters(of text: [UInt16], in marks: inout [UInt16]) {
        let done = unsafe forme_icu_clusters(text, Int32(text.count), Unicode.cluster, &marks)
        precondition(done, "ICU fails only without memory")
    }

    static func scriptExtensions(of scalar: UInt32) -> [UInt16] {
        var scripts = [UInt16](repeating: 0, count: 32)
        let count = unsafe forme_icu_script_extensions(scalar, &scripts, 32)
        return Array(scripts.prefix(Int(count)))
    }

    /// The canonical parts of a character: one, or two of which the second has none.
    static func decomposition(of scalar: UInt32) -> (UInt32, UInt32?)? {
        var parts: [UInt32] = [0, 0]
        let count = unsafe forme_icu_decomposition(scalar, &parts)
        return count == 0 ? nil : (parts[0], count == 2 ? parts[1] : nil)
    }

    static func pairedBracket(of scalar: UInt32) -> UInt32 { forme_icu_paired_bracket(scalar) }

    static func tag(ofScript script: UInt16) -> UInt32 { forme_icu_script_tag(script) }
}
