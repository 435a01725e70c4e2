import Testing

/// A name that stands for two types means one of them to whoever reads it, and mostly the other one to the compiler.
@Test func `no type of one module is called like one of another`() throws {
    var homes: [String: Set<String>] = [:]
    var promised: Set<String> = []
    for file in try Repository.swiftFiles(in: "Sources") {
        for type in sharedTypes(in: file.text) {
            homes[type.name, default: []].insert(file.module)
            // What other programs import keeps its name, whatever the service calls its own.
            if file.module == "FormeClient", type.isPublic { promised.insert(type.name) }
        }
    }
    let twice = homes.filter { $0.value.count > 1 && !promised.contains($0.key) }.mapValues { $0.sorted() }
    #expect(twice.isEmpty)
}

@Test(arguments: [
    ("public struct A {}\nstruct B {\n    struct C {}\n}", ["A", "B"], ["A"]),
    ("private struct A {}\nfileprivate enum B {}\npackage final class C {}", ["C"], []),
    ("@safe struct A: ~Copyable {}\n// struct B {}\nextension C {}", ["A"], []),
])
func `types that others can see are found`(text: String, names: [String], published: [String]) {
    let found = sharedTypes(in: text)
    let publicOnes = found.filter { $0.isPublic }.map { $0.name }
    #expect(found.map { $0.name } == names && publicOnes == published)
}

/// The types that stand at the beginning of a line, but for those of one file alone.
private func sharedTypes(in text: String) -> [(name: String, isPublic: Bool)] {
    let head =
        /^(?:@\w+ )*((?:(?:public|package|final|indirect) )*)(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        .anchorsMatchLineEndings()
    return text.matches(of: head).map { (String($0.output.2), $0.output.1.contains("public")) }
}
