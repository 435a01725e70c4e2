package import Pool
package import Typography
import Wire

/// How much a gateway holds for those who have windows open.
package struct WindowLimits: Sendable {
    package var windowsPerClient = 64
    /// Of the reader of a stream, whose place names a moment of each.
    package var windowsPerStream = 16
    package var windows = 65_536
    /// Of all conversations together that are held in memory. Those that nobody looks at go first.
    package var bytes: Int
    /// Bytes of answers at the socket that are kept to be given again, and of pages over HTTP; more, while the others leave them.
    package var answers: Int
    package var pages: Int
    /// Bytes of answers, pages, conversations and contents together.
    package var together: Int
    /// Of what is drawn in rows that were asked for lately, in bytes.
    package var contents: Int
    /// Conversations that come into memory at a time.
    package var openings = 64
    /// Of them those that one reader asked for, or one key, or one connection.
    package var openingsOfOne = 8
    /// For so long one comes into memory before others have their turn.
    package var slice: Duration = .milliseconds(1)
    /// Windows of which words wait for that.
    package var waiting = 1024
    /// Words of one of them.
    package var waitingWords = 64
    /// Screens that nobody foresaw of which is remembered how messages of each kind are laid out there.
    package var composers = 16
    /// How long bodies of drafts may be, as those of events.
    package var drafts = IngestLimits()
    /// Of what is kept of rows for the next such screen, in bytes.
    package var held: Int
    /// No such screen is narrower.
    package var narrowest = Fixed.points(40)
    /// What happens within so long is told together.
    package var tick: Duration = .milliseconds(10)
    /// How often shards are looked at without a hint: hints may be lost.
    package var watch: Duration = .milliseconds(250)
    /// How often rows are told of that an edition gets behind what happens, while another one fills it: each time heights change all over a
    /// conversation, and a browser draws the whole screen.
    package var behind: Duration = .seconds(2)

    /// How often each client is told something, if only that nothing happened: who is gone without a word is found out so.
    package var probe: Duration = .seconds(60)
    /// How many steps back a client may have fallen, and still be told what it missed.
    package var past = 32
    /// How long a stream that broke off can be taken up again.
    package var absence: Duration = .seconds(60)

    /// - Parameter memory: what everything that a gateway keeps takes together, in bytes: half of it are conversations, and a sixteenth
    ///   is left for what is under way.
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
    /// Somebody at the fetch socket, by the name that the socket has for them.
    case peer([UInt8])
    /// The reader of a stream of changes.
    case stream(StreamName)
    /// Somebody who asks once, and is forgotten when that is answered.
    case visitor
    /// Somebody who asks once, and whose answer comes later.
    case caller(CallerName)
}

/// Requests that ask for the same window share it.
package struct CallerName: Hashable, Sendable {
    let payer: Subject
    let opening: WindowOpening
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
