import Foundation
import Testing

/// A type is as long as all its extensions together: past 600 lines it is several machines in one coat, and is split by
/// the state that each of them has.
@Test func `no type is longer than six hundred lines over all its extensions`() throws {
    var lengths: [String: Int] = [:]
    for file in try Repository.swiftFiles(in: "Sources") {
        for (type, lines) in typeLengths(in: file.text) { lengths["\(file.module).\(type)", default: 0] += lines }
    }
    let long = lengths.filter { $0.value > 600 }
    #expect(long.isEmpty)
}

@Test(arguments: [
    ("struct A {\n    var b: Int\n}\n\nextension A {\n}\n", ["A": 5]),
    ("package final class B<T>: C {\n}\n\nprivate enum D { case e }\n", ["B": 2, "D": 1]),
    ("@safe struct E: ~Copyable {\n    struct Inner {\n    }\n}\n// struct F {", ["E": 4]),
    ("let a = 1\n\nfunc f() {\n}\n", [:]),
])
func `a type has the lines from its head to the brace that ends it`(text: String, lengths: [String: Int]) {
    #expect(typeLengths(in: text) == lengths)
}

/// The number of lines of each type and of its extensions, by its name. A type begins at the beginning of a line, and
/// so does the brace that ends it.
private func typeLengths(in text: String) -> [String: Int] {
    let head =
        /^(?:@\w+ )*(?:(?:public|package|private|fileprivate|final|indirect) )*(?:struct|class|enum|actor|extension) (\w+)/
    var lengths: [String: Int] = [:]
    var open: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let type = open {
            lengths[String(type), default: 0] += 1
            if line.hasPrefix("}") { open = nil }
        } else if let type = line.firstMatch(of: head)?.output.1 {
            lengths[String(type), default: 0] += 1
            if !line.hasSuffix("}") { open = type }
        }
    }
    return lengths
}
