/// @mentions, #hashtags and /commands.
extension EntityScanner {
    private static let longestName = 64
    private static let longestTag = 140

    /// `@ada`, `@ada.lovelace`, `@ada@example.org`. The first character is no digit: "@5pm" is a time.
    mutating func mention(at sign: Int) -> Range<Int>? {
        guard !isWord(sign - 1), !self[sign - 1].isOne(of: "@#/&="), !isDigit(sign + 1) else { return nil }
        let name = endOfName(from: sign + 1)
        skip(to: name)
        guard name > sign + 1, name - sign <= Self.longestName else { return nil }
        guard self[name].isOne(of: "@"), let host = host(from: name + 1), host.isPlausible else { return sign..<name }
        return sign..<host.end
    }

    /// Words with dots and hyphens between them.
    private func endOfName(from start: Int) -> Int {
        var index = endOfWord(from: start)
        while self[index].isOne(of: ".-"), index > start, isWord(index + 1) { index = endOfWord(from: index + 1) }
        return index
    }

    /// Digits alone make no tag: "#1" is a rank.
    mutating func hashtag(at sign: Int) -> Range<Int>? {
        guard !isWord(sign - 1), !self[sign - 1].isOne(of: "#&/") else { return nil }
        let tag = endOfWord(from: sign + 1)
        skip(to: tag)
        guard tag - sign <= Self.longestTag, (sign + 1..<tag).contains(where: { !isDigit($0) }) else { return nil }
        return sign..<tag
    }

    /// `/start` or `/start@bot`, where a word could begin; `/etc/hosts` and `/a.b` are paths.
    mutating func command(at slash: Int) -> Range<Int>? {
        guard slash == 0 || self[slash - 1].isSpace, self[slash + 1].isASCIILetter else { return nil }
        var end = endOfWord(from: slash + 1)
        skip(to: end)
        guard end - slash <= Self.longestName else { return nil }
        if self[end] == UInt16(ascii: "@"), self[end + 1].isASCIILetter { end = endOfWord(from: end + 1) }
        guard !self[end].isOne(of: "/@"), !(self[end].isOne(of: "-.:") && isWord(end + 1)) else { return nil }
        return slash..<end
    }
}
