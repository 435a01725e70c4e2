/// A decimal number, exact: ±`magnitude` × 10^`exponent`.
///
/// The exponent is kept as near to zero as possible, so equal numbers are equal values (`1`, `1.0` and `10e-1`) and
/// an integer has the exponent 0. The parser refuses a number with more than 64 bits of digits.
package struct JSONNumber: Hashable, Sendable {
    package static let exponents = -99_999...99_999

    package let magnitude: UInt64
    package let exponent: Int32
    package let isNegative: Bool

    package init(_ integer: some BinaryInteger) {
        (magnitude, exponent, isNegative) = (UInt64(integer.magnitude), 0, integer < 0)
    }

    /// The number; nil when the exponent is out of `exponents`.
    package init?(isNegative: Bool, magnitude: UInt64, exponent: Int) {
        guard magnitude == 0 || Self.exponents.contains(exponent) else { return nil }
        var (magnitude, exponent) = (magnitude, magnitude == 0 ? 0 : exponent)
        while exponent < 0, magnitude.isMultiple(of: 10) {
            (magnitude, exponent) = (magnitude / 10, exponent + 1)
        }
        while exponent > 0, case (let next, false) = magnitude.multipliedReportingOverflow(by: 10) {
            (magnitude, exponent) = (next, exponent - 1)
        }
        (self.magnitude, self.exponent, self.isNegative) = (magnitude, Int32(exponent), isNegative)
    }
}

extension JSONNumber {
    /// The number when it is whole and fits.
    package var integer: Int? { scaled(by: 1) }

    /// The nearest double; nil beyond the largest one.
    package var double: Double? {
        guard exponent != 0 || magnitude >> 53 != 0 else { return isNegative ? -Double(magnitude) : Double(magnitude) }
        guard let nearest = Double(description), nearest.isFinite else { return nil }
        return nearest
    }

    /// The number times `scale` when that is whole and fits: `1.5` scaled by 64 is 96, `0.01` is nil.
    package func scaled(by scale: Int) -> Int? {
        precondition(scale > 0)
        var product = UInt128(magnitude) * UInt128(scale)
        for _ in 0..<abs(exponent) where product != 0 {
            if exponent < 0 {
                guard product.isMultiple(of: 10) else { return nil }
                product /= 10
            } else {
                product *= 10
                guard product <= UInt128(Int.max) + 1 else { return nil }
            }
        }
        return isNegative ? Int(exactly: -Int128(truncatingIfNeeded: product)) : Int(exactly: product)
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as JSON has it: `-12`, `1.5`, `0.001`, `1e300`.
    package var description: String {
        let digits = String(magnitude)
        let sign = isNegative ? "-" : ""
        let point = digits.utf8.count + Int(exponent)
        switch exponent {
        case 0: return sign + digits
        case -20..<0 where point > 0: return sign + digits.prefix(point) + "." + digits.suffix(-Int(exponent))
        case -20..<0: return sign + "0." + String(repeating: "0", count: -point) + digits
        default: return "\(sign)\(digits)e\(exponent)"
        }
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(value) }
}
