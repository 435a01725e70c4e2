import Foundation
import MessageLayout
import Names
import Pool
import TestSupport
import Testing
import Wire

@testable import Conversation
@testable import Gateway

/// A conversation that is longer than what its gateway remembers.
private func long(_ count: Int64 = 2500) throws -> WindowStage {
    var limits = WindowStage.patience
    limits.contents = 20_000
    let stage = try WindowStage(limits: limits)
    try stage.fill(count)
    return stage
}

@Test(arguments: [50, 70, 100, 200, 256])
func `each row of a long conversation comes with what is drawn in it, page after page`(rows: Int) throws {
    let stage = try long()
    let client = WindowClient("ada")
    var mirror = try Reader("ada", on: stage, count: rows).mirror
    var pages = 0
    while mirror.frame.hasOlder {
        // A reader who scrolls far back keeps the oldest 300 rows, and pages on from there.
        _ = stage.say(.adjust(WindowID(1), maxCount: 300, focus: 0), as: client)
        guard case .window(let page)? = stage.say(.page(WindowID(1), .older, count: rows), as: client).first else {
            Issue.record("no page")
            return
        }
        #expect(page.rows.allSatisfy { $0.body != nil } && !page.rows.isEmpty)
        mirror = try WindowMirror(WindowReply(whole: page))
        pages += 1
    }
    #expect(pages == (2500 - rows + rows - 1) / rows)
}

@Test(arguments: [50, 70, 100, 200, 256])
func `the same over HTTP, where each page is asked for by its neighbour`(rows: Int) throws {
    let front = try RunningFront { try long() }
    func page(_ query: String) throws -> (rows: [[String: Any]], hasOlder: Bool) {
        let answer = try front.curl("/v1/conversations/c/window?target=390@3&count=\(rows)" + query)
        let told = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        let window = try #require(told?["window"] as? [String: Any])
        return (window["rows"] as? [[String: Any]] ?? [], window["hasOlder"] as? Bool ?? false)
    }
    var (first, isMore) = try page("")
    var numbers = first.compactMap { $0["row"] as? Int }
    while isMore {
        (first, isMore) = try page("&beside=older:\(numbers[0])")
        #expect(first.allSatisfy { $0["layout"] != nil && $0["decoration"] != nil })
        numbers = first.compactMap { $0["row"] as? Int } + numbers
    }
    #expect(numbers == Array(1...2500))
}

@Test func `rows that are too large together come in fewer rows to an answer, and the rest is asked for`() throws {
    let stage = try WindowStage()
    try stage.fillWithHeavyRows(60)
    let client = WindowClient("ada")
    var mirror = try Reader("ada", on: stage, count: 60).mirror
    #expect(mirror.rows.count < 60 && mirror.rows.last?.number == MessageNumber(60))
    #expect(mirror.rows.allSatisfy { $0.body != nil } && mirror.frame.hasOlder && !mirror.frame.hasNewer)
    while mirror.frame.hasOlder {
        guard case .window(let page)? = stage.say(.page(WindowID(1), .older, count: 60), as: client).first else {
            Issue.record("no page")
            return
        }
        #expect(!page.rows.isEmpty && page.rows.allSatisfy { $0.body != nil })
        try mirror.apply(page)
    }
    #expect(mirror.rows.map(\.number) == (1...60).map { MessageNumber($0) })
    // Rows that are asked for by number come in that order, as many as fit; the rest is asked for again.
    var rest = mirror.rows.map(\.number)
    var answers = 0
    while !rest.isEmpty {
        guard case .rows(_, let rows)? = stage.say(.rows(WindowID(1), rest), as: client).first, !rows.isEmpty else {
            Issue.record("no rows")
            return
        }
        #expect(rows.map(\.number) == Array(rest.prefix(rows.count)) && rows.allSatisfy { $0.body != nil })
        rest.removeFirst(rows.count)
        answers += 1
    }
    #expect(answers > 1)
}

@Test(arguments: [true, false])
func `a window of thousands of rows is told again in a frame, with as many rows as fit, with bodies or without`(
    wantsBodies: Bool
) throws {
    let stage = try WindowStage()
    for start in stride(from: 1 as Int64, through: 4000, by: 200) {
        try stage.commit(
            (start..<start + 200).map { number -> ShardChange in
                let row = try ShardSample.row(order: number, key: "k", layout: SampleRecord.bytes(height: 40))
                let message = "m\(number)" + String(repeating: "x", count: 240)
                return try ShardSample.change(number, job: UInt64(number), message: message, .laidOut(row))
            })
    }
    let client = WindowClient("ada")
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 256, screen: 2000,
        wantsBodies: wantsBodies)
    guard case .window(let first)? = stage.say(.open(opening), as: client).first else {
        Issue.record("no window")
        return
    }
    var mirror = try WindowMirror(first)
    while mirror.frame.hasOlder {
        guard case .window(let page)? = stage.say(.page(WindowID(1), .older, count: 256), as: client).first,
            !page.rows.isEmpty
        else {
            Issue.record("no page")
            return
        }
        try mirror.apply(page)
    }
    let word = stage.say(.resize(WindowID(1), WindowStage.target, screen: 1000, nil), as: client).first
    guard case .window(let reply)? = word else {
        Issue.record("no window")
        return
    }
    #expect(mirror.rows.count == 4000 && GatewayWord.window(reply).encoded().count < Limits.frame)
    #expect(reply.rows.count > 500 && reply.rows.last?.number == mirror.rows.last?.number && reply.frame.hasOlder)
    #expect(reply.rows.allSatisfy { ($0.body != nil) == wantsBodies })
}

@Test func `more than fits into one answer has a window opened afresh`() throws {
    let stage = try WindowStage()
    try stage.fillWithHeavyRows(4)
    var reader = try Reader("ada", on: stage, count: 4)
    try stage.fillWithHeavyRows(60, from: 5)
    stage.tick()
    try reader.listen()
    #expect(reader.refusal == .resync)
    #expect(try Reader("ada", on: stage, count: 50).mirror.rows.allSatisfy { $0.body != nil })
}

extension WindowReply {
    /// The page as a window of its own.
    fileprivate init(whole page: WindowReply) {
        self = page
        part = .whole
    }
}

extension WindowStage {
    /// Commits rows so heavy that thirty of them fill an answer.
    fileprivate func fillWithHeavyRows(_ count: Int64, from first: Int64 = 1) throws {
        let layout = try SampleRecord.heavy(bytes: ContentCutter.mostBytes / 30)
        try commit(
            (first..<first + count).map { number in
                try change(number, .laidOut(ShardSample.row(order: number, key: "k", layout: layout)))
            })
    }
}
