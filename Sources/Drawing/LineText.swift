import MessageLayout
import Typography

/// The words of one line, in stretches of one look.
struct LineText {
    struct Stretch {
        var text: String
        var look: Look = []
        /// Whether it leads somewhere: a link, a mention, a number to call.
        var isLink = false
    }

    let stretches: [Stretch]

    /// The newline is not drawn; the hyphen or ellipsis that ends the line is. Hanging spaces stay, for readers who
    /// copy the words.
    init(_ line: LayoutModel.ShownLine, of units: [UInt16], in text: Skeleton.Text) {
        let range = (Int(line.range.lowerBound)..<Int(line.range.upperBound)).clamped(to: units.indices)
        let end = units[range].lastIndex { ![0x0a, 0x0d].contains($0) }.map { $0 + 1 } ?? range.lowerBound
        let links = text.entities.filter { $0.kind.isLink }.map(\.range)
        let edges = Set((links + text.spans.map(\.range)).flatMap { [Int($0.lowerBound), Int($0.upperBound)] })
        let cuts =
            ([range.lowerBound, end] + edges.filter { range.lowerBound + 1..<max(range.lowerBound + 1, end) ~= $0 })
            .sorted()
        var stretches: [Stretch] = zip(cuts, cuts.dropFirst()).compactMap { start, stop in
            guard start < stop else { return nil }
            let shown = units[start..<stop].filter { $0 != 0xad }
            return Stretch(
                text: String(decoding: shown, as: UTF16.self),
                look: text.spans.first { $0.range.contains(Int32(start)) }?.look ?? [],
                isLink: links.contains { $0.contains(Int32(start)) })
        }
        // Marks stand for the letters on other lines: without them, these would have other forms, or run another way.
        let joiner = "\u{200d}"
        if !stretches.isEmpty {
            let before = line.traits.beginning.mark + (line.traits.contains(.beginsJoined) ? joiner : "")
            let behind = (line.traits.contains(.endsJoined) ? joiner : "") + line.traits.ending.mark
            stretches[0].text = before + stretches[0].text
            stretches[stretches.count - 1].text.insert(beforeTrailingSpaces: behind)
        }
        let mark = line.traits.contains(.ellipsis) ? "…" : line.traits.contains(.hyphen) ? "\u{2010}" : ""
        if !mark.isEmpty {
            if !stretches.isEmpty { stretches[stretches.count - 1].text.dropTrailingSpaces() }
            stretches.append(Stretch(text: mark, look: stretches.last?.look ?? []))
        }
        self.stretches = stretches
    }
}

extension Skeleton.Text.Entity.Kind {
    fileprivate var isLink: Bool {
        switch self {
        case .url, .email, .phone, .mention, .hashtag, .command: true
        case .spoiler, .code, .box: false
        }
    }
}

extension String {
    fileprivate mutating func dropTrailingSpaces() { unicodeScalars.removeSubrange(contentEnd...) }

    fileprivate mutating func insert(beforeTrailingSpaces text: String) {
        unicodeScalars.insert(contentsOf: text.unicodeScalars, at: contentEnd)
    }

    private var contentEnd: Index {
        let spaces: Set<Unicode.Scalar> = [" ", "\t", "\u{3000}"]
        return unicodeScalars.lastIndex { !spaces.contains($0) }.map(unicodeScalars.index(after:)) ?? startIndex
    }
}
