package import JSON
package import Typography

extension JSONReader {
    /// A length in points. It has to be a whole number of sixty-fourths: 0.5 and 0.625 are, 0.1 is not. Silent
    /// rounding would have a designer look for the pixel that is missing.
    package func points(in range: ClosedRange<Int32> = 0...4096) throws(JSONError) -> Fixed {
        let bounds = Int(range.lowerBound) * 64...Int(range.upperBound) * 64
        guard let raw = value.number?.scaled(by: 64), bounds.contains(raw) else {
            throw mismatch(expected: "\(range.lowerBound)...\(range.upperBound) points in steps of 1/64")
        }
        return Fixed(raw: Int32(raw))
    }

    /// A name that other files refer to.
    package func name() throws(JSONError) -> String {
        let name = try string()
        guard 1...64 ~= name.utf8.count else { throw mismatch(expected: "a name of 1...64 bytes") }
        return name
    }
}
