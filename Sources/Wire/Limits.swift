import Names
import Record

/// The limits of every length that a peer may choose. Longer input is refused: a stranger cannot make anything grow.
package enum Limits {
    /// One frame, header included: as long as a record may be. Sockets refuse larger ones before they reach a decoder.
    package static let frame = RecordLimits.record
    /// Bytes of one frame of a producer. A frame longer than `frame` is thrown away and answered with the limits;
    /// one longer than this ends the connection, as nothing else keeps it out of memory.
    package static let refusedFrame = 4 << 20
    /// Bytes of one subscription to hints, and of the handshake before it.
    package static let subscription = 512
    /// Bytes of all frames that stand before a request and come back before its answer.
    package static let envelope = 1024
    /// UTF-8 bytes of one identifier.
    package static let name = MessageID.mostBytes
    /// UTF-8 bytes of one message. The row of a message that breaks after every byte still fits a frame.
    package static let body = 1 << 14
    /// UTF-8 bytes of a message that is not posted yet, with its fields beside the body.
    package static let draft = 1 << 15
    /// UTF-8 bytes of a status.
    package static let status = 64
    /// UTF-8 bytes of all reactions to one message.
    package static let reactions = 1 << 12
    /// Bytes of the choices of single readers for one message, as they are stored.
    package static let voices = 1 << 12
    /// Choices of one reader for one message, of each sort.
    package static let choices = 8
    /// UTF-8 bytes of an emoji, or of the id of an option.
    package static let choice = 64
    /// Different reactions to one message. Styles draw no more.
    package static let differentReactions = 32
    /// UTF-8 bytes of the title of a conversation, and of the JSON of its picture.
    package static let title = 1 << 10
    package static let picture = 1 << 10
    /// Events of one request.
    package static let eventsPerRequest = 1024
    package static let jobsPerBatch = 512
    package static let batchesPerWorker = 64
    /// UTF-8 bytes of one objection.
    package static let objection = 1 << 11
    package static let targets = RecordLimits.targets
    /// Bytes of the rows of a batch that were made elsewhere: with its jobs they fit a frame.
    package static let madeRows = 1 << 19
    /// Bytes of a key of a row.
    package static let key = 64
    /// Bytes of an edition as a folder keeps it.
    package static let edition = 16 << 20
    /// Bytes of an edition, or of a font, that are sent at once.
    package static let piece = 1 << 17
    /// Facts, such as versions, by which two workers are compared.
    package static let engineFacts = 16
    /// Targets that are added to those of a style.
    package static let addedTargets = 16
    package static let rowsPerPage = 256
    /// Lines of a row. No row that fits a frame has more.
    package static let linesPerRow = frame
    /// Rows that a window may have at most, while its reader is busy.
    package static let rowsPerWindow = 4096
    package static let anchorsPerWindow = 16
    /// Stretches, carets and points of texts that are asked for at once.
    package static let rangesPerQuestion = 256
    package static let rectanglesPerReply = 4096
    /// UTF-16 units of a text; numbers of nodes are below it, too.
    package static let unit: Int32 = 1 << 22
    /// Device pixels in a coordinate of a point.
    package static let pixel: Int32 = 1 << 24
    /// UTF-8 bytes of a path into a message.
    package static let path = 1 << 11
    /// Files of fonts that the rows of one word may name.
    package static let fontFiles = 1 << 12
    package static let changesPerSet = 1 << 12
    /// Moments that a calendar can tell, since 1970: the dates of JavaScript, some 271,000 years to either side.
    package static let milliseconds: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000
    /// Days that a gateway tells, since 1970: those of all moments that have a number, in any time zone.
    package static let days: ClosedRange<Int64> = -1 << 37...1 << 37
    /// Places in a conversation that a gateway tells, in device pixels. Sums of them and of heights are integers, too.
    package static let y: ClosedRange<Int64> = -1 << 61...1 << 61
    /// Device pixels of the height of a screen.
    package static let screen: Int32 = 1 << 20
    /// Transitions of a time zone.
    package static let transitions = 512
    /// UTF-8 bytes of a word in a time of day.
    package static let clockWord = 32
    /// Rows whose heights are told at once.
    package static let heightsPerReply = 1 << 16
}
