/// A scanner that walks over UTF-16 from trigger to trigger, where the rules of each kind look around.
///
/// A rule that looks back goes no further than the trigger before it, and one that looks ahead is bounded or moves the
/// walk on; so every unit is read a small number of times.
@safe struct EntityScanner {
    private let units: UnsafeBufferPointer<UInt16>  // lent for as long as the scanner lives
    let end: Int
    private var index = 0
    private(set) var floor = 0  // the end of the last entity: nothing begins before it

    init(_ units: UnsafeBufferPointer<UInt16>) {
        unsafe (self.units, end) = (units, units.count)
    }

    /// The unit there, or 0 outside of the text.
    subscript(index: Int) -> UInt16 {
        @inline(__always) get { UInt(bitPattern: index) < UInt(bitPattern: end) ? unsafe units[index] : 0 }
    }

    mutating func next() -> Entity? {
        while index < end {
            let trigger = index
            index += 1
            guard let entity = entity(at: trigger) else { continue }
            (index, floor) = (Int(entity.end), Int(entity.end))
            return entity
        }
        return nil
    }

    private mutating func entity(at trigger: Int) -> Entity? {
        switch self[trigger] {
        case UInt16(ascii: ":"): Entity(.url, schemedLink(colon: trigger))
        case UInt16(ascii: "."): Entity(.url, bareLink(dot: trigger))
        case UInt16(ascii: "@"): Entity(.email, email(at: trigger)) ?? Entity(.mention, mention(at: trigger))
        case UInt16(ascii: "#"): Entity(.hashtag, hashtag(at: trigger))
        case UInt16(ascii: "/"): Entity(.command, command(at: trigger))
        case UInt16(ascii: "+"), UInt16(ascii: "("), UInt16(ascii: "0")...UInt16(ascii: "9"):
            Entity(.phone, phone(at: trigger))
        default: nil
        }
    }

    /// Skips a part that a rule has read and found to be no entity.
    mutating func skip(to end: Int) { index = max(index, end) }
}

extension Entity {
    fileprivate init?(_ kind: Kind, _ range: Range<Int>?) {
        guard let range else { return nil }
        self.init(kind: kind, start: Int32(range.lowerBound), end: Int32(range.upperBound))
    }
}

extension EntityScanner {
    /// A letter of any script, a mark on one, a digit or an underscore.
    func isWord(_ index: Int) -> Bool {
        let unit = self[index]
        guard unit >= 0x80 else { return unit.isASCIIAlphanumeric || unit == UInt16(ascii: "_") }
        return UTF16.isTrailSurrogate(unit) ? self[index - 1].isWordUnit : unit.isWordUnit
    }

    func isDigit(_ index: Int) -> Bool { self[index].isASCIIDigit }

    /// The end of a run of words that begins here.
    func endOfWord(from start: Int) -> Int {
        var index = start
        while isWord(index) { index += 1 }
        return index
    }
}
