import Testing

@testable import JSON

@Test func `a key that may be there is found wherever it stands`() {
    func mayHave(_ json: String) -> Bool { Array(json.utf8).span.mayHaveKey("status", or: "reactions") }
    for length in 0..<80 {
        let text = String(repeating: "x", count: length)
        #expect(mayHave(#"{"text":"\#(text)","status":1}"#))
        #expect(mayHave(#"{"reactions":[],"text":"\#(text)"}"#))
        #expect(!mayHave(#"{"\#(text)":"status of reactions","statuses":1}"#))
        #expect(!mayHave(#"{"\#(text)":"statu"#) && !mayHave(#"{"\#(text)":"status"#))
    }
}
