import HTTP
import MessageLayout
import Typography
import Wire

/// What a request for a window names, from its path and its query.
struct WindowQuery {
    let opening: WindowOpening
    /// Rows at one side of this row, instead of rows around a place.
    let page: (side: WindowSide, row: MessageNumber)?

    static let standardScreen: Int32 = 2532

    /// Nil for what cannot be read.
    /// - Parameter subject: the sender as whom the bearer of the request reads; where there is none, the query may name one.
    init?(_ request: Request, conversation: String, subject: String) {
        let target = request.target
        guard let conversation = name(conversation, ConversationSubject.self), let wanted = target.value("target"),
            let screen = Target(query: wanted), let place = WindowPlace(query: target.value("around") ?? "newest")
        else { return nil }
        func number<Value: FixedWidthInteger>(_ name: String, _ range: ClosedRange<Value>, or fallback: Value) -> Value?
        {
            guard let text = target.value(name) else { return fallback }
            return Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
        guard let count = number("count", 1...Limits.rowsPerPage, or: 50),
            let height = number("screen", 1...Limits.screen, or: WindowQuery.standardScreen)
        else { return nil }
        var reader = WindowReader()
        if let own = subject.isEmpty ? target.value("as") : subject {
            guard let sender = name(own, Sender.self) else { return nil }
            reader.own = sender
        }
        if let text = target.value("unreadFrom") {
            guard let order = Int64(text) else { return nil }
            reader.unreadFrom = order
        }
        let beside = target.value("beside")?.split(separator: ":").map(String.init)
        switch (beside?.first, beside.flatMap { $0.count == 2 ? Int64($0[1]) : nil }) {
        case (nil, _): page = nil
        case ("older", let row?): page = (.older, MessageNumber(row))
        case ("newer", let row?): page = (.newer, MessageNumber(row))
        default: return nil
        }
        opening = WindowOpening(
            window: WindowID(1), conversation: conversation, target: screen, reader: reader, place: place,
            count: count, screen: height, wantsBodies: target.value("bodies") != "no",
            wantsMessages: target.value("with") == "body")
    }
}

private func name<Subject>(_ text: String, _: Subject.Type) -> Name<Subject>? {
    do throws(WireError) { return try Name(text) } catch { return nil }
}

extension Target {
    /// `390@3`: points, and device pixels to a point; `390@3,130` with a text scale in percent.
    fileprivate init?(query text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let parts = words[0].split(separator: "@", omittingEmptySubsequences: false)
        guard words.count <= 2, parts.count == 2, let width = Int32(parts[0]), 1...16_384 ~= width,
            let scale = Double(parts[1]), 0.5...8 ~= scale, let percent = words.count > 1 ? Int32(words[1]) : 100,
            25...400 ~= percent
        else { return nil }
        self.init(
            width: .points(width), scale: Scale(thousandths: Int32((scale * 1000).rounded())),
            textScale: TextScale(percent: percent))
    }
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
