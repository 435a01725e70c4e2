import JSON
import Testing

private func number(_ text: String) throws -> JSONNumber {
    try #require(JSONValue.parse(Array(text.utf8)).number)
}

@Test(
    arguments: [
        ("0", 0, 0.0), ("-0", 0, -0.0), ("1.0", 1, 1), ("100e-2", 1, 1), ("1e3", 1000, 1000), ("0.1", nil, 0.1),
        ("-9223372036854775808", Int.min, -0x1p63), ("9223372036854775807", Int.max, 0x1p63),
        ("9223372036854775808", nil, 0x1p63), ("0.30000000000000004", nil, 0.30000000000000004),
        ("1e400", nil, nil), ("1e-400", nil, 0), ("123456789012345678e3", nil, 123456789012345678e3),
        ("0e99999999", 0, 0),
        ("1.00000000000000000000000000000", 1, 1), ("100000000000000000000000000000", nil, 1e29),
        ("0.00000000000000000000000000001", nil, 1e-29), ("2.2250738585072014e-308", nil, 2.2250738585072014e-308),
    ] as [(String, Int?, Double?)])
func `is an exact integer or the nearest double`(text: String, integer: Int?, double: Double?) throws {
    #expect(try number(text).integer == integer)
    #expect(try number(text).double == double)
    #expect(try number(text).double?.sign == double?.sign)
}

@Test(
    arguments: [
        ("1.5", 96), ("0.015625", 1), ("0.01", nil), ("-2.25", -144), ("16", 1024), ("1e-2", nil),
        ("1e17", 6_400_000_000_000_000_000),
        ("1e18", nil), ("1e99999", nil), ("1e-99999", nil), ("0e-5", 0), ("18446744073709551615", nil),
    ] as [(String, Int?)])
func `converts to 1/64ths only when nothing is lost`(text: String, scaled: Int?) throws {
    #expect(try number(text).scaled(by: 64) == scaled)
}

@Test(arguments: [
    ["1", "1.0", "10e-1", "0.01e2", "1E0"], ["1e25", "10e24", "10000000000000000000000000"], ["0.5", "5e-1", "0.500"],
])
func `is equal when the value is, however it was written`(texts: [String]) throws {
    #expect(try Set(texts.map(number)).count == 1)
}

@Test(arguments: [
    ("0", "0"), ("-12", "-12"), ("1.50", "1.5"), ("-0.001", "-0.001"), ("18446744073709551615", "18446744073709551615"),
    ("1e30", "10000000000000000000e11"), ("12e-40", "12e-40"), ("0.12345678901234567", "0.12345678901234567"),
])
func `is written in one way`(text: String, written: String) throws {
    #expect(try number(text).description == written)
    #expect(try number(written) == number(text))
}
