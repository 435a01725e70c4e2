import Testing

@testable import Operations

private func line(_ fields: LogFields, missed: Int = 0) -> LogLine {
    LogLine(level: .warning, component: "gateway", message: "a b", fields: fields, missed: missed)
}

@Test func `a line of logfmt is words with names, in quotes where they are not one word`() {
    let text = line(["n": 3, "word": "ipc:///x", "empty": "", "equals": "a=b"], missed: 2)
        .text(.logfmt, showsIDs: false, time: "T")
    #expect(
        text
            == #"time=T level=warning component=gateway message="a b" n=3 word=ipc:///x empty="" equals="a=b" missed=2"#
    )
}

@Test func `a line of JSON is one object`() {
    let text = line(["n": 3, "quote": "say \"x\""]).text(.json, showsIDs: false, time: nil)
    #expect(text == #"{"level":"warning","component":"gateway","message":"a b","n":3,"quote":"say \"x\""}"#)
}

@Test(arguments: ["a\nlevel=error", "\u{1B}[31m", "\u{202E}x", "\u{7F}", "\u{85}", "\r"])
func `nothing in a field begins a line, or reaches a terminal as a command`(value: String) {
    for format in Log.Format.allCases {
        let text = line(["field": .text(value)]).text(format, showsIDs: false, time: nil)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) && $0.value != 0x202E })
    }
}

@Test func `ids are hashed, alike each time, except for those who look for a mistake`() {
    let fields: LogFields = ["conversation": .id("c1"), "message_id": .id("m1")]
    let hidden = line(fields).text(.logfmt, showsIDs: false, time: nil)
    #expect(!hidden.contains("c1") && !hidden.contains("m1"))
    #expect(hidden == line(fields).text(.logfmt, showsIDs: false, time: nil))
    #expect(HiddenID.text(of: "c1").count == 12 && HiddenID.text(of: "c1") != HiddenID.text(of: "m1"))
    #expect(line(fields).text(.logfmt, showsIDs: true, time: nil).hasSuffix("conversation=c1 message_id=m1"))
}

@Test func `of one kind twenty lines pass at once and one a second, and the next says how many did not`() {
    var budget = LineBudget()
    let start = ContinuousClock.now
    let first = (0..<25).map { _ in budget.spend(on: "a", at: start) }
    #expect(first == Array(repeating: 0, count: 20) + Array(repeating: nil, count: 5))
    #expect(budget.spend(on: "b", at: start) == 0)
    #expect(budget.spend(on: "a", at: start + .milliseconds(900)) == nil)
    #expect(budget.spend(on: "a", at: start + .milliseconds(1100)) == 6)
    #expect(budget.spend(on: "a", at: start + .milliseconds(1200)) == nil)
    #expect((0..<25).compactMap { _ in budget.spend(on: "a", at: start + .seconds(600)) }.count == 20)
}

@Test(arguments: [(0, 0, "1970-01-01T00:00:00.000Z"), (1_772_366_400, 250, "2026-03-01T12:00:00.250Z")])
func `times are of UTC, to the millisecond`(seconds: Int, milliseconds: Int, text: String) {
    #expect(LogTime.text(seconds: seconds, milliseconds: milliseconds) == text)
}

@Test func `priorities are those of syslog`() {
    #expect(Log.Level.allCases.map(\.priority) == [3, 4, 6, 7])
}
