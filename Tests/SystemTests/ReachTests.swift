import Foundation
import TestSupport
import Testing

@Test(
    .waits,
    arguments: [
        ("", "so tokens are needed"),
        ("withoutTokens: 'I accept that anyone on this network can read every message'", "set http.certificate"),
        ("tokens: 'TOKENS'", "http.proxy: true behind a proxy"),
        ("tokens: 'TOKENS', proxy: true, proxies: ['here']", "'here' is neither an address, such as 10.0.0.7"),
    ])
func `nothing is answered over HTTP to others without tokens and TLS, unless that was accepted in words of its own`(
    setting: String, sentence: String
) throws {
    let folder = try TemporaryFolder()
    let tokens = folder.file("tokens")
    #expect(try run(["token", "keys", "make", "--keys", tokens]).code == 0)
    let file = folder.file("forme.json5")
    // The sentence that opens ZeroMQ opens nothing here.
    let plain = "I accept that anyone on this network can read and write every message"
    let http = setting.replacing("TOKENS", with: tokens)
    try "{ security: { plainTransport: '\(plain)' }, http: { \(http) } }".write(
        toFile: file, atomically: true, encoding: .utf8)
    let words = ["gateway", "--data", folder.file("data"), "--config", file, "--http"]
    let refused = try run(words + ["0.0.0.0:\(try Ports.five())"])
    #expect(refused.code == 2 && refused.errors.contains(sentence), "\(refused.errors)")
}

@Test(
    .waits,
    arguments: [
        "proxy: true",
        "plainTransport: 'I accept that anyone on this network can read tokens and messages on their way'",
    ])
func `a proxy, or a sentence, is enough beside tokens`(setting: String) throws {
    let folder = try TemporaryFolder()
    let tokens = folder.file("tokens")
    #expect(try run(["token", "keys", "make", "--keys", tokens]).code == 0)
    let file = folder.file("forme.json5")
    try "{ http: { tokens: '\(tokens)', \(setting) } }".write(toFile: file, atomically: true, encoding: .utf8)
    let words = ["gateway", "--data", folder.file("data"), "--config", file, "--http"]
    try Command(words + ["0.0.0.0:\(try Ports.five())"]).waitForMessage("http_port=")
}
