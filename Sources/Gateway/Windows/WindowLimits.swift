package import Pool
package import Typography
import Wire

/// The limits of what a gateway holds for clients that have windows open.
package struct WindowLimits: Sendable {
    package var windowsPerClient = 64
    /// Windows of the reader of a stream, whose place names a moment of each.
    package var windowsPerStream = 16
    package var windows = 65_536
    /// Bytes of all conversations that are held in memory. Those that nobody looks at go first.
    package var bytes: Int
    /// Bytes of answers at the socket that are kept to be given again, and of pages over HTTP; more, while the others
    /// leave them.
    package var answers: Int
    package var pages: Int
    /// Bytes of answers, pages, conversations and contents together.
    package var together: Int
    /// Bytes of the contents of rows that were asked for lately.
    package var contents: Int
    /// Conversations that come into memory at a time.
    package var openings = 64
    /// Conversations among them that one reader asked for, or one key, or one connection.
    package var openingsOfOne = 8
    /// The time for which one comes into memory before others have their turn.
    package var slice: Duration = .milliseconds(1)
    /// Windows about which words wait for that.
    package var waiting = 1024
    /// Such windows of one subject, so that the others have room.
    package var waitingOfOne = 512
    /// Words that wait about one of them.
    package var waitingWords = 64
    /// Screens that nobody foresaw whose layouts of each kind of message are remembered.
    package var composers = 16
    /// The limits of drafts, as of events.
    package var drafts = IngestLimits()
    /// Bytes of rows that are kept for the next such screen.
    package var held: Int
    /// The least width of such a screen.
    package var narrowest = Fixed.points(40)
    /// The time within which changes are told together.
    package var tick: Duration = .milliseconds(10)
    /// The time between looks at shards without a hint: hints may be lost.
    package var watch: Duration = .milliseconds(250)
    /// The time between words about rows of an edition that is behind while another one fills it: each time heights
    /// change all over a conversation, and a browser draws the whole screen.
    package var behind: Duration = .seconds(2)

    /// The time after which each client is told something, if only that nothing happened: a client that is gone
    /// without a word is found out so.
    package var probe: Duration = .seconds(60)
    /// The number of steps that a client may have fallen back, and still be told what it missed.
    package var past = 32
    /// The time for which a stream that broke off can be taken up again.
    package var absence: Duration = .seconds(60)

    /// - Parameter memory: the bytes of all that a gateway keeps: half of them are for conversations, and a sixteenth
    ///   is left for work under way.
    package init(memory: Int = WindowLimits.memory) {
        let share = memory / 16
        bytes = 8 * share
        contents = 2 * share
        pages = 2 * share
        held = 2 * share
        answers = share
        together = 13 * share
    }

    package static let memory = 512 << 20

    func windows(of client: WindowClient) -> Int {
        switch client {
        case .peer, .visitor, .caller: windowsPerClient
        case .stream: windowsPerStream
        }
    }
}

/// A client that has windows open.
package enum WindowClient: Hashable, Sendable {
    /// A client at the fetch socket, by the name that the socket has for it.
    case peer([UInt8])
    /// The reader of a stream of changes.
    case stream(StreamName)
    /// A client that asks once, and is forgotten when that is answered.
    case visitor
    /// A client that asks once, and whose answer comes later.
    case caller(CallerName)
}

/// The name of a caller. Requests for the same window share it.
package struct CallerName: Hashable, Sendable {
    let payer: Subject
    let opening: WindowOpening
}

/// The outcome of sending a word to a client.
package enum WordSent: Sendable {
    case done
    /// The client takes no more for now. It is told later, all at once.
    case full
    /// The client is away, and may come back: it is told then.
    case away
    /// The client is not there any more.
    case gone
}
