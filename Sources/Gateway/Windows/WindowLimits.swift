package import Typography

/// How much a gateway holds for those who have windows open.
package struct WindowLimits: Sendable {
    package var windowsPerClient = 64
    package var windows = 65_536
    /// Of all conversations together that are held in memory. Those that nobody looks at go first.
    package var bytes = 512 << 20
    /// Of answers that are kept to be given again, in bytes.
    package var answers = 256 << 20
    /// Conversations that come into memory at a time.
    package var openings = 64
    /// For so long one comes into memory before others have their turn.
    package var slice: Duration = .milliseconds(1)
    /// Windows of which words wait for that.
    package var waiting = 1024
    /// Screens that nobody foresaw of which is remembered how messages of each kind are laid out there.
    package var composers = 16
    /// Of what is kept of rows for the next such screen, in bytes.
    package var held = 128 << 20
    /// No such screen is narrower.
    package var narrowest = Fixed.points(40)
    /// What happens within so long is told together.
    package var tick: Duration = .milliseconds(10)
    /// How often shards are looked at without a hint: hints may be lost.
    package var watch: Duration = .milliseconds(250)

    /// How often each client is told something, if only that nothing happened: who is gone without a word is found out so.
    package var probe: Duration = .seconds(60)
    /// How many steps back a client may have fallen, and still be told what it missed.
    package var past = 32
    /// How long a stream that broke off can be taken up again.
    package var absence: Duration = .seconds(60)

    package init() {}
}

/// Who has windows open.
package enum WindowClient: Hashable, Sendable {
    /// Somebody at the fetch socket, by the name that the socket has for them.
    case peer([UInt8])
    /// The reader of a stream of changes.
    case stream(StreamName)
    /// Somebody who asks once, and is forgotten when that is answered.
    case visitor
}

/// What became of a word for a client.
package enum WordSent: Sendable {
    case done
    /// The client takes no more for now. What it was to hear is told later, all at once.
    case full
    /// The client is away, and may come back: what it was to hear is told then.
    case away
    /// The client is not there any more.
    case gone
}
