import Foundation

/// Lines in a frame, as SVG: drawn in the colours of the page, so that it is readable by day and by night.
struct Chart {
    struct Series {
        var name: String
        var points: [(x: Double, y: Double)]
        /// Whether the area below the line is tinted.
        var isFilled = false
    }

    enum Scale {
        case linear, logarithmic
    }

    /// The value at which a line across the chart is drawn, and the label beside it.
    typealias Mark = (value: Double, label: String)

    var title: String
    var unit: String
    var series: [Series]
    var vertical = Scale.linear
    var marksBelow: [Mark]

    private static let width = 720.0
    private static let height = 260.0
    private static let (left, right, top, bottom) = (56.0, 12.0, 12.0, 28.0)
    private static let mostPoints = 400

    var html: String {
        let legend = series.enumerated().map { place, series in
            "<span class=\"key line\(place)\">\(WebPage.escaped(series.name))</span>"
        }.joined()
        return """
            <figure>
            <figcaption><b>\(WebPage.escaped(title))</b> <small>\(WebPage.escaped(unit))</small>\(legend)</figcaption>
            <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-label="\(WebPage.escaped(title))">
            \(grid)\(lines)</svg>
            </figure>

            """
    }

    private var highest: Double { series.flatMap { $0.points.map(\.y) }.max() ?? 0 }
    private var lowest: Double {
        vertical == .linear ? 0 : series.flatMap { $0.points.map(\.y) }.filter { $0 > 0 }.min() ?? 1
    }
    private var xRange: ClosedRange<Double> {
        let all = series.flatMap { $0.points.map(\.x) } + marksBelow.map(\.value)
        let (low, high) = (all.min() ?? 0, all.max() ?? 1)
        return low...max(high, low + 1e-9)
    }

    /// Round numbers up the left side, a few of them.
    private var marksLeft: [Mark] {
        switch vertical {
        case .linear:
            let step = Self.roundStep(max(highest, 1e-9) / 4)
            return (0...5).map { Double($0) * step }.filter { $0 <= ceiling * 1.001 }.map { ($0, Self.label($0)) }
        case .logarithmic:
            let powers = Int(log10(floorValue).rounded())...Int(log10(ceiling).rounded())
            return powers.map { pow(10, Double($0)) }.map { ($0, Self.label($0)) }
        }
    }

    private var ceiling: Double {
        switch vertical {
        case .linear:
            let step = Self.roundStep(max(highest, 1e-9) / 4)
            return (highest / step).rounded(.up) * step
        case .logarithmic: return pow(10, ceil(log10(max(highest, 1e-6))))
        }
    }

    private var floorValue: Double { vertical == .linear ? 0 : min(pow(10, floor(log10(lowest))), ceiling / 10) }

    private static func roundStep(_ step: Double) -> Double {
        let power = pow(10, floor(log10(step)))
        return ([1, 2, 2.5, 5].first { $0 * power >= step } ?? 10) * power
    }

    private static func label(_ value: Double) -> String {
        switch value {
        case 1_000_000...: "\(trimmed(value / 1_000_000))M"
        case 1000...: "\(trimmed(value / 1000))k"
        default: trimmed(value)
        }
    }

    private static func trimmed(_ value: Double) -> String {
        let text = String(format: value < 0.1 ? "%.3f" : "%.2f", value)
        let kept = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return value == 0 ? "0" : String(kept.reversed())
    }

    private func x(_ value: Double) -> Double {
        let part = (value - xRange.lowerBound) / (xRange.upperBound - xRange.lowerBound)
        return Self.left + part * (Self.width - Self.left - Self.right)
    }

    private func y(_ value: Double) -> Double {
        let (low, high) = (floorValue, max(ceiling, floorValue + 1e-9))
        let part =
            vertical == .linear
            ? (value - low) / (high - low) : log10(max(value, low) / low) / log10(high / low)
        return Self.height - Self.bottom - part * (Self.height - Self.top - Self.bottom)
    }

    private var grid: String {
        var svg = ""
        for (value, label) in marksLeft {
            let y = Self.number(y(value))
            svg += "<path class=\"grid\" d=\"M\(Self.left) \(y)H\(Self.width - Self.right)\"/>"
            svg += "<text class=\"left\" x=\"\(Self.left - 8)\" y=\"\(y)\">\(label)</text>\n"
        }
        for (value, label) in marksBelow {
            let x = Self.number(x(value))
            svg += "<text class=\"below\" x=\"\(x)\" y=\"\(Self.height - 8)\">\(label)</text>\n"
        }
        return svg
    }

    private var lines: String {
        series.enumerated().map { place, series in
            let points = Self.thinned(series.points)
            guard let first = points.first, let last = points.last else { return "" }
            let path = points.map { "\(Self.number(x($0.x))) \(Self.number(y($0.y)))" }.joined(separator: "L")
            let ground = Self.number(y(floorValue))
            let area = "M\(Self.number(x(first.x))) \(ground)L\(path)L\(Self.number(x(last.x))) \(ground)Z"
            return (series.isFilled ? "<path class=\"area line\(place)\" d=\"\(area)\"/>" : "")
                + "<path class=\"line line\(place)\" d=\"M\(path)\"/>\n"
        }.joined()
    }

    /// The highest of the points that would stand on one pixel, for each pixel.
    private static func thinned(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        let step = (points.count + mostPoints - 1) / mostPoints
        guard step > 1 else { return points }
        return stride(from: 0, to: points.count, by: step).map { start in
            points[start..<min(start + step, points.count)].max { $0.y < $1.y }!
        }
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
