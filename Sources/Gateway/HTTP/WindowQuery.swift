import Bytes
import HTTP
import JSON
import MessageLayout
import Names
import Record
import Typography
import Wire

/// The path and the query of a request for a window.
struct WindowQuery {
    let opening: WindowOpening
    /// The rows or lines that are wanted instead of rows around a place.
    let detail: Detail?

    enum Detail {
        /// Rows at one side of a row.
        case beside(WindowSide, MessageNumber)
        /// Lines of a row that came as an excerpt.
        case lines(WantedLines)
    }

    /// - Parameter subject: the sender as whom the bearer of the request reads; where there is none, the query may
    ///   name one.
    init(_ request: Request, conversation: ConversationID, subject: SenderID?) throws(QueryFault) {
        let target = request.target
        let screen = try target.field("target", or: nil, Self.screenForm) { Target(text: $0) }
        let place = try target.field("around", or: .newest, Self.placeForm) { WindowPlace(query: $0) }
        let count = try target.integer("count", 1...Limits.rowsPerPage, or: 50)
        let height = try target.integer("screen", 1...Limits.screen, or: WindowOpening.standardScreen)
        var reader = try target.field("reader", or: WindowReader(), Self.readerForm) { WindowReader(query: $0) }
        if let subject {
            reader.own = subject
        } else if let own = target.value("as") {
            reader.own = try name(own, Sender.self, "as")
        }
        if target.value("unreadFrom") != nil {
            reader.unreadFrom = try target.integer("unreadFrom", Int64.min ... .max, or: 0)
        }
        if let text = target.value("beside") {
            guard let beside = Detail(beside: text) else {
                throw .field("beside", found: text, expected: "older:ROW or newer:ROW")
            }
            detail = beside
        } else if let text = target.value("lines") {
            guard let lines = Detail(lines: text) else {
                throw .field(
                    "lines", found: text,
                    expected: "ROW:MARK:FROM:COUNT, with FROM and COUNT in 0...\(Limits.linesPerRow)")
            }
            detail = lines
        } else {
            detail = nil
        }
        let bodies = try target.field("bodies", or: true, "yes or no") { ["yes": true, "no": false][$0] }
        let with = try target.field("with", or: [], Self.withForm) { With($0) }
        let editions = try target.field("editions", or: !request.wantsFrames, "yes") { $0 == "yes" ? true : nil }
        let unavailable = try target.field("unavailable", or: !request.wantsFrames, "yes") { $0 == "yes" ? true : nil }
        let window = try target.integer("window", UInt32(1)...UInt32.max, or: WindowStreams.window.number)
        var opening = WindowOpening(
            window: WindowID(window), conversation: conversation, target: screen, reader: reader, place: place,
            count: count, screen: height, wantsBodies: bodies,
            wantsMessages: with.contains(.messages), wantsEditions: editions, wantsUnavailable: unavailable,
            rowVersion: try request.rowVersion())
        (opening.wantsRuns, opening.wantsFonts) = (with.contains(.runs), with.contains(.fonts))
        self.opening = opening
    }

    private static let withForm = "body, runs, fonts, or several of them in this order, as in body,fonts"
    private static let screenForm = "WIDTH@SCALE, WIDTH in 1...16384 and SCALE in 0.5...8, and ,PERCENT in 25...400"
    private static let placeForm = """
        newest, unread, message:ID, y:PIXELS, or date:MILLISECONDS in \
        \(Limits.milliseconds.lowerBound)...\(Limits.milliseconds.upperBound)
        """
    private static let readerForm = "a reader as JSON, with a zone whose offsets are in -86400...86400, or its bytes"
}

/// The parts that rows come with, besides their layouts.
private struct With: OptionSet {
    let rawValue: UInt8

    static let messages = With(rawValue: 1)
    static let runs = With(rawValue: 2)
    static let fonts = With(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Nil for anything but names in their order, each once.
    init?(_ text: String) {
        let places = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { ["body", "runs", "fonts"].firstIndex(of: $0) }
        guard places.allSatisfy({ $0 != nil }) else { return nil }
        let known = places.compactMap(\.self)
        guard zip(known, known.dropFirst()).allSatisfy(<) else { return nil }
        self.init(rawValue: known.reduce(0) { $0 | 1 << UInt8($1) })
    }
}

extension Request {
    /// The newest version of rows that the client reads, as `Accept` says it behind the form that is wanted:
    /// `application/json; rows=2`.
    fileprivate func rowVersion() throws(QueryFault) -> RowVersion {
        // Most requests say nothing of it.
        guard let accepted = headers.list("Accept"), accepted.utf8.contains(UInt8(ascii: ";")) else { return .first }
        for range in accepted.split(separator: ",") {
            let words = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard words.first == WindowPages.binary || !wantsFrames,
                let rows = words.dropFirst().first(where: { $0.hasPrefix("rows=") })
            else { continue }
            guard let version = UInt8(rows.dropFirst(5)).flatMap(RowVersion.init(rawValue:)) else {
                let known = RowVersion.allCases.map { "rows=\($0.rawValue)" }.joined(separator: " or ")
                throw .field("Accept", found: rows, expected: known)
            }
            return version
        }
        return .first
    }
}

extension RequestTarget {
    /// A number of the query.
    /// - Parameter fallback: the number where the query has none; nil where it must have one.
    func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String, _ range: ClosedRange<Value>, or fallback: Value?
    ) throws(QueryFault) -> Value {
        try field(name, or: fallback, "a whole number in \(range.lowerBound)...\(range.upperBound)") { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    fileprivate func field<Value>(
        _ name: String, or fallback: Value?, _ expected: @autoclosure () -> String, _ read: (String) -> Value?
    ) throws(QueryFault) -> Value {
        guard let text = value(name) else {
            guard let fallback else { throw .missing(name, expected: expected()) }
            return fallback
        }
        guard let value = read(text) else { throw .field(name, found: text, expected: expected()) }
        return value
    }
}

extension WindowQuery.Detail {
    /// `older:77` or `newer:77`.
    fileprivate init?(beside text: String) {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 2, let row = Int64(parts[1]) else { return nil }
        switch parts[0] {
        case "older": self = .beside(.older, MessageNumber(row))
        case "newer": self = .beside(.newer, MessageNumber(row))
        default: return nil
        }
    }

    /// `77:00c0ffee00c0ffee:40:80`: a row, its mark, the first line and the number of lines.
    fileprivate init?(lines text: String) {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 4, let row = Int64(parts[0]), let mark = RowMark(parts[1]), let start = Int(parts[2]),
            let count = Int(parts[3]), 0...Limits.linesPerRow ~= start, 0...Limits.linesPerRow ~= count
        else { return nil }
        let end = min(start + count, Limits.linesPerRow)
        self = .lines(WantedLines(row: MessageNumber(row), mark: mark, lines: start..<end))
    }
}

private func name<Subject>(_ text: String, _: Subject.Type, _ field: String) throws(QueryFault) -> Name<Subject> {
    do throws(ByteError) { return try Name(text) } catch {
        throw .field(field, found: text, expected: "1 to \(Limits.name) bytes")
    }
}

extension WindowReader {
    /// Reads JSON, or a reader's bytes in hexadecimal, as other programs of ours say it.
    fileprivate init?(query text: String) {
        do {
            if text.first == "{" {
                self = try JSONDocument(name: "reader", bytes: Array(text.utf8), dialect: .json).read(WindowReader.init)
            } else {
                guard let bytes = bytes(hexadecimal: text) else { return nil }
                self = try WindowReader(decoding: bytes)
            }
        } catch {
            return nil
        }
    }
}

private func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}

extension WindowPlace {
    fileprivate init?(query text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("newest", 1): self = .newest
        case ("unread", 1): self = .unread
        case ("message", 2):
            do throws(ByteError) { self = .message(try Name(parts[1])) } catch { return nil }
        case ("date", 2):
            guard let milliseconds = Int64(parts[1]), Limits.milliseconds ~= milliseconds else { return nil }
            self = .date(Timestamp(milliseconds: milliseconds))
        case ("y", 2):
            guard let y = Int64(parts[1]) else { return nil }
            self = .y(y)
        default: return nil
        }
    }
}
