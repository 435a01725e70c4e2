import Bytes
import Testing

@Test func `bytes come back from their hexadecimal digits`() {
    let bytes = Array(0...255 as ClosedRange<UInt8>)
    #expect(Hexadecimal.bytes(Hexadecimal.text(bytes)) == bytes)
    #expect(Hexadecimal.text([0, 10, 255]) == "000aff" && Hexadecimal.bytes("") == [])
}

/// One value has one form.
@Test(arguments: ["0", "0a1", "0A", "0g", "-0", "+f", " 0", "٠٠"])
func `other digits are none`(text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
}
