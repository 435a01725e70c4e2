import Foundation
import TestSupport
import Testing

/// The answer of Prometheus' own program; nil where its package is not reached.
func promtool(_ words: String..., input: String = "") throws -> (code: Int32, output: String)? {
    let process = Process()
    let (given, output) = (Pipe(), Pipe())
    process.executableURL = Project.file("deploy/promtool")
    process.arguments = words
    (process.standardInput, process.standardOutput, process.standardError) = (given, output, output)
    try process.run()
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try given.fileHandleForWriting.close()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 69 ? nil : (process.terminationStatus, said)
}

private func text(_ path: String) throws -> String { try String(contentsOf: Project.file(path), encoding: .utf8) }

@Test(.waits) func `rules of alerts are rules, and ring when their cases say so`() throws {
    guard let answer = try promtool() else { return }
    #expect(answer.code == 0, "\(answer.output)")
}

@Test func `every alert has a line in the page for operators`() throws {
    let alerts = try text("deploy/prometheus/forme.rules.yml").matches(of: /alert: (\w+)/).map { String($0.1) }
    #expect(alerts.count > 5)
    let page = try text("Sources/forme/forme.docc/Operating.md")
    for alert in alerts { #expect(page.contains("| `\(alert)` |"), "\(alert)") }
}

@Test(.waits) func `what rules and pictures are about is what a gateway counts, as Prometheus wants it`() throws {
    let folder = try TemporaryFolder()
    let port = try Ports.five()
    let service = try Command(
        [
            "serve", "--data", folder.path, "--workers", "1", "--http", "127.0.0.1:\(port + 1)",
            "--metrics", "127.0.0.1:\(port)",
        ])
    try waitUntil { try curl(port, "/readyz?for=posts").status == 200 }
    // There are no figures of a coordinator that has not answered for a while, as on a busy machine.
    var metrics = ""
    try waitUntil {
        metrics = try curl(port, "/metrics").body
        return metrics.contains("# TYPE forme_pool_")
    }
    let counted = Set(metrics.matches(of: /# TYPE (\w+)/).map { String($0.1) })
    for file in ["deploy/prometheus/forme.rules.yml", "deploy/prometheus/forme.dashboard.json"] {
        let named = Set(try text(file).matches(of: /forme_(gateway|pool)_\w+/).map { String($0.0) })
        #expect(named.count > 5 && named.isSubset(of: counted), "\(file): \(named.subtracting(counted))")
    }
    if let answer = try promtool("check", "metrics", input: metrics + "\n") {
        #expect(answer.code == 0 && answer.output.isEmpty, "\(answer.output)")
    }
    service.process.terminate()
    #expect(try service.finish().code == 0)
}
