import Foundation
import Glibc
import TestSupport
import Testing

@testable import Etcd

/// A server that says the same to everybody who calls, and hangs up.
private final class Parrot: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init(_ words: String) throws {
        let listener = try LoopbackSocket.listening()
        (port, descriptor) = (listener.port, listener.descriptor)
        let listening = listener.descriptor
        Thread.detachNewThread {
            while true {
                let client = accept(listening, nil, nil)
                guard client >= 0 else { return }
                let bytes = Array(words.utf8)
                // The request is read first: a connection that is closed before is reset.
                var heard = [UInt8](repeating: 0, count: 4096)
                _ = unsafe recv(client, &heard, heard.count, 0)
                _ = unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}

private func outcome(at port: UInt16) throws -> CallOutcome {
    var calls = try CurlCalls(["http://127.0.0.1:\(port)"], nil)
    let path = "/v3/kv/range"
    try calls.send([
        EtcdCall(number: CallNumber(number: 1), node: 0, path: path, body: [0x7B, 0x7D], patience: .seconds(60))
    ])
    let end = ContinuousClock.now + patience
    while true {
        if let (_, outcome) = try calls.finished().first { return outcome }
        try #require(.now < end, "the call does not end")
        try calls.wait(atMost: .milliseconds(100))
    }
}

@Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "+OK ready\r\n"])
func `of an address that answers what is no HTTP that is what is said`(answer: String) throws {
    let server = try Parrot(answer)
    let outcome = try outcome(at: server.port)
    #expect(outcome == .cut("what came is no HTTP"))
}

@Test func `an address that answers HTTP is taken at its word`() throws {
    let server = try Parrot("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno")
    let outcome = try outcome(at: server.port)
    #expect(outcome == .answered(status: 404, Array("no".utf8)))
}
