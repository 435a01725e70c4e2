import Console
import Conversation
import FormeClient
import FormeLayout
import Foundation
import JSON
import MessageLayout
import Names
import Record
import Rows
import Shaping
import Typography
import Wire

/// The work of a client with a page of fifty rows: from the bytes of a frame to a window that shows them.
struct ClientReport {
    private var stages: [(name: String, microseconds: Double)] = []
    private var bytes = 0

    private static let rowsPerPage = 50
    private static let screen: Int32 = 2_532

    init(style: StyleSheet, fonts: FontList, texts: BenchTexts, rounds: Int) throws {
        let pages = try ClientReport.pages(style, fonts, texts)
        bytes = pages.map(\.frame.count).sorted()[pages.count / 2]
        let turns = max(50, rounds)
        func median(_ body: (Page) throws -> Void) throws -> Double {
            var times: [Double] = []
            for turn in 0...turns {
                let start = ProcessorTime.now
                for page in pages { try body(page) }
                // The memory grows in the first turn.
                if turn > 0 { times.append((ProcessorTime.now - start) * 1e6 / Double(pages.count)) }
            }
            return times.sorted()[turns / 2]
        }
        let reader = RowFrames()
        func draw(_ window: FormeClient.Window, upTo end: Int64) {
            reader.removeAll()
            reader.prepare(window.rows(in: window.loaded.lowerBound..<end), of: window)
        }
        let windows = try pages.map { try $0.applied() }
        let ends = windows.map { $0[Self.rowsPerPage].y }
        stages = [
            ("decoded and applied: rows with places and decorations", try median { _ = try $0.applied() }),
            (
                "the same, and what is drawn in the rows of a screen",
                try median { page in
                    let window = try page.applied()
                    draw(window, upTo: window.loaded.lowerBound + Int64(Self.screen))
                }
            ),
            (
                "the same, and what is drawn in all of its rows",
                try median { page in draw(try page.applied(), upTo: ends[page.number]) }
            ),
            (
                "values of all frames and lines, as cells apply them",
                try median { page in
                    for i in 0..<Self.rowsPerPage { _ = reader.frames(of: windows[page.number][i]) }
                }
            ),
        ]
    }

    /// A page of older rows, and the window that it is for.
    private struct Page {
        var number: Int
        var frame: [UInt8]
        var window: FormeClient.Window

        /// The window with the page, while the one before is still shown.
        func applied() throws -> FormeClient.Window {
            guard case .window(let reply) = try Framed<GatewayWord>(decoding: frame).word else {
                throw Failure(.failed, "a page is no window")
            }
            return try window.applying(reply)
        }
    }

    /// Pages of a talking group, as a gateway sends them.
    private static func pages(_ style: StyleSheet, _ fonts: FontList, _ texts: BenchTexts) throws -> [Page] {
        guard let decoration = try style.decoration() else { throw Failure(.failed, "the style has no decoration") }
        let column = style.targets.firstIndex { $0.width == .points(375) } ?? 0
        var engine = try LayoutEngine(style: style, fonts: fonts)
        var cutter = RecordCutter()
        var rows: [NewRow] = []
        var layouts: [[[UInt8]]] = []
        var sizes: [[PixelSize]] = []
        for (place, text) in texts.all.enumerated() {
            let sheet = try engine.layOut(JSONReader(JSONValue.parse(BenchTexts.message(text))))
            var bytes: [UInt8] = []
            var encoder = RecordEncoder()
            try encoder.encode(sheet, into: &bytes)
            let record = try LayoutRecord(bytes)
            layouts.append(
                try (0..<3).map { variant in
                    var row: [UInt8] = []
                    try cutter.cut(record, target: column, variant: variant, into: &row)
                    return row
                })
            let own = (0..<3).map { sheet.slice(target: column, variant: $0).size }
            sizes.append(own)
            rows.append(
                NewRow(
                    number: MessageNumber(Int64(place)),
                    position: Position(order: Int64(place), message: try MessageID("message-\(place)")),
                    sender: try SenderID("user-\(place / 3 % 5)"),
                    time: Timestamp(milliseconds: 1_600_000_000_000 + Int64(place) * 40_000),
                    look: RowLook(template: "message"),
                    heights: ContentHeights(own: own[0].height, other: own[1].height, otherWithName: own[2].height)))
        }
        let timeline = Timeline(
            try RowTree(
                opening: [], then: rows, style: decoration, viewer: Viewer(), own: SenderID("user-1"),
                target: style.targets[column]),
            edition: try EditionID("0badcafe"), cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
        return try stride(from: rowsPerPage, to: rows.count - rowsPerPage, by: rowsPerPage).enumerated().map {
            try page($0.offset, from: $0.element, of: timeline, layouts, sizes)
        }
    }

    private static func page(
        _ number: Int, from start: Int, of timeline: Timeline, _ layouts: [[[UInt8]]], _ sizes: [[PixelSize]]
    ) throws -> Page {
        let tree = timeline.tree
        guard
            var (window, whole) = Conversation.Window.open(
                WindowID(1), on: timeline, around: .y(tree.y(ofRank: start + rowsPerPage / 2)), count: rowsPerPage,
                screen: screen)
        else { throw Failure(.failed, "there is no page") }
        var page = window.page(.older, count: rowsPerPage, on: timeline)
        let first = window.range.lowerBound
        for (ranks, isPage) in [
            (first..<first + page.rows.count, true), (first + page.rows.count..<window.range.upperBound, false),
        ] {
            for (i, span) in tree.spans(ranks).enumerated() {
                let variant = Int(span.dress.variant.rawValue)
                let size = sizes[Int(span.row.number.number)][variant]
                let body = WindowRow.Body(
                    decoration: tree.decoration(of: span, content: size), layout: layouts[ranks.lowerBound + i][variant]
                )
                if isPage { page.rows[i].body = body } else { whole.rows[i].body = body }
            }
        }
        return Page(
            number: number, frame: Framed(GatewayWord.window(page)).encoded(),
            window: FormeClient.Window(showing: try WindowMirror(whole)))
    }

    var table: String {
        Columns.aligned(
            [
                ["a page of \(Self.rowsPerPage) rows that comes to a window of as many", "µs"]
            ] + stages.map { [$0.name, String(format: "%.1f", $0.microseconds)] }
                + [["bytes of its frame, median", "\(bytes)"]])
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("page_bytes_median")
            json.integer(bytes)
            for (name, stage) in zip(["page_us", "screen_us", "drawn_us", "values_us"], stages) {
                json.key(name)
                json.decimal(stage.microseconds, places: 2)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
