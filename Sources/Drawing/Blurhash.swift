import Bytes

/// A picture in a few letters, as messages may have one (`blurhash`): some waves of colour, which stand in for what
/// is not here yet.
struct Blurhash {
    private let width: Int
    private let height: Int
    /// Red, green and blue of each wave, in linear light.
    private let waves: [[Double]]

    /// Nil for a text that is no blurhash.
    init?(_ text: String) {
        let digits = text.utf8.map { Blurhash.letters.firstIndex(of: $0) ?? -1 }
        guard digits.count >= 6, digits.count <= 4 + 2 * 81, !digits.contains(-1) else { return nil }
        (width, height) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        guard digits.count == 4 + 2 * width * height else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 83 + $1 } }
        let most = Double(digits[1] + 1) / 166
        let mean = number(2..<6)
        var waves = [[mean >> 16 & 255, mean >> 8 & 255, mean & 255].map { Blurhash.linear(Double($0) / 255) }]
        for place in stride(from: 6, to: digits.count, by: 2) {
            let value = number(place..<place + 2)
            waves.append(
                [value / 361, value / 19 % 19, value % 19].map { step in
                    let part = Double(step - 9) / 9
                    return (part < 0 ? -1 : 1) * part * part * most
                })
        }
        self.waves = waves
    }

    /// The picture as so many rows of so many pixels, each red, green and blue.
    func pixels(wide: Int, high: Int) -> [UInt8] {
        (0..<high).flatMap { y in
            (0..<wide).flatMap { x in
                var sum = [0.0, 0, 0]
                for (number, wave) in waves.enumerated() {
                    let part =
                        Blurhash.cosine(Double(number % width) * Double(x) / Double(wide))
                        * Blurhash.cosine(Double(number / width) * Double(y) / Double(high))
                    for colour in 0..<3 { sum[colour] += wave[colour] * part }
                }
                return sum.map { UInt8((Blurhash.seen($0) * 255).rounded()) }
            }
        }
    }

    private static let letters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// The square is near enough for a blurred picture.
    private static func linear(_ value: Double) -> Double { value * value }
    private static func seen(_ value: Double) -> Double { min(max(value, 0), 1).squareRoot() }

    /// The cosine of so many half turns, by its series.
    private static func cosine(_ halfTurns: Double) -> Double {
        let turn = halfTurns.truncatingRemainder(dividingBy: 2)
        let angle = (turn > 1 ? turn - 2 : turn) * Double.pi
        var (term, sum) = (1.0, 1.0)
        for step in 1..<14 {
            term *= -angle * angle / Double((2 * step - 1) * 2 * step)
            sum += term
        }
        return sum
    }
}

/// Pixels as a file that every browser reads, and that needs no packing: a bitmap.
enum Bitmap {
    /// - Parameter pixels: rows of red, green and blue, the uppermost first.
    static func dataURL(_ pixels: [UInt8], wide: Int, high: Int) -> String {
        let line = (wide * 3 + 3) / 4 * 4
        var file: [UInt8] = Array("BM".utf8)
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        file += number(54 + line * high, 4) + number(0, 4) + number(54, 4)
        file += number(40, 4) + number(wide, 4) + number(-high, 4) + number(1, 2) + number(24, 2)
        file += [UInt8](repeating: 0, count: 24)
        for y in 0..<high {
            for x in 0..<wide { file += pixels[(y * wide + x) * 3..<(y * wide + x) * 3 + 3].reversed() }
            file += [UInt8](repeating: 0, count: line - wide * 3)
        }
        return "data:image/bmp;base64,\(Base64.text(file))"
    }
}
