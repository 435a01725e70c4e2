/// Reads the markers at the start of one line.
struct LineCursor {
    let source: [UInt16]
    /// The start of the line, and the end of its content, before the newline.
    let start: Int
    let end: Int
    var index: Int

    init(source: [UInt16], start: Int, end: Int) {
        (self.source, self.start, self.end) = (source, start, end)
        index = start
    }

    var rest: Range<Int32> { Int32(index)..<Int32(end) }

    /// The unit here, or a newline at the end of the line.
    var unit: UInt16 { unit(at: index) }

    func unit(at place: Int) -> UInt16 { place < end ? source[place] : .newline }

    /// The place of the first unit that is no space.
    var content: Int {
        var place = index
        while unit(at: place).isBlank { place += 1 }
        return place
    }

    var isBlank: Bool { content == end }

    /// The number of columns of space here. A tab goes on to the next column that is a multiple of four.
    var indentation: Int { (index..<content).reduce(0) { Self.column(after: source[$1], at: $0) } }

    private static func column(after unit: UInt16, at column: Int) -> Int {
        unit == .tab ? (column / 4 + 1) * 4 : column + 1
    }

    mutating func skipSpaces() { index = content }

    mutating func skipIndentation(columns: Int) {
        var column = 0
        while column < columns, unit.isBlank {
            column = Self.column(after: unit, at: column)
            index += 1
        }
    }

    /// Skips equal units, and returns their number.
    mutating func skipRun(of marker: UInt16) -> Int {
        let before = index
        while unit == marker { index += 1 }
        return index - before
    }
}

extension LineCursor {
    /// Skips the markers of quotes, and returns their number.
    mutating func skipQuotes(atMost limit: Int) -> Int {
        var depth = 0
        while depth < limit {
            var ahead = self
            ahead.skipIndentation(columns: 3)
            let first = ahead.index
            let run = ahead.skipRun(of: .greater)
            guard run > 0, ahead.index == end || ahead.unit.isBlank else { break }
            let taken = min(run, limit - depth)
            depth += taken
            index = first + taken
            if unit.isBlank { index += 1 }
        }
        return depth
    }

    /// Skips the marker of a heading that has a text, and returns its level.
    mutating func skipHeading() -> Int32? {
        var ahead = self
        ahead.skipSpaces()
        let level = ahead.skipRun(of: .hash)
        guard 1...6 ~= level, ahead.unit.isBlank, !ahead.isBlank else { return nil }
        ahead.skipSpaces()
        self = ahead
        return Int32(level)
    }

    /// The rest of the line, without the marks that may close a heading: `# see you ##`.
    var restOfHeading: Range<Int32> {
        var last = end
        while last > index, source[last - 1].isBlank { last -= 1 }
        var text = last
        while text > index, source[text - 1] == .hash { text -= 1 }
        guard text < last, text > index, source[text - 1].isBlank else { return Int32(index)..<Int32(last) }
        while text > index, source[text - 1].isBlank { text -= 1 }
        return Int32(index)..<Int32(text)
    }

    /// Skips the marker of a list item that has a text.
    mutating func skipItemMarker() -> MarkdownBlock.Kind? {
        var ahead = self
        ahead.skipSpaces()
        var ordinal: Int32?
        switch ahead.unit {
        case .minus, .star, .plus: ahead.index += 1
        case let digit where digit.isDigit:
            guard let number = ahead.skipOrdinal() else { return nil }
            ordinal = number
        default: return nil
        }
        guard ahead.unit.isBlank, !ahead.isBlank else { return nil }
        ahead.skipSpaces()
        self = ahead
        return .item(ordinal: ordinal)
    }

    private mutating func skipOrdinal() -> Int32? {
        var number: Int32 = 0
        let first = index
        while unit.isDigit {
            guard index - first < 9 else { return nil }
            number = number * 10 + Int32(unit - 0x30)
            index += 1
        }
        guard unit == .period || unit == .closeParenthesis else { return nil }
        index += 1
        return number
    }
}
