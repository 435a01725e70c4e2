import Secrets
import Testing

@Test(arguments: [
    ("", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
    ("abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
])
func `a fingerprint is the BLAKE2b-256 of the bytes`(text: String, hexadecimal: String) {
    let digits = Fingerprint.of(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    #expect(digits.joined() == hexadecimal)
}
