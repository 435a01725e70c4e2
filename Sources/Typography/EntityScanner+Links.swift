/// Urls and e-mail addresses.
extension EntityScanner {
    /// The schemes that make a link: a tap must not run `javascript:` or open an unknown scheme.
    private static let schemes = Set(
        ["http", "https", "ftp", "ftps", "sftp", "ssh", "git", "irc", "ircs", "ws", "wss", "tg", "matrix"]
            .map { PackedWord($0) })
    private static let longestScheme = 6
    private static let longestHost = 253
    private static let longestMailbox = 64

    /// `https://` and the rest of the link; any host will do, `localhost` as well.
    func schemedLink(colon: Int) -> Range<Int>? {
        guard self[colon + 1] == UInt16(ascii: "/"), self[colon + 2] == UInt16(ascii: "/") else { return nil }
        var start = colon
        while start > floor, colon - start <= Self.longestScheme, self[start - 1].isASCIILetter { start -= 1 }
        guard let scheme = word(start..<colon), Self.schemes.contains(scheme) else { return nil }
        let address = endOfUser(from: colon + 3)
        if let literal = endOfLiteral(from: address) { return start..<endOfLink(afterHost: literal) }
        guard let host = host(from: address) else { return nil }
        return start..<endOfLink(afterHost: host.end)
    }

    /// `example.com` and the rest of the link, when its last label is a domain that exists.
    mutating func bareLink(dot: Int) -> Range<Int>? {
        guard isWord(dot - 1), isWord(dot + 1) else { return nil }
        var start = startOfName(before: dot) { isWord($0) || self[$0] == UInt16(ascii: "-") }
        while start < dot, self[start].isOne(of: "-_") { start += 1 }
        guard let host = host(from: start) else { return nil }
        skip(to: host.runEnd)
        guard host.isKnown || (host.isPlausible && word(start..<dot) == PackedWord("www")) else { return nil }
        guard host.end > dot, host.end - start <= Self.longestHost else { return nil }
        guard !self[start - 1].isOne(of: "@/\\=&#%+~$"), !self[host.end].isOne(of: "@+%=") else { return nil }
        return start..<endOfLink(afterHost: host.end)
    }

    func email(at sign: Int) -> Range<Int>? {
        let dot = UInt16(ascii: ".")
        guard self[sign - 1] != dot else { return nil }
        var start = startOfName(before: sign) {
            isWord($0) || self[$0].isOne(of: "%+-") || (self[$0] == dot && self[$0 + 1] != dot)
        }
        while start < sign, self[start].isOne(of: ".%+-") { start += 1 }
        guard start < sign, sign - start <= Self.longestMailbox, !self[start - 1].isOne(of: "@") else { return nil }
        guard let host = host(from: sign + 1), host.isPlausible else { return nil }
        return start..<host.end
    }

    /// Goes back over a name of ASCII, or over one of letters of all kinds: 看example.com begins at the e.
    private func startOfName(before end: Int, isPart: (Int) -> Bool) -> Int {
        var start = end
        while start > floor, isPart(start - 1) {
            if self[start - 1].isUnspaced, self[start].isASCIIAlphanumeric { return start }
            start -= 1
        }
        return start
    }
}

extension EntityScanner {
    struct Host {
        var end: Int
        var runEnd: Int  // of everything that looked like a host
        var isKnown: Bool  // its last label is a top-level domain
        var isPlausible: Bool  // it could well be
    }

    /// Labels with dots between them.
    func host(from start: Int) -> Host? {
        var label = start
        var end = endOfLabel(from: start)
        guard isWord(start), end > start else { return nil }
        while self[end] == UInt16(ascii: "."), isWord(end + 1) {
            label = end + 1
            end = endOfLabel(from: label)
        }
        let runEnd = end
        while end > label + 1, self[end - 1].isOne(of: "-_") { end -= 1 }
        let letters = (label..<end).first { !self[$0].isASCIILetter } ?? end
        if letters > label, self[letters].isUnspaced { end = letters }
        let isDomain = label > start && TopLevelDomains.contains(self, label..<end)
        let isPlausible = label > start && letters == end && end - label >= 2
        return Host(end: end, runEnd: runEnd, isKnown: isDomain, isPlausible: isDomain || isPlausible)
    }

    private func endOfLabel(from start: Int) -> Int {
        var index = start
        while isWord(index) || self[index] == UInt16(ascii: "-") { index += 1 }
        return index
    }

    /// Past `user:password@`, if that is here.
    private func endOfUser(from start: Int) -> Int {
        var index = start
        while self[index].isASCIIAlphanumeric || self[index].isOne(of: "._~%-:+!$&") { index += 1 }
        return index > start && self[index] == UInt16(ascii: "@") ? index + 1 : start
    }

    /// Past `[2001:db8::1]`, if that is here.
    private func endOfLiteral(from start: Int) -> Int? {
        guard self[start] == UInt16(ascii: "[") else { return nil }
        var index = start + 1
        while index - start < 47, self[index].isASCIIAlphanumeric || self[index].isOne(of: ":.") { index += 1 }
        return index > start + 2 && self[index] == UInt16(ascii: "]") ? index + 1 : nil
    }

    private func endOfLink(afterHost host: Int) -> Int {
        var end = host
        if self[end] == UInt16(ascii: ":") {
            let port = (end + 1..<end + 6).first { !isDigit($0) } ?? end + 6
            if port > end + 1, !isWord(port) { end = port }
        }
        return self[end].isOne(of: "/?#") ? endOfPath(from: end) : end
    }

    /// Brackets stay in as far as they are balanced, and punctuation that ends the sentence stays out.
    private func endOfPath(from start: Int) -> Int {
        var (round, square, index) = (0, 0, start)
        scan: while isLinkUnit(index) {
            switch self[index] {
            case UInt16(ascii: "("): round += 1
            case UInt16(ascii: ")"): round -= 1
            case UInt16(ascii: "["): square += 1
            case UInt16(ascii: "]"): square -= 1
            default: break
            }
            guard round >= 0, square >= 0 else { break }
            index += 1
        }
        while index > start, self[index - 1].isOne(of: ".,;:!?'*([") { index -= 1 }
        return index
    }

    private func isLinkUnit(_ index: Int) -> Bool {
        let unit = self[index]
        guard unit < 0x80 else { return isWord(index) }
        return unit > 0x20 && unit < 0x7F && !unit.isOne(of: "\"<>\\^`{|}")
    }
}
