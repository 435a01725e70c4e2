import Operations
import Transport

private let log = Log("coordinator")

extension CoordinatorLoop {
    mutating func guardMemory() throws {
        var cut: [CutPeer] = []
        // Its own for the moment, as the sockets are looked at meanwhile.
        var memory = memory
        defer { self.memory = memory }
        try memory.look { least in
            cut = events.cutBusiest(atLeast: least) + workers.cutBusiest(atLeast: least)
            cut += operators.cutBusiest(atLeast: least) + ready.cutBusiest(atLeast: least)
        }
        tell(cut)
    }

    /// Peers that were cut off. They may come back, as whoever connects does.
    func tell(_ cut: [CutPeer]) {
        for peer in cut {
            log.warning(
                "cut a peer off",
                [
                    "address": "\(peer.address)", "key": "\(peer.key.map { "\($0)" } ?? "unknown")",
                    "reason": "\(peer.reason)",
                ])
        }
    }
}
