import JSON
import Testing

private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

@Test func `writes what a command reports`() {
    let report = written {
        $0.object {
            $0.key("messages")
            $0.integer(2000)
            $0.key("seconds")
            $0.decimal(1.25, places: 3)
            $0.key("lines")
            $0.array {
                $0.string("a")
                $0.array { _ in }
                $0.object { _ in }
                $0.bool(false)
                $0.null()
            }
        }
    }
    #expect(report == #"{"messages":2000,"seconds":1.250,"lines":["a",[],{},false,null]}"#)
}

@Test(arguments: [
    (0, 0, "0"), (2.5, 0, "3"), (-1.005, 1, "-1.0"), (-0.001, 2, "0.00"), (0.05, 2, "0.05"),
    (123456.789, 2, "123456.79"),
    (.nan, 1, "null"), (-.infinity, 1, "null"), (1e300, 1, "null"), (4e17, 1, "400000000000000000.0"),
])
func `writes decimals with as many places as asked for`(value: Double, places: Int, text: String) {
    #expect(written { $0.decimal(value, places: places) } == text)
}

@Test func `escapes what must be, and nothing else`() {
    #expect(
        written { $0.string("a\"\\/\n\r\t\u{1}\u{1F}\u{7F}é😀\u{2028}") }
            == "\"a\\\"\\\\/\\n\\r\\t\\u0001\\u001f\u{7F}é😀\u{2028}\"")
}

@Test func `appends after what is there`() {
    var writer = JSONWriter(appendingTo: Array("data: ".utf8))
    writer.integer(-1)
    #expect(writer.bytes == Array("data: -1".utf8))
}

@Test(arguments: [Int64.min, -1_000_000, -10, -1, 0, 9, 10, 12_345, .max])
func `an integer is written as it is printed, whatever its type`(value: Int64) {
    let (short, natural) = (Int32(truncatingIfNeeded: value), UInt64(bitPattern: value))
    var writer = JSONWriter()
    writer.object {
        $0.key(plain: "of")
        $0.array {
            $0.integer(value)
            $0.integer(Int(value))
            $0.integer(short)
            $0.integer(natural)
            $0.integer(UInt8(truncatingIfNeeded: value))
        }
        $0.key(plain: "end")
        $0.raw([0x31] as [UInt8])
    }
    let told = "{\"of\":[\(value),\(value),\(short),\(natural),\(UInt8(truncatingIfNeeded: value))],\"end\":1}"
    #expect(String(decoding: writer.bytes, as: UTF8.self) == told)
}
