import Operations
import Testing

@testable import Daemons

private func message(_ number: Int) -> TracedMessage {
    TracedMessage(conversation: "c", message: "m\(number)", revision: 1)
}

@Test func `messages that are never dispatched do not keep later ones from being traced`() {
    var waiting = WaitingMessages()
    for number in 0..<WaitingMessages.most { waiting.begin(message(number), at: 1) }
    for number in WaitingMessages.most..<2 * WaitingMessages.most + 1 {
        waiting.begin(message(number), at: UInt64(number))
        let since = waiting.end(message(number))
        #expect(since == UInt64(number))
    }
    let again = waiting.end(message(WaitingMessages.most))
    #expect(again == nil)
}
