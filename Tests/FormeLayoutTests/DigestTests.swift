import Testing

@testable import FormeLayout

/// The examples of FIPS 180-4.
@Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb924"), ("abc", "ba7816bf8f01cfea414140de5dae2223"),
])
func `a digest is the first half of a hash`(text: String, half: String) {
    let digest = Digest(of: Array(text.utf8))
    #expect(digest.description == half)
    #expect(digest.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == half)
}
