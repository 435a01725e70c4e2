import FormeLayout
import Foundation
import JSON
import Names
import TestSupport
import Testing
import Wire

@testable import Flood

/// A workload with few words, which is made in no time.
private func workload(conversations: Int = 50, mix: MessageMix = .standard, seed: UInt64 = 1) -> Workload {
    Workload(run: "r", conversations: conversations, mix: mix, vocabulary: 2000, seed: seed)
}

private func events(_ count: Int, of workload: inout Workload) -> [(plan: PlannedEvent, json: [UInt8])] {
    (0..<count).map { _ in
        var json: [UInt8] = []
        let plan = workload.next(to: &json)
        return (plan, json)
    }
}

@Test func `a seed decides every byte of a workload`() {
    var (a, b, c) = (workload(), workload(), workload(seed: 2))
    let first = events(500, of: &a)
    let again = events(500, of: &b)
    let other = events(500, of: &c)
    #expect(first.map(\.json) == again.map(\.json) && first.map(\.plan) == again.map(\.plan))
    #expect(first.map(\.json) != other.map(\.json))
}

@Test func `every event of a workload is one that can be kept, and says what its plan says`() throws {
    var source = workload()
    for (plan, json) in events(3000, of: &source) {
        let request = try IngestRequest(parsing: json)
        let first = try #require(request.events.first)
        let event = try #require(try first.get().message)
        #expect(event.conversation.text == source.names.conversation(plan.conversation))
        #expect(event.message.text == source.names.message(plan.message))
        #expect(event.revision.number == UInt64(plan.revision))
        #expect((event.body != nil) == plan.registers.contains(.body))
        #expect(event.order == (plan.registers.contains(.order) ? plan.order : nil))
        #expect((event.status != nil) == plan.registers.contains(.status))
        #expect((event.reactions != nil) == plan.registers.contains(.reactions))
        #expect(event.isDeleted == plan.registers.contains(.deleted))
    }
}

@Test(arguments: ["bubble", "flat"])
func `every message of the default mix can be laid out by both styles`(style: String) throws {
    let layouts = try MessageLayouts(
        style: Project.file("config/styles/\(style).json5").path, fonts: Project.file("config/fonts.json5").path,
        targets: [LayoutTarget(width: 390, scale: 3)])
    var source = workload()
    var kinds: Set<String> = []
    for (plan, json) in events(1500, of: &source) where plan.registers.contains(.body) {
        let body = try #require(try IngestRequest(parsing: json).events[0].get().message?.body)
        _ = try layouts.record(of: body.content)
        kinds.insert(try #require(try JSONValue.parse(body.content)["kind"]?.string))
    }
    #expect(kinds == Set(MessageMix.Kind.allCases.map(\.rawValue)))
}

@Test func `operations have their shares, and come mostly soon after the message`() {
    var source = workload()
    let all = events(20_000, of: &source).map(\.plan)
    func share(_ registers: PlannedEvent.Registers) -> Double {
        Double(all.count { $0.registers == registers && $0.revision > 1 }) / Double(all.count) * 100
    }
    #expect(abs(share(.body) - 3) < 0.6 && abs(share(.deleted) - 1) < 0.3 && abs(share(.status) - 5) < 0.6)
    #expect(abs(share(.reactions) - 2) < 0.5 && abs(share(.order) - 0.5) < 0.3)
    #expect(Set(all.map { "\($0.message) \($0.revision)" }).count > all.count * 98 / 100)
}

@Test func `conversations are busy by Zipf's law, and messages in them are counted from one on`() {
    var source = workload(conversations: 100)
    var counts = [Int](repeating: 0, count: 100)
    for (plan, _) in events(20_000, of: &source) where plan.revision == 1 && plan.registers.contains(.body) {
        counts[Int(plan.conversation)] += 1
    }
    // 1/5.19 of all are in the first, half as many in the second, a tenth in the tenth.
    let all = Double(counts.reduce(0, +))
    #expect(abs(Double(counts[0]) / all - 0.193) < 0.01 && abs(Double(counts[1]) / all - 0.096) < 0.01)
    #expect(abs(Double(counts[9]) / all - 0.0193) < 0.004)
    #expect(source.counts.reduce(0, +) == source.messageCount)
}

@Test func `of the words three in a hundred are new, and no two texts are equal`() {
    var prose = Prose(vocabulary: 30_000, seed: 7)
    var texts: Set<[UInt8]> = []
    var length = 0
    for _ in 0..<20_000 {
        var text: [UInt8] = []
        prose.appendText(to: &text)
        length += text.count
        texts.insert(text)
    }
    #expect(texts.count == 20_000)
    let share = Double(prose.newWordCount) / Double(prose.wordCount)
    #expect(0.025...0.035 ~= share, "\(share)")
    #expect(texts.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
}

@Test func `a numbered word is another one for each number`() {
    for script in Script.all {
        let vocabulary = Vocabulary(of: script, size: 10, seed: 1)
        let words = (0..<5000 as Range<UInt64>).map { number in
            var word: [UInt8] = []
            vocabulary.append(numbered: number, to: &word)
            return word
        }
        #expect(Set(words).count == 5000, "\(script.name)")
    }
}

@Test func `names lead back to their numbers, and those of others do not`() {
    let names = FloodNames(run: "r1")
    #expect(names.conversation(named: names.conversation(81)) == 81)
    #expect(names.message(named: names.message(0)) == 0)
    for stranger in ["r2-c1", "r1-c", "r1-cx", "", "r1-c12345678901"] {
        #expect(names.conversation(named: stranger) == nil)
    }
    #expect(names.message(named: "x1") == nil && names.message(named: "m1x") == nil)
}

@Test func `a lottery draws by weight`() {
    let lottery = Lottery(weights: [1, 0, 3, 6])
    var random = SplitMix(state: 3)
    var counts = [0, 0, 0, 0]
    for _ in 0..<100_000 { counts[lottery.draw(&random)] += 1 }
    #expect(abs(counts[0] - 10_000) < 500 && counts[1] == 0)
    #expect(abs(counts[2] - 30_000) < 800 && abs(counts[3] - 60_000) < 800)
}
