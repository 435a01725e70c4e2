import Foundation
import Secrets
import TestSupport
import Testing

@testable import Gateway

private let schemathesis = Project.file(".build/venv/bin/schemathesis").path

/// The number of examples for each route; after changes of routes, enough of them for an hour are worth the time.
private let examples = ProcessInfo.processInfo.environment["FORME_EXAMPLES"] ?? "8"
/// `CONTRACT_SEEDS=7,8,9` in the environment asks in other ways than usual; a seed that finds something fails again.
private let seeds = ProcessInfo.processInfo.environment["CONTRACT_SEEDS"]?.split(separator: ",").map(String.init)
private let (stream, draft) = ("/changes$", "/(preview|ranges)$")

/// Every route is asked for in hundreds of ways, right and wrong, and every answer is held to the service's own
/// description. It needs schemathesis, which `deploy/prepare test` installs from PyPI.
@Test(
    .waits,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: schemathesis), "run deploy/prepare test, with PyPI in reach"),
    arguments: seeds ?? ["1"])
func `the service keeps to its description`(seed: String) throws {
    let folder = try TemporaryFolder()
    let font = folder.file("a.ttf")
    try "not really a font".write(toFile: font, atomically: true, encoding: .utf8)
    let tokens = TokenKeyFolder(folder.file("tokens"))
    _ = try tokens.make()
    let key = try tokens.signingKey()
    let now = TokenAccess.Times.now.calendar
    let token = key.token(
        TokenClaims(
            key: key.publicKey.id, rights: [.read, .write], scope: .all, subject: "", issued: now,
            expires: now + .seconds(3600)))
    let front = try RunningFront(fonts: [String(repeating: "0", count: 64): font], tokens: tokens.path) {
        let stage = try WindowStage()
        try stage.fill(50)
        return stage
    }
    // An open stream has no end, so streams are asked for only in ways that they must refuse. An unknown path is
    // refused before a token is missed, or the method looked at.
    let refused = [
        "--mode", "negative", "--phases", "coverage", "--exclude-checks", "missing_required_header,unsupported_method",
    ]
    // An event is valid or not depending on its sender, and the end of a text depends on the text: no shape can say so.
    let judged = ["--exclude-checks", "positive_data_acceptance"]
    for asked in [
        ["--exclude-path-regex", "\(stream)|\(draft)"], ["--include-path-regex", stream] + refused,
        ["--include-path-regex", draft] + judged,
    ] {
        let result = try run(
            schemathesis,
            [
                "run", "http://127.0.0.1:\(front.port)/v1/openapi.json", "--checks", "all", "--max-examples", examples,
                "--seed", seed, "-H", "Authorization: Bearer \(token)", "--workers", "1", "--no-color",
                "--suppress-health-check", "all",
            ] + asked + (seeds == nil ? ["--generation-deterministic"] : []),
            in: folder.path)
        #expect(result.code == 0, "\(result.output)")
    }
}
