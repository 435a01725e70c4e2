/// The addresses at which the processes of one Forme meet.
package struct Endpoints: Equatable, Sendable {
    /// Producers post here.
    package var events: String
    /// Workers ask for work here.
    package var workers: String
    /// Hints that layouts are ready are published here.
    package var ready: String
    /// Clients fetch here.
    package var fetch: String
    /// Operators send questions and commands here.
    package var operators: String

    /// Sockets in a folder, for processes of one machine.
    package init(folder: String) {
        events = "ipc://\(folder)/events.ipc"
        workers = "ipc://\(folder)/workers.ipc"
        ready = "ipc://\(folder)/ready.ipc"
        fetch = "ipc://\(folder)/fetch.ipc"
        operators = "ipc://\(folder)/operators.ipc"
    }

    /// Five ports in a row, on an address that only trusted processes can reach: nothing is encrypted here. Nil for
    /// a text that is not `host:port`, or whose port leaves no room for five.
    package init?(hostAndPort text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let port = UInt16(text[text.index(after: colon)...]), port > 0, port <= UInt16.max - 4
        else { return nil }
        let host = text[..<colon]
        events = "tcp://\(host):\(port)"
        workers = "tcp://\(host):\(port + 1)"
        ready = "tcp://\(host):\(port + 2)"
        fetch = "tcp://\(host):\(port + 3)"
        operators = "tcp://\(host):\(port + 4)"
    }
}
