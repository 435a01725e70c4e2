import MessageLayout
import Typography

/// The words of one line, in stretches of one look.
struct LineText {
    struct Stretch {
        var text: String
        var look: Look
    }

    let stretches: [Stretch]

    /// Spaces that hang and the newline are not drawn; the hyphen or ellipsis that ends the line is. A text that is not known is
    /// empty.
    init(_ line: LayoutModel.ShownLine, of text: RichText, looks: [Skeleton.Text.Span]) {
        let range = (Int(line.range.lowerBound)..<Int(line.range.upperBound)).clamped(to: text.units.indices)
        let units = text.units[range]
        let end = units.lastIndex { ![0x09, 0x0a, 0x0d, 0x20, 0x3000].contains($0) }.map { $0 + 1 } ?? range.lowerBound
        var stretches: [Stretch] = []
        var start = range.lowerBound
        while start < end {
            let look = looks.first { $0.range.contains(Int32(start)) }
            let next = look?.range.upperBound ?? looks.map(\.range.lowerBound).filter { $0 > Int32(start) }.min()
            let stop = min(end, next.map { Int($0) } ?? end)
            let shown = units[start..<stop].filter { $0 != 0xad }
            stretches.append(Stretch(text: String(decoding: shown, as: UTF16.self), look: look?.look ?? []))
            start = stop
        }
        // The letter that stands on another line: without it, this one would have another form.
        let joiner = "\u{200d}"
        if line.traits.contains(.beginsJoined), !stretches.isEmpty { stretches[0].text = joiner + stretches[0].text }
        if line.traits.contains(.endsJoined), !stretches.isEmpty { stretches[stretches.count - 1].text += joiner }
        let mark = line.traits.contains(.ellipsis) ? "…" : line.traits.contains(.hyphen) ? "-" : ""
        if !mark.isEmpty { stretches.append(Stretch(text: mark, look: stretches.last?.look ?? [])) }
        self.stretches = stretches
    }
}
