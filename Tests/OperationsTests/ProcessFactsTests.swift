import Foundation
import TestSupport
import Testing

@testable import Operations

@Test func `a process is known by the time at which it began, and by how often it was started again`() throws {
    let child = Process()
    child.executableURL = URL(filePath: "/bin/sleep")
    child.arguments = ["60"]
    child.environment = [ServiceManager.restartsVariable: "3"]
    try child.run()
    defer { child.terminate() }
    // Until it is the program that it is to be, it is a copy of this process.
    let end = ContinuousClock.now + patience
    while ProcessFacts.restarts(of: child.processIdentifier) == nil, .now < end { poll(nil, 0, 5) }
    #expect(ProcessFacts.restarts(of: child.processIdentifier) == 3)
    #expect(ProcessFacts.restarts(of: getpid()) == nil)
    let (own, its) = try #require(ProcessFacts.starts(of: getpid(), child.processIdentifier))
    #expect(its > own)
    #expect(ProcessFacts.starts(of: getpid(), -1) == nil)
}
