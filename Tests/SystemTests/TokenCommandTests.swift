import Foundation
import TestSupport
import Testing

@Test(.waits) func `a token is made, shown, and holds until its key is revoked`() throws {
    let place = try TemporaryFolder()
    let keys = ["--keys", place.file("tokens")]
    #expect(try run(["token", "make", "--all", "--read"] + keys).errors.contains("run: forme token keys make"))
    #expect(try run(["token", "keys", "make"] + keys).code == 0)
    let made = try run(
        ["token", "make", "--conversation", "c1", "--read", "--write", "--for", "30m", "--subject", "ada"] + keys)
    #expect(made.code == 0 && made.output.hasPrefix("forme1_"))
    let shown = try run(["token", "show"] + keys, input: made.output).output
    for part in [#""subject":"ada""#, #""conversation":"c1""#, #""read":true"#, #""write":true"#, #""state":"holds""#] {
        #expect(shown.contains(part))
    }
    #expect(try run(["token", "keys", "rotate"] + keys).code == 0)
    #expect(try run(["token", "show"] + keys, input: made.output).output.contains(#""state":"holds""#))

    let list = try run(["token", "keys", "list"] + keys).output.split(separator: "\n")
    #expect(list.count == 2 && list.count { $0.hasSuffix(" signs") } == 1)
    let old = try #require(list.first { !$0.hasSuffix(" signs") })
    #expect(try run(["token", "keys", "revoke", "--key", String(old)] + keys).code == 0)
    #expect(try run(["token", "show"] + keys, input: made.output).output.contains("revoked"))
}

@Test(.waits) func `a token of a backend says that it writes for everybody`() throws {
    let place = try TemporaryFolder()
    let keys = ["--keys", place.file("tokens")]
    #expect(try run(["token", "keys", "make"] + keys).code == 0)
    let made = try run(["token", "make", "--all", "--write", "--backend"] + keys)
    #expect(made.code == 0)
    #expect(try run(["token", "show"] + keys, input: made.output).output.contains(#""backend":true"#))
}

@Test(.waits) func `one token is revoked, and others hold`() throws {
    let place = try TemporaryFolder()
    let keys = ["--keys", place.file("tokens")]
    #expect(try run(["token", "keys", "make"] + keys).code == 0)
    let tokens = try ["a", "b"].map { try run(["token", "make", "--prefix", $0, "--read"] + keys).output }
    #expect(try run(["token", "revoke"] + keys, input: tokens[0]).code == 0)
    #expect(try run(["token", "show"] + keys, input: tokens[0]).output.contains(#""state":"revoked""#))
    #expect(try run(["token", "show"] + keys, input: tokens[1]).output.contains(#""state":"holds""#))
}

@Test(
    .waits,
    arguments: [
        ["make", "--read"], ["make", "--all"], ["make", "--all", "--prefix", "a", "--read"],
        ["make", "--all", "--read", "--for", "1y"], ["make", "--all", "--read", "--for", "0s"],
        ["make", "--all", "--read", "--subject", ""], ["make", "--all", "--write"],
        ["make", "--all", "--read", "--backend"],
        ["make", "--all", "--write", "--backend", "--subject", "ada"], ["forge"], [], ["keys"],
        ["keys", "revoke", "--key", "XYZ"],
    ])
func `a token that would open nothing, or too much, is a wrong usage`(words: [String]) throws {
    let place = try TemporaryFolder()
    #expect(try run(["token", "keys", "make", "--keys", place.file("tokens")]).code == 0)
    let result = try run(["token"] + words + (words.count > 1 ? ["--keys", place.file("tokens")] : []))
    #expect(result.code == 2 && result.output.isEmpty)
    #expect(result.errors.contains("Read: forme help token"))
}

@Test(.waits) func `a token that does not hold is shown with why, first, and ends with 1`() throws {
    let place = try TemporaryFolder()
    let keys = ["--keys", place.file("tokens")]
    #expect(try run(["token", "keys", "make"] + keys).code == 0)
    let text = try run(["token", "make", "--all", "--read"] + keys).output
    let held = try run(["token", "show"] + keys, input: text)
    #expect(held.code == 0 && held.output.hasPrefix(#"{"state":"holds","#))
    #expect(try run(["token", "revoke"] + keys, input: text).code == 0)
    let shown = try run(["token", "show"] + keys, input: text)
    #expect(shown.code == 1 && shown.output.hasPrefix(#"{"state":"revoked","#))
    #expect(shown.errors.contains("the token does not hold: revoked"))
}

@Test(.waits) func `the keys of tokens are where the gateways of the configuration look, unless a folder is named`()
    throws
{
    let place = try TemporaryFolder()
    let (file, tokens, data) = (place.file("forme.json5"), place.file("gateway"), place.file("data"))
    try "{ data: '\(data)', http: { tokens: '\(tokens)' } }".write(toFile: file, atomically: true, encoding: .utf8)
    func said(_ words: [String], input: String = "") throws -> String {
        let end = try run(["token"] + words, input: input)
        #expect(end.code == 0, "\(end.errors)")
        return end.output
    }
    #expect(try said(["keys", "make", "--config", file]).hasSuffix(" in \(tokens)\n"))
    let token = try said(["make", "--all", "--read", "--config", file])
    #expect(try said(["show", "--config", file], input: token).hasPrefix(#"{"state":"holds""#))
    #expect(try said(["show", "--keys", tokens], input: token).hasPrefix(#"{"state":"holds""#))
    #expect(try said(["keys", "rotate", "--config", file]).hasPrefix("signing with "))
    #expect(try said(["keys", "list", "--config", file]).split(separator: "\n").count == 2)
    #expect(try said(["revoke", "--config", file], input: token).hasPrefix("revoked "))
    let revoked = try run(["token", "show", "--config", file], input: token)
    #expect(revoked.code == 1 && revoked.output.hasPrefix(#"{"state":"revoked""#))

    // A configuration without tokens has them beside its data; a folder that is named goes before both.
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    try "{ data: '\(data)' }".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try said(["keys", "make", "--config", file]).hasSuffix(" in \(data)/tokens\n"))
    #expect(try said(["keys", "list", "--data", data]) == said(["keys", "list", "--config", file]))
    #expect(
        try said(["keys", "make", "--keys", place.file("own"), "--config", file]).hasSuffix(
            " in \(place.file("own"))\n"))
}
