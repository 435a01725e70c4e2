import Conversation
import MessageLayout
import Names
import Rows
import TestSupport
import Testing
import Wire

@testable import FormeClient

/// A window at a gateway, with nothing between: the test decides about the words that the course hears.
private struct Table {
    var timeline: Timeline
    var window: Conversation.Window
    var course: WindowCourse
    var said: [ClientWord] = []
    private var stamp: UInt64 = 1

    init(rows: Int = 200) throws {
        timeline = Timeline(
            try RowTree(
                opening: [], then: (1...Int64(rows)).map { try Stage.row($0) }, style: .messages, viewer: Viewer(),
                own: try SenderID("ada"), target: Stage.screen.target),
            edition: try EditionID("0a"), cursor: WindowCursor(epoch: LeaseEpoch(1), stamp: Stamp(1)))
        course = WindowCourse(
            WindowOpening(
                window: WindowID(1), conversation: try ConversationID("c"), target: try Stage.screen.target, count: 40,
                screen: 1_400))
        let reply: WindowReply
        (window, reply) = try Self.open(timeline, .newest, count: 40)
        _ = course.begin(line: "")
        _ = course.hear(.window(reply))
    }

    struct NoRow: Error {}

    static func open(
        _ timeline: Timeline, _ place: WindowPlace, count: Int
    ) throws -> (Conversation.Window, WindowReply) {
        var own = RowPlace.newest
        if case .y(let y) = place { own = .y(y) }
        if case .message(let message) = place {
            guard
                let rank = (0..<timeline.tree.count).first(where: {
                    timeline.tree.row(at: $0).position.message == message
                })
            else { throw NoRow() }
            own = .row(timeline.tree.row(at: rank).number)
        }
        guard
            let opened = Conversation.Window.open(
                WindowID(1), on: timeline, around: own, count: count, screen: 1_400)
        else { throw NoRow() }
        return opened
    }

    /// One tick; the change set may be lost on its way.
    mutating func change(_ changes: [RowChange], isLost: Bool) {
        stamp += 1
        let steps = timeline.apply(changes, upTo: Stamp(stamp))
        past.append(window)
        guard let set = window.follow(steps, on: timeline), !isLost else { return }
        hear(.changes(set))
    }

    private var past: [Conversation.Window] = []

    mutating func hear(_ word: GatewayWord, answering question: ClientWord? = nil) {
        for effect in course.hear(word, answering: question) {
            if case .ask(let word) = effect { said.append(word) }
        }
    }

    /// Answers the open questions, and opens the window again where it was lost.
    mutating func settle() throws {
        while let word = said.popLast() {
            guard case .changes(_, let cursor) = word else { continue }
            guard var window = past.last(where: { $0.cursor == cursor }), let steps = timeline.steps(since: cursor),
                let set = window.follow(steps, on: timeline)
            else {
                hear(.refused(WindowID(1), .resync), answering: word)
                continue
            }
            self.window = window
            hear(.changes(set), answering: word)
        }
        while course.state == .lost {
            let call = course.begin(line: "")
            do {
                let reply: WindowReply
                (window, reply) = try Self.open(timeline, call.opening.place, count: call.opening.count)
                hear(.window(reply))
            } catch {
                hear(.refused(WindowID(1), .unknownMessage))
            }
        }
    }

    mutating func page(_ side: WindowSide) {
        hear(.window(window.page(side, count: 20, on: timeline)), answering: .page(WindowID(1), side, count: 20))
    }

    /// The rows of a reader who opens the same window now.
    var fresh: [WindowRow] { timeline.rows(window.range) }
}

@Test func `whatever is lost on the way, a client has what somebody has who opens afresh`() {
    forEachSeed(100) { random in
        var table = try Table()
        var newest: Int64 = 200
        for _ in 0..<60 {
            let order = Int64.random(in: 1...newest, using: &random)
            switch Int.random(in: 0...7, using: &random) {
            case 0, 1:
                newest += 1
                table.change([.put(try Stage.row(newest))], isLost: Bool.random(using: &random))
            case 2:
                let row = try Stage.row(order, height: .random(in: 40...400, using: &random))
                table.change([.put(row, reason: .edit)], isLost: Int.random(in: 0...3, using: &random) == 0)
            case 3: table.change([.removed(MessageNumber(order))], isLost: Int.random(in: 0...3, using: &random) == 0)
            case 4:
                try table.settle()
                // A gateway answers a page when all before it has been heard.
                if table.course.mirror?.frame.cursor == table.window.cursor { table.page(.older) }
            case 5:
                let rows = table.course.mirror?.rows ?? []
                table.course.seen = rows.randomElement(using: &random).map { WindowAnchor(row: $0.number) }
            case 6: table.hear(.refused(WindowID(1), .resync))
            default: try table.settle()
            }
        }
        // The set that follows says that others are missing.
        table.change([.put(try Stage.row(newest + 1))], isLost: false)
        try table.settle()
        return table.course.state == .live && table.course.mirror?.rows == table.fresh
            && table.course.mirror?.frame == table.window.frame(on: table.timeline)
    }
}

@Test func `a window is opened again where its reader was, then near that, then where it was wished for`() throws {
    var table = try Table()
    let rows = try #require(table.course.mirror?.rows)
    table.course.seen = WindowAnchor(row: rows[3].number)
    let y = try #require(table.course.mirror?.top(of: 3))
    table.hear(.refused(WindowID(1), .unknownWindow))
    #expect(table.course.state == .lost)
    var places: [WindowPlace] = []
    for _ in 0..<3 {
        places.append(table.course.begin(line: "7").opening.place)
        table.hear(.refused(WindowID(1), .unknownMessage))
    }
    #expect(places == [.message(rows[3].message), .y(y), .newest])
    var isFailed = false
    for effect in table.course.hear(.refused(WindowID(1), .unknownConversation)) {
        if case .fail(.unknownConversation) = effect { isFailed = true }
    }
    #expect(isFailed || table.course.state == .lost)
}

@Test(arguments: [false, true])
func `a window that is shown from a cache is opened around the place that was asked for, whatever goes wrong first`(
    isRefused: Bool
) throws {
    let page = try #require(try Table().course.mirror?.end(100, of: WindowID(1)))
    let (tenth, last) = (page.rows[9].message, page.rows[page.rows.count - 1].message)
    for (asked, first) in [
        (WindowPlace.newest, WindowPlace.message(last)), (.unread, .unread), (.message(tenth), .message(tenth)),
    ] {
        var course = WindowCourse(
            WindowOpening(
                window: WindowID(1), conversation: try ConversationID("c"), target: try Stage.screen.target,
                place: asked, count: 40, screen: 1_400))
        course.show(cached: page)
        if isRefused {
            _ = course.begin(line: "")
            _ = course.hear(.refused(WindowID(1), .resync))
            #expect(course.state == .lost)
        }
        let call = course.begin(line: "")
        #expect(call.opening.place == first)
    }
}

@Test func `a message that is gone, and was shown from a cache, leads to the place where it was shown`() throws {
    let page = try #require(try Table().course.mirror?.end(100, of: WindowID(1)))
    var course = WindowCourse(
        WindowOpening(
            window: WindowID(1), conversation: try ConversationID("c"), target: try Stage.screen.target,
            place: .message(page.rows[9].message), count: 40, screen: 1_400))
    course.show(cached: page)
    let y = try #require(course.mirror?.top(of: 9))
    _ = course.begin(line: "")
    _ = course.hear(.refused(WindowID(1), .unknownMessage))
    let call = course.begin(line: "")
    #expect(call.opening.place == .y(y))
}

@Test func `a page that does not fit the rows that are there leads to a window that does`() throws {
    var table = try Table()
    // The gateway's window has grown, and the client has not heard of it.
    _ = table.window.page(.older, count: 20, on: table.timeline)
    table.page(.older)
    #expect(table.course.state == .lost || table.course.mirror?.rows != table.fresh)
    table.change([.put(try Stage.row(170, height: 300), reason: .edit)], isLost: false)
    try table.settle()
    table.course.end(isInDoubt: true)
    try table.settle()
    #expect(table.course.mirror?.rows == table.fresh)
}

@Test(arguments: [true, false])
func `rows of a word that does not fit are not shown, as nobody is told of them`(isPage: Bool) throws {
    var table = try Table()
    // The client has not heard of these.
    _ = table.window.page(.older, count: 20, on: table.timeline)
    let shown = try #require(table.course.mirror)
    if isPage {
        table.page(.older)
    } else {
        table.change([.put(try Stage.row(170, height: 300), reason: .edit)], isLost: false)
    }
    #expect(table.course.state == .lost && table.course.mirror == shown)
    try table.settle()
    #expect(table.course.mirror?.rows == table.fresh)
}

@Test func `a window whose gateway is too busy to say what was missed is opened again`() throws {
    var table = try Table()
    table.change([.put(try Stage.row(201))], isLost: true)
    table.change([.put(try Stage.row(202))], isLost: false)
    let asked = table.said.popLast()
    let question = try #require(asked)
    // This says nothing of changes.
    table.hear(.refused(WindowID(1), .busy), answering: .page(WindowID(1), .older, count: 20))
    #expect(table.course.state == .catchingUp)
    table.hear(.refused(WindowID(1), .busy), answering: question)
    #expect(table.course.state == .lost)
    try table.settle()
    #expect(table.course.mirror?.rows == table.fresh && table.course.mirror?.rows.last?.order == 202)
}

@Test func `whether a conversation fits on the screen is known at any moment`() throws {
    var table = try Table(rows: 1)
    var known: Set<Bool> = []
    for number in Int64(2)...12 {
        table.change([.put(try Stage.row(number, height: 200), reason: .live)], isLost: false)
        known.insert(table.course.fits)
        #expect(try table.course.fits == Table.open(table.timeline, .newest, count: 40).1.contentFits)
    }
    #expect(known == [true, false])
}

@Test func `a reader who has come to rest is not said to scroll where a window is opened again`() throws {
    var table = try Table()
    table.hear(.done(WindowID(1)), answering: .busy(WindowID(1), true))
    // Nothing was to be trimmed, or something was.
    table.hear(.adjusted(WindowID(1), nil), answering: .busy(WindowID(1), false))
    table.hear(.refused(WindowID(1), .resync))
    try table.settle()
    #expect(!table.said.contains(.busy(WindowID(1), true)))
}

@Test func `what a client wished for is said again where a window is opened again`() throws {
    var table = try Table()
    let anchors = [WindowAnchor(row: MessageNumber(190))]
    table.hear(.done(WindowID(1)), answering: .hold(WindowID(1), anchors))
    table.hear(.done(WindowID(1)), answering: .busy(WindowID(1), true))
    table.course.read(from: 180)
    table.hear(.refused(WindowID(1), .resync))
    let call = table.course.begin(line: "")
    #expect(call.opening.reader.unreadFrom == 180)
    table.hear(.window(try Table.open(table.timeline, call.opening.place, count: 40).1))
    #expect(table.said.contains(.hold(WindowID(1), anchors)) && table.said.contains(.busy(WindowID(1), true)))
}
