import HTTP
import JSON
import MessageLayout
import Typography
import Wire

/// What a request for a window names, from its path and its query.
struct WindowQuery {
    let opening: WindowOpening
    /// What is wanted instead of rows around a place.
    let detail: Detail?

    enum Detail {
        /// Rows at one side of a row.
        case beside(WindowSide, MessageNumber)
        /// Of a row that came as an excerpt.
        case lines(WantedLines)
    }

    /// Nil for what cannot be read.
    /// - Parameter subject: the sender as whom the bearer of the request reads; where there is none, the query may name one.
    init?(_ request: Request, conversation: String, subject: String) {
        let target = request.target
        guard let conversation = name(conversation, ConversationSubject.self), let wanted = target.value("target"),
            let screen = Target(text: wanted), let place = WindowPlace(query: target.value("around") ?? "newest")
        else { return nil }
        func number<Value: FixedWidthInteger>(_ name: String, _ range: ClosedRange<Value>, or fallback: Value) -> Value?
        {
            guard let text = target.value(name) else { return fallback }
            return Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
        guard let count = number("count", 1...Limits.rowsPerPage, or: 50),
            let height = number("screen", 1...Limits.screen, or: WindowOpening.standardScreen)
        else { return nil }
        guard var reader = WindowReader(query: target.value("reader")) else { return nil }
        if let own = subject.isEmpty ? target.value("as") : subject {
            guard let sender = name(own, Sender.self) else { return nil }
            reader.own = sender
        }
        if let text = target.value("unreadFrom") {
            guard let order = Int64(text) else { return nil }
            reader.unreadFrom = order
        }
        if let text = target.value("beside") {
            guard let beside = Detail(beside: text) else { return nil }
            detail = beside
        } else if let text = target.value("lines") {
            guard let lines = Detail(lines: text) else { return nil }
            detail = lines
        } else {
            detail = nil
        }
        opening = WindowOpening(
            window: WindowID(1), conversation: conversation, target: screen, reader: reader, place: place,
            count: count, screen: height, wantsBodies: target.value("bodies") != "no",
            wantsMessages: target.value("with") == "body")
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

    /// `77:00c0ffee00c0ffee:40:80`: a row, its mark, and from which line on how many.
    fileprivate init?(lines text: String) {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 4, let row = Int64(parts[0]), let mark = RowMark(parts[1]), let start = Int(parts[2]),
            let count = Int(parts[3]), 0...Limits.linesPerRow ~= start, 0...Limits.linesPerRow ~= count
        else { return nil }
        let end = min(start + count, Limits.linesPerRow)
        self = .lines(WantedLines(row: MessageNumber(row), mark: mark, lines: start..<end))
    }
}

private func name<Subject>(_ text: String, _: Subject.Type) -> Name<Subject>? {
    do throws(WireError) { return try Name(text) } catch { return nil }
}

extension WindowReader {
    /// As JSON, or its bytes in hexadecimal, as other programs of ours say it.
    fileprivate init?(query text: String?) {
        guard let text else {
            self.init()
            return
        }
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
            guard let message = name(parts[1], Message.self) else { return nil }
            self = .message(message)
        case ("date", 2):
            guard let milliseconds = Int64(parts[1]) else { return nil }
            self = .date(Timestamp(milliseconds: milliseconds))
        case ("y", 2):
            guard let y = Int64(parts[1]) else { return nil }
            self = .y(y)
        default: return nil
        }
    }
}
