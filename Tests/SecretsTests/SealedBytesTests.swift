import Secrets
import Testing

@Test func `sealed bytes open with the same key and what is bound to them, and with nothing else`() {
    let (key, other) = (SealedBytes.makeKey(), SealedBytes.makeKey())
    let plain = Array("see you at nine".utf8)
    let sealed = SealedBytes.seal(plain, under: key, bound: [1, 2])
    #expect(sealed.count == plain.count + SealedBytes.overhead)
    #expect(SealedBytes.open(sealed[...], under: key, bound: [1, 2]) == plain)
    #expect(SealedBytes.open(sealed[...], under: other, bound: [1, 2]) == nil)
    #expect(SealedBytes.open(sealed[...], under: key, bound: [1, 3]) == nil)
    #expect(SealedBytes.seal(plain, under: key, bound: [1, 2]) != sealed, "a nonce is used once")
}

@Test func `sealed bytes that were cut, changed or made longer do not open`() {
    let key = SealedBytes.makeKey()
    let sealed = SealedBytes.seal([1, 2, 3], under: key, bound: [])
    for length in 0..<sealed.count { #expect(SealedBytes.open(sealed.prefix(length), under: key, bound: []) == nil) }
    for place in sealed.indices {
        var changed = sealed
        changed[place] ^= 1
        #expect(SealedBytes.open(changed[...], under: key, bound: []) == nil)
    }
    #expect(SealedBytes.open((sealed + [0])[...], under: key, bound: []) == nil)
    #expect(SealedBytes.open(SealedBytes.seal([], under: key, bound: [])[...], under: key, bound: []) == [])
}
