import Bytes
import Names
import Operations
import Replication
import Transport

private let log = Log("cluster")

/// The lines between this host and the others: each calls all others, and is answered on the line that it called on.
struct HostLinks: ~Copyable {
    /// A word, and the line that it came on; nil where it is an answer to this host.
    struct Heard {
        var word: LinkWord
        var route: [UInt8]?
    }

    private let host: HostID
    private let partitions: Int
    private let door: Socket
    /// Lines to all others.
    private let lines: [HostLine]

    /// The most words of one host in one turn.
    private static let wordsPerTurn = 256

    /// - Parameter access: the access of sockets that listen.
    init(_ place: ClusterPlace, access: Access) throws {
        guard let own = place.hosts[place.host] else { preconditionFailure("a host that is not in the cluster") }
        let context = try Context()
        let door = try Socket(
            .router, in: context, frameLimit: LinkWord.longest, security: access.listening(at: own, admits: [.host]))
        try door.watchConnections { ended in
            log.warning("ended a connection of a host that sent what is no word", ["peer": "\(ended.peer)"])
        }
        try door.bind(own)
        lines = try place.hosts.filter { $0.key != place.host }.map { host, address in
            try HostLine(to: host, at: address, in: context, place.calling)
        }
        (host, partitions) = (place.host, place.partitions)
        self.door = door
    }

    var sources: [Source] { [door.source] + lines.compactMap(\.source) }

    /// Says something to a host. A word that cannot be sent is lost: it is said again, or not waited for long.
    /// - Returns: false where it is lost.
    @discardableResult func say(_ body: LinkWord.Body, to other: HostID) throws -> Bool {
        guard let line = lines.first(where: { $0.host == other }) else { return false }
        return try line.send(LinkWord(host, of: partitions, body).bytes)
    }

    /// Answers on the line that a host called on.
    func answer(_ body: LinkWord.Body, on route: [UInt8]) throws {
        _ = try door.send(route, LinkWord(host, of: partitions, body).bytes)
    }

    /// Words that others have said since the last call.
    func takeWords() throws -> [Heard] {
        var heard: [Heard] = []
        for _ in 0..<Self.wordsPerTurn * max(1, lines.count) {
            guard let message = try door.receiveMessage() else { break }
            let parts = message.parts
            // The configuration of each host names the hosts of the cluster.
            guard parts.count == 2, let word = read(parts[1]), lines.contains(where: { $0.host == word.host }) else {
                continue
            }
            // A key belongs to one host: the one that its line of the list names.
            guard message.sender.map({ $0.name == word.host.text }) ?? true else {
                log.warning(
                    "a host spoke in the name of another",
                    ["key": "\(message.sender?.name ?? "none")", "name": "\(word.host)"])
                continue
            }
            heard.append(Heard(word: word, route: parts[0]))
        }
        for line in lines {
            for _ in 0..<Self.wordsPerTurn {
                guard let parts = try line.receive() else { break }
                guard parts.count == 1, let word = read(parts[0]), word.host == line.host else { continue }
                heard.append(Heard(word: word))
            }
        }
        return heard
    }

    private func read(_ frame: [UInt8]) -> LinkWord? {
        let word: LinkWord
        do throws(ByteError) { word = try LinkWord(frame) } catch {
            log.warning("a host sent what cannot be read; is its version the same as ours?", ["reason": "\(error)"])
            return nil
        }
        guard word.partitions == partitions else {
            log.warning(
                "a host has another number of partitions, and is not heard; start all hosts with the same one",
                [
                    "host": "\(word.host)", "partitions": .number(word.partitions), "own": .number(partitions),
                ])
            return nil
        }
        return word
    }
}
