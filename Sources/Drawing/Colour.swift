/// A colour of the screen: red, green and blue from 0 to 255, and its opacity from 0 to 1.
package struct Colour: Hashable, Sendable {
    package var red, green, blue: Double
    package var alpha: Double

    /// - Parameter digits: `0xRRGGBB`.
    package init(_ digits: UInt32, alpha: Double = 1) {
        (red, green, blue) = (Double(digits >> 16 & 255), Double(digits >> 8 & 255), Double(digits & 255))
        self.alpha = alpha
    }

    package var css: String {
        let numbers = [red, green, blue].map { "\(Int($0.rounded()))" }.joined(separator: " ")
        return alpha == 1 ? "rgb(\(numbers))" : "rgb(\(numbers) / \(alpha.markup))"
    }

    /// The colour as it looks over another one.
    package func over(_ ground: Colour) -> Colour {
        func mixed(_ own: Double, _ other: Double) -> Double { own * alpha + other * (1 - alpha) }
        var colour = ground
        (colour.red, colour.green, colour.blue) = (
            mixed(red, ground.red), mixed(green, ground.green), mixed(blue, ground.blue)
        )
        return colour
    }

    /// The contrast of letters of this colour on an opaque ground, from 1 to 21 as WCAG 2 counts; 4.5 is enough for
    /// all letters.
    package func contrast(on ground: Colour) -> Double {
        let pair = [over(ground).luminance, ground.luminance].sorted()
        return (pair[1] + 0.05) / (pair[0] + 0.05)
    }

    private var luminance: Double {
        func linear(_ value: Double) -> Double {
            let part = value / 255
            return part <= 0.04045 ? part / 12.92 : Colour.power((part + 0.055) / 1.055)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The 2.4th power of a number from 0 to 1: its square, times the fifth root of its square.
    private static func power(_ base: Double) -> Double {
        let square = base * base
        var root = 1.0
        // Newton's method, from above: it converges long before the last step.
        for _ in 0..<64 where base > 0 { root -= (root - square / (root * root * root * root)) / 5 }
        return square * root
    }
}
