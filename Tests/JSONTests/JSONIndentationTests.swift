import JSON
import Testing

@Test(arguments: [
    ("[1,2.5,\"a\\n\"]", 40, "[1, 2.5, \"a\\n\"]"),
    ("{\"a\":[1,2],\"b\":{}}", 40, "{\"a\": [1, 2], \"b\": {}}"),
    ("{\"a\":[1,2],\"b\":{}}", 14, "{\n  \"a\": [1, 2],\n  \"b\": {}\n}"),
    ("[[1,2],[30,40]]", 10, "[\n  [1, 2],\n  [\n    30,\n    40\n  ]\n]"),
    ("\"longer than its line\"", 4, "\"longer than its line\""),
])
func `what fits into a line stands on one`(text: String, columns: Int, lines: String) throws {
    #expect(try JSONValue.parse(Array(text.utf8)).indented(columns: columns) == lines)
}
