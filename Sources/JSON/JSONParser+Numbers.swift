extension JSONParser {
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = index
        let isNegative = skip("-")
        if !isNegative, dialect == .json5 { _ = skip("+") }
        guard byte.isDigit || (dialect == .json5 && byte == UInt8(ascii: ".")) else {
            throw skip(word: "Infinity") || skip(word: "NaN")
                ? error(.notFinite, at: start) : unexpected(expected: start == index ? .value : .digit)
        }
        if byte == UInt8(ascii: "0") {
            guard !byte(ahead: 1).isDigit else { throw error(.leadingZero, at: start) }
            if dialect == .json5, byte(ahead: 1) | 0x20 == UInt8(ascii: "x") {
                return try hexadecimalNumber(isNegative: isNegative, start: start)
            }
        }
        var digits = Digits()
        let whole = try skipDigits(into: &digits, start: start)
        var exponent = 0
        if skip(".") {
            exponent = -(try skipDigits(into: &digits, start: start))
            guard exponent < 0 || (dialect == .json5 && whole > 0) else { throw unexpected(expected: .digit) }
        }
        if byte | 0x20 == UInt8(ascii: "e") { exponent += try writtenExponent() }
        let exact = JSONNumber(
            isNegative: isNegative, magnitude: digits.magnitude, exponent: exponent + digits.pendingZeros)
        guard let exact else { throw error(.numberLimit, at: start) }
        return exact
    }

    /// Skips digits, and returns their number.
    private mutating func skipDigits(into digits: inout Digits, start: Int) throws(JSONError) -> Int {
        let first = index
        while byte.isDigit {
            guard digits.append(byte - UInt8(ascii: "0")) else { throw error(.numberLimit, at: start) }
            index += 1
        }
        return index - first
    }

    private mutating func writtenExponent() throws(JSONError) -> Int {
        index += 1
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard byte.isDigit else { throw unexpected(expected: .digit) }
        var exponent = 0
        while byte.isDigit {
            // The cap is beyond any allowed exponent and any length of a text: the exact value does not matter there.
            exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 1 << 48)
            index += 1
        }
        return isNegative ? -exponent : exponent
    }

    private mutating func hexadecimalNumber(isNegative: Bool, start: Int) throws(JSONError) -> JSONNumber {
        index += 2
        guard byte.hexadecimal != nil else { throw unexpected(expected: .digit) }
        var magnitude: UInt64 = 0
        while let digit = byte.hexadecimal {
            guard magnitude >> 60 == 0 else { throw error(.numberLimit, at: start) }
            magnitude = magnitude << 4 | UInt64(digit)
            index += 1
        }
        return JSONNumber(isNegative: isNegative, magnitude: magnitude, exponent: 0)!
    }
}

/// Decimal digits as they come. Zeros wait until another digit needs them, so `1.000…0` fits at any length.
private struct Digits {
    private(set) var magnitude: UInt64 = 0
    private(set) var pendingZeros = 0

    /// Appends a digit; false when the digits no longer fit.
    mutating func append(_ digit: UInt8) -> Bool {
        guard digit != 0 else {
            if magnitude != 0 { pendingZeros += 1 }
            return true
        }
        // One multiplication each for the zeros that waited and for the digit itself.
        for _ in 0...pendingZeros where magnitude != 0 {
            guard case (let next, false) = magnitude.multipliedReportingOverflow(by: 10) else { return false }
            magnitude = next
        }
        pendingZeros = 0
        guard case (let next, false) = magnitude.addingReportingOverflow(UInt64(digit)) else { return false }
        magnitude = next
        return true
    }
}
