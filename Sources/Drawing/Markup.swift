import MessageLayout

/// Writes elements of SVG and HTML, one a line. All words and values of attributes are escaped here, and nowhere
/// else.
package struct Markup {
    typealias Attributes = [(String, any MarkupValue)]

    private(set) var text = ""

    mutating func append(_ lines: String) { text += lines }

    mutating func element(_ name: String, _ attributes: Attributes) {
        text += Markup.tag(name, attributes, end: "/>\n")
    }

    mutating func open(_ name: String, _ attributes: Attributes = []) {
        text += Markup.tag(name, attributes, end: ">\n")
    }

    mutating func close(_ name: String) { text += "</\(name)>\n" }

    /// The words that are shown while a pointer rests on the element that is open.
    mutating func title(_ words: String) { text += "<title>\(Markup.escaped(words))</title>\n" }

    mutating func text(_ words: String, _ attributes: Attributes) { text([LineText.Stretch(text: words)], attributes) }

    mutating func text(_ stretches: [LineText.Stretch], _ attributes: Attributes) {
        text += Markup.tag("text", attributes, end: ">")
        for stretch in stretches {
            let words = Markup.escaped(stretch.text)
            let classes = stretch.look.names + (stretch.isLink ? ["link"] : [])
            text += classes.isEmpty ? words : "<tspan class=\"\(classes.joined(separator: " "))\">\(words)</tspan>"
        }
        text += "</text>\n"
    }

    /// Defines a clip path and returns its name. It is named for the path: equal paths have equal names, so that
    /// pictures can stand on one page.
    mutating func clip(_ path: String) -> String {
        let name = "clip" + path.map { $0.isLetter || $0.isNumber || $0 == "-" ? String($0) : "_" }.joined()
        text += "<clipPath id=\"\(name)\"><path d=\"\(path)\"/></clipPath>\n"
        return name
    }

    private static func tag(_ name: String, _ attributes: Attributes, end: String) -> String {
        "<\(name)" + attributes.map { " \($0.0)=\"\(escaped($0.1.markup))\"" }.joined() + end
    }

    /// Words as XML has them, without the characters that it cannot say at all.
    package static func escaped(_ words: String) -> String {
        var result = ""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t": result += " "
            case _ where scalar.value < 0x20 || 0xfffe...0xffff ~= scalar.value: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A value that an attribute may have.
protocol MarkupValue {
    var markup: String { get }
}

extension String: MarkupValue {
    var markup: String { self }
}

extension Int32: MarkupValue {
    var markup: String { "\(self)" }
}

extension Double: MarkupValue {
    /// The number to the hundredth, without zeros at the end.
    package var markup: String {
        let hundredths = Int((self * 100).rounded())
        let digits = "\(hundredths.magnitude % 100 + 100)".dropFirst()
        let fraction = String(digits.reversed().drop { $0 == "0" }.reversed())
        return (hundredths < 0 ? "-" : "") + "\(hundredths.magnitude / 100)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
