import JSON
import MessageLayout

/// The rule for messages that follow each other to be one series: of one sender, without a long pause, and all of
/// kinds that take part in series.
package struct SeriesRule: Hashable, Sendable {
    /// The longest pause from one message to the next.
    package var longestPause: Duration
    package var breaks: Breaks

    /// Other breaks that end a series.
    package struct Breaks: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A row of another template.
        package static let template = Breaks(rawValue: 1)
        package static let dateLine = Breaks(rawValue: 2)
        package static let unreadLine = Breaks(rawValue: 4)
    }
}

/// The position of a row in its series.
package enum SeriesPosition: UInt8, CaseIterable, Sendable {
    case single = 0
    case first, middle, last

    package init(joinsAbove: Bool, joinsBelow: Bool) {
        switch (joinsAbove, joinsBelow) {
        case (false, false): self = .single
        case (false, true): self = .first
        case (true, true): self = .middle
        case (true, false): self = .last
        }
    }

    package var isStart: Bool { self == .single || self == .first }
    package var isEnd: Bool { self == .single || self == .last }
}

extension SeriesRule {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["gap", "brokenBy"])
        longestPause = .seconds(try fields.required("gap").integer(in: 0...604_800))
        breaks = []
        for element in try fields.required("brokenBy").elements() {
            breaks.insert(
                try element.choice(["template": .template, "dateLine": .dateLine, "unreadLine": .unreadLine]))
        }
    }
}
