/// Groups of digits with single separators between them, and whether people write telephone numbers like that.
struct PhoneDigits {
    struct Separators: OptionSet {
        let rawValue: UInt8

        static let space = Separators(rawValue: 1)
        static let hyphen = Separators(rawValue: 2)
        static let dot = Separators(rawValue: 4)
        static let slash = Separators(rawValue: 8)
    }

    static let most = 15  // E.164
    private static let mostGroups = 8

    var end: Int
    private(set) var separators: Separators = []
    private(set) var total = 0
    private var shape: UInt32 = 0  // the length of each group, one hexadecimal digit each: 0x334 for 555-123-4567
    private var value = 0  // all digits as one number

    init(end: Int) { self.end = end }
}

extension PhoneDigits {
    mutating func append(_ digits: some Collection<UInt16>, after separator: Separators) {
        separators.formUnion(separator)
        total += digits.count
        shape = shape << 4 | UInt32(digits.count)
        value = digits.reduce(value) { $0 * 10 + Int($1) }
    }

    /// Whether more digits may follow. Under +1 and +7 every number has eleven digits.
    func canGrow(isInternational: Bool) -> Bool {
        let isFull = isInternational && total >= 11 && (digit(0) == 1 || digit(0) == 7)
        return groups < Self.mostGroups && !isFull
    }

    var groups: Int { (32 - shape.leadingZeroBitCount + 3) / 4 }

    private func digit(_ index: Int) -> Int {
        (index + 1..<total).reduce(value) { value, _ in value / 10 } % 10
    }
}

extension PhoneDigits {
    /// Whether somewhere in the world this is a number without its country.
    var isNational: Bool {
        guard total >= 7 else { return false }
        if groups == 1 { return isUngrouped }
        return digit(0) == 0 ? isTrunk : isShaped
    }

    /// Whether a number without groups, which could be anything, could hardly be anything but a telephone number.
    private var isUngrouped: Bool {
        switch (digit(0), total) {
        case (0, 9...12): true
        case (0, 13...): digit(1) == 0
        case (2...9, 10): true
        case (1, 11), (7...8, 11): true
        default: false
        }
    }

    /// Whether a number with a leading 0 is a telephone number. Groups behind the 0 have any shape; but dates and
    /// times of day begin with it, too.
    private var isTrunk: Bool {
        let hasSingles = (0..<groups).contains { shape >> (4 * UInt32($0)) & 15 == 1 }
        let isDate = [0x222, 0x224, 0x242, 0x422].contains(shape)
        let isFraction = groups == 2 && separators == .dot
        return total >= 8 && (total <= 12 || digit(1) == 0) && !hasSingles && !isDate && !isFraction && !isTwoTimes
    }

    private var isShaped: Bool {
        switch shape {
        case 0x334, 0x344: true  // North America; mobile numbers of China
        case 0x1334, 0x13322, 0x1344: [1, 7, 8].contains(digit(0))  // the same after 1, Russia
        case 0x3322, 0x3222, 0x244, 0x254, 0x234, 0x55: isDisjoint  // Russia, Spain, Brazil, South Africa, India
        case 0x333: isDisjoint && separators != []  // Spain, Poland
        case 0x2222, 0x22222: separators == .space || separators == .hyphen  // Denmark, Norway
        case 0x44: isDisjoint && !isTwoTimes  // Hong Kong, Singapore
        case 0x34, 0x322: separators == .hyphen  // within a town
        default: false
        }
    }

    /// Whether no dot or slash separates the groups: with those it would be a version, an address, or thousands.
    private var isDisjoint: Bool { separators.isDisjoint(with: [.dot, .slash]) }

    /// `2019-2024` are years and `0930-1730` times.
    private var isTwoTimes: Bool { shape == 0x44 && value / 10_000 <= 2400 && value % 10_000 <= 2400 }
}

extension PhoneDigits.Separators {
    init(_ unit: UInt16) {
        switch unit {
        case UInt16(ascii: " "), 0xA0, 0x202F: self = .space
        case UInt16(ascii: "-"), 0x2010, 0x2011, 0x2013: self = .hyphen
        case UInt16(ascii: "."): self = .dot
        case UInt16(ascii: "/"): self = .slash
        default: self = []
        }
    }
}
