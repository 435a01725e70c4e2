import Foundation
import TestSupport
import Testing

@Test(.waits) func `an explanation tells the key of a record for the screens that were asked for, and for no others`()
    throws
{
    func key(_ targets: String...) throws -> String {
        let words = [
            "layout", "--fonts", Project.file("config/fonts.json5").path, "--style",
            Project.file("config/styles/bubble.json5").path, "--explain",
        ]
        let result = try run(
            words + targets.flatMap { ["--target", $0] }, input: #"{"kind": "text", "text": "See you at nine"}"#)
        #expect(result.code == 0)
        let match = result.output.firstMatch(of: #/The key of a record for these targets is ([0-9a-f]{32}), made of/#)
        return String(try #require(match?.1))
    }
    let keys = [try key("390@3"), try key("320@2"), try key()]
    #expect(Set(keys).count == 3)
    #expect(try key("390@3") == keys[0])
}
