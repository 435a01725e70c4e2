/// The name of a stream over HTTP: a number that nobody can guess.
package struct StreamName: Hashable, Sendable {
    private let number: UInt64

    init() { number = .random(in: 1 ... .max) }

    /// Nil for a text that is no name.
    init?(_ text: String) {
        guard let number = UInt64(text, radix: 16), number > 0 else { return nil }
        self.number = number
    }

    var text: String { String(number, radix: 16) }
}
