/// Telephone numbers, by their shape: the groups of digits that people write, and the characters around them.
///
/// International numbers are those with a plus. National ones are a short list of shapes from everywhere; a shape
/// that looks as much like a date, a price, an address or the number of an order is left alone.
extension EntityScanner {
    mutating func phone(at trigger: Int) -> Range<Int>? {
        let isInternational = self[trigger] == UInt16(ascii: "+")
        let first = isInternational ? trigger + 1 : trigger
        guard isDigit(first) || (self[first] == UInt16(ascii: "(") && isDigit(first + 1)) else { return nil }
        skip(to: endOfDigits(from: first))
        guard !isWithinNumber(startingAt: trigger) else { return nil }
        let (whole, untilSpace) = phoneDigits(from: first, isInternational: isInternational)
        guard isDigit(first) || whole.groups > 1 else { return nil }  // the brackets are around it
        if isInternational {
            return whole.total >= 7 && isEnd(whole.end, afterSpaces: false) ? trigger..<whole.end : nil
        }
        // Digits behind a space may be another number: "555-123-4567 2 tickets".
        if isNational(whole, from: trigger) { return trigger..<whole.end }
        if isNational(untilSpace, from: trigger) { return trigger..<untilSpace.end }
        return nil
    }

    /// The groups that begin here, all of them and those before the first space.
    private func phoneDigits(from start: Int, isInternational: Bool) -> (all: PhoneDigits, untilSpace: PhoneDigits) {
        var all = PhoneDigits(end: start)
        var untilSpace: PhoneDigits?
        var (index, separator) = (start, PhoneDigits.Separators())
        while all.canGrow(isInternational: isInternational) {
            let isOpen = self[index] == UInt16(ascii: "(")
            let group = isOpen ? index + 1 : index
            let end = endOfDigits(from: group)
            guard all.total + end - group <= PhoneDigits.most, !isOpen || self[end] == UInt16(ascii: ")") else { break }
            guard end > group, !isInternational || all.total < 10 || end > group + 1 else { break }
            all.append((group..<end).lazy.map { self[$0] - UInt16(ascii: "0") }, after: separator)
            all.end = isOpen ? end + 1 : end
            let next = PhoneDigits.Separators(self[all.end])
            guard next != [] || isOpen || self[all.end] == UInt16(ascii: "(") else { break }
            index = next == [] ? all.end : all.end + 1
            separator = isOpen ? [] : next
            if separator == .space { untilSpace = untilSpace ?? all }
        }
        return (all, untilSpace ?? all)
    }

    private func isNational(_ number: PhoneDigits, from start: Int) -> Bool {
        let isSpaced = number.separators.contains(.space)
        return number.isNational && isEnd(number.end, afterSpaces: isSpaced) && !(isSpaced && follows(start, isDigit))
    }

    private func endOfDigits(from start: Int) -> Int {
        var index = start
        while isDigit(index) { index += 1 }
        return index
    }

    private func isWithinNumber(startingAt start: Int) -> Bool {
        let before = self[start - 1]
        if before.isCurrency || follows(start, { self[$0].isCurrency }) { return true }
        if before.isOne(of: ",:") || before == 0x2013 { return isDigit(start - 2) }
        return isWord(start - 1) && !before.isUnspaced || before.isOne(of: "#%&+-./=@\\^_~")
    }

    /// Whether a space stands right before the place, and something right before that.
    private func follows(_ place: Int, _ something: (Int) -> Bool) -> Bool {
        self[place - 1].isSpace && something(place - 2)
    }

    /// Whether a number may end at a place. A number with spaces in it goes on behind a space.
    private func isEnd(_ end: Int, afterSpaces isSpaced: Bool) -> Bool {
        let unit = self[end]
        if unit.isOne(of: ".-/") { return !isWord(end + 1) }
        if unit.isOne(of: ",:)") { return !isDigit(end + 1) }
        if unit.isSpace { return !self[end + 1].isCurrency && !(isSpaced && isDigit(end + 1)) }
        return !unit.isCurrency && !unit.isOne(of: "%@=\\") && (!isWord(end) || unit.isUnspaced)
    }
}
