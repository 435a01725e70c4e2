/// How much a gateway holds for those who have windows open.
package struct WindowLimits: Sendable {
    package var windowsPerClient = 64
    package var windows = 65_536
    /// Of all conversations together that are held in memory. Those that nobody looks at go first.
    package var bytes = 512 << 20
    /// What happens within so long is told together.
    package var tick: Duration = .milliseconds(10)
    /// How often shards are looked at without a hint: hints may be lost.
    package var watch: Duration = .milliseconds(250)

    package init() {}
}

/// Who has windows open: somebody at a socket, or a stream.
package struct WindowClient: Hashable, Sendable {
    package let name: [UInt8]
    package init(_ name: [UInt8]) { self.name = name }
}

/// What became of a word for a client.
package enum WordSent: Sendable {
    case done
    /// The client takes no more for now. What it was to hear is told later, all at once.
    case full
    /// The client is not there any more.
    case gone
}
