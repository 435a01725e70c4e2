import Conversation
import FormeClient
import Foundation
import MessageLayout
import Names
import Pool
import Record
import TestSupport
import Typography
import Wire

@testable import Gateway

/// A client, a gateway's desk, and everything that they say to each other, byte for byte.
actor Exchange: GatewayTransport {
    nonisolated let silence = Duration.seconds(3600)
    private let stage: WindowStage
    private let client = WindowClient("client")
    private var heard: AsyncThrowingStream<[UInt8], any Error>.Continuation?
    private(set) var said: [Said] = []
    private(set) var call: GatewayCall?

    enum Said: Equatable {
        case client([UInt8])
        case gateway([UInt8])
        /// Something happens in the conversation.
        case event(Int)
    }

    /// - Parameter sheet: the layout of each message, by its number and the number of its edits.
    init(_ sheet: @escaping @Sendable (Int64, Int) -> LayoutSheet) throws {
        let stage = try WindowStage(style: .messages)
        stage.sheet = sheet
        try stage.commit((1...60).map { try stage.bubble($0) })
        self.stage = stage
    }

    func connect(_ call: GatewayCall) -> GatewayLine {
        let (frames, heard) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        (self.heard, self.call) = (heard, call)
        stage.prepare(call.opening)
        answer(call.frame)
        return GatewayLine(frames: frames, send: { [weak self] in await self?.answer($0) }, close: {})
    }

    /// Returns the words of the gateway.
    @discardableResult
    func answer(_ frame: [UInt8]) -> [[UInt8]] {
        said.append(.client(frame))
        return tell(stage.answers(to: frame, from: client))
    }

    /// Adds a message, edits one or deletes one.
    @discardableResult
    func happen(_ event: Int) throws -> [[UInt8]] {
        said.append(.event(event))
        let change =
            switch event {
            case 0: try stage.bubble(61)
            case 1: try stage.bubble(57, edits: 1)
            default: try stage.change(59, .removed)
            }
        try stage.commit([change])
        stage.tick()
        return tell((stage.told.removeValue(forKey: client) ?? []).map { Framed($0).encoded() })
    }

    /// Brings the conversation into memory where the frame opens a window, so that it is answered at once.
    func prepare(_ frame: [UInt8]) throws {
        if case .open(let opening) = try Framed<ClientWord>(decoding: frame).word { stage.prepare(opening) }
    }

    private func tell(_ frames: [[UInt8]]) -> [[UInt8]] {
        for frame in frames {
            said.append(.gateway(frame))
            heard?.yield(frame)
        }
        return frames
    }

    /// The words of both sides, a line each. The number under which a file was begun is another one each time; there
    /// are zeros in its place.
    var record: [String] {
        let first = said.lazy.compactMap { said in
            if case .gateway(let frame) = said { try? Framed<GatewayWord>(decoding: frame).word } else { nil }
        }.first
        guard case .window(let reply)? = first else { return [] }
        let generation = Self.text(reply.frame.cursor.epoch.number)
        return said.map { said in
            switch said {
            case .client(let frame): "client \(Self.text(frame))"
            case .gateway(let frame):
                "gateway "
                    + Self.text(frame).split(separator: generation, omittingEmptySubsequences: false)
                    .joined(separator: Self.text(0 as UInt64))
            case .event(let number): "event \(number)"
            }
        }
    }

    /// The row versions of windows that were answered: the first bytes of their whole rows.
    var rowVersions: Set<UInt8> {
        said.reduce(into: []) { versions, said in
            guard case .gateway(let frame) = said, let word = try? Framed<GatewayWord>(decoding: frame).word,
                case .window(let reply) = word
            else { return }
            versions.formUnion(reply.rows.compactMap { $0.body.flatMap { $0.isExcerpt ? nil : $0.layout.first } })
        }
    }

    private static func text(_ number: UInt64) -> String {
        text((0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    }

    static let screen = Screen(width: 390, height: 100, scale: 3)
    static let events = 0..<3

    /// Shows a conversation while things happen in it, as a client does. Returns the shown lines.
    func follow(_ open: OpenWindow) async throws -> [String] {
        var shown = Shown()
        // Until it is whole, it depends on the moment which lines of the long text are there.
        try await shown.note("opened", open.whole())
        _ = try await open.page(.older, rows: 10)
        let extent = await open.window.extent
        shown.lines.append("heights \(try await open.heights(in: extent.lowerBound..<extent.lowerBound + 2000))")
        shown.lines.append("row \(try await open.row(atY: extent.lowerBound + 900).row.message)")
        if case .there(let place) = try await open.position(of: "m7") { shown.lines.append("m7 \(place.rank)") }
        for event in Exchange.events { try happen(event) }
        for try await update in open.updates
        where update.window.index(ofMessage: "m61") != nil && update.window.index(ofMessage: "m59") == nil { break }
        await shown.note("followed", open.window)
        try await open.resize(to: Screen(width: 320, height: 100, scale: 2))
        try await shown.note("turned", open.whole())
        return shown.lines
    }
}

/// Everything of rows that clients of all versions draw, in lines.
private struct Shown {
    var lines: [String] = []
    private let reader = RowFrames()

    mutating func note(_ title: String, _ window: FormeClient.Window) {
        lines.append("\(title): \(window.count) of \(window.rowsAbove) + \(window.rowsBelow), \(window.extent)")
        for i in window.indices {
            let (row, around) = (window[i], window[i].decoration)
            lines.append(
                "\(row.message) \(row.order) at \(row.y), \(row.height), \(around.side) \(text(around.content))")
            for frame in reader.frames(of: row) {
                lines.append(
                    "  \(frame.node) in \(frame.parent): \(frame.part) \(frame.role) \(text(frame.rect)) \(frame.radius) "
                        + "\(frame.token) \(frame.source) \(frame.literal)")
                for line in frame.lines {
                    lines.append(
                        "    \(line.range) \(text(line.rect)) \(line.baseline) \(line.fontSize) \(line.isRightToLeft) "
                            + "\(line.endsInHyphen) \(line.endsInEllipsis)")
                }
            }
        }
    }

    private func text(_ rect: FormeClient.Rect) -> String {
        "[\(rect.left) \(rect.top) \(rect.width) \(rect.height)]"
    }
}

extension WindowStage {
    /// A message in a bubble: every third is of another sender, one is longer than twenty screens, and one is a word
    /// that is wider than any.
    func bubble(_ number: Int64, edits: Int = 0) throws -> ShardChange {
        var encoder = RecordEncoder()
        var bytes: [UInt8] = []
        try encoder.encode(sheet(number, edits), into: &bytes)
        var row = try ShardSample.row(order: number, key: "k\(edits)", layout: bytes, revision: UInt64(1 + edits))
        row.facts.sender = try SenderID(number % 3 == 0 ? "me" : "ada")
        return try change(number, .laidOut(row))
    }

    static func words(_ number: Int64, edits: Int) -> String {
        if number == 58 { return String(repeating: "a long story ", count: 400) }
        if number == 56 { return String(repeating: "abcdefghij", count: 14) }
        let words = ["see", "you", "at", "nine", "if", "wonderful", "snow", "falls", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}"]
        return (0..<Int(number) % 17 + 1 + edits).map { words[(Int(number) + $0 * $0) % words.count] }
            .joined(separator: " ")
    }
}
