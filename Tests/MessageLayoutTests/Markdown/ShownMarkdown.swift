import MessageLayout

/// The blocks of a source as a reader would see them, for tests to compare: `see <b>you</b>`, with the kind and
/// depth.
func shown(_ source: String) -> [String] { MarkdownBlock.parse(source).map(shown) }

/// The text that the pieces take from the source: all of it where there are none.
func shownByPieces(_ text: MarkedText, of source: [UInt16]) -> [UInt16] {
    text.pieces.isEmpty ? source : text.pieces.flatMap { source[Int($0.lowerBound)..<Int($0.upperBound)] }
}

private func shown(_ block: MarkdownBlock) -> String {
    let margin = String(repeating: "> ", count: Int(block.quotes)) + String(repeating: "  ", count: Int(block.depth))
    return margin + shown(block.kind) + shown(block.text)
}

private func shown(_ kind: MarkdownBlock.Kind) -> String {
    switch kind {
    case .paragraph: ""
    case .heading(let level): "h\(level) "
    case .item(let ordinal?): "\(ordinal). "
    case .item(nil): "- "
    case .code(let language): "code(\(language)) "
    }
}

private func shown(_ text: MarkedText) -> String {
    let styled = text.spans.filter { $0.look != .monospaced }
    var result: [UInt16] = []
    for place in 0...Int32(text.units.count) {
        for span in styled where span.range.upperBound == place { result += "</\(tag(span.look))>".utf16 }
        for entity in text.entities.reversed() where entity.range.upperBound == place {
            result += "</\(tag(entity.kind))>".utf16
        }
        for entity in text.entities where entity.range.lowerBound == place {
            result += "<\(tag(entity.kind))\(entity.target.isEmpty ? "" : " \(entity.target)")>".utf16
        }
        for span in styled where span.range.lowerBound == place { result += "<\(tag(span.look))>".utf16 }
        if place < text.units.count { result.append(text.units[Int(place)]) }
    }
    return String(decoding: result, as: UTF16.self)
}

private func tag(_ look: Look) -> String {
    let names: [(Look, String)] = [(.bold, "b"), (.italic, "i"), (.strike, "s"), (.monospaced, "m"), (.underline, "u")]
    return names.filter { look.contains($0.0) }.map(\.1).joined()
}

private func tag(_ kind: Skeleton.Text.Entity.Kind) -> String { kind == .url ? "a" : "\(kind)" }
