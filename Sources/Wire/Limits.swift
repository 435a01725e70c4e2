/// Every length that a peer may choose, bounded: what passes is refused, nothing grows with what strangers send.
package enum Limits {
    /// One frame, header included. Sockets refuse larger ones before they reach a decoder.
    package static let frame = 1 << 20
    /// UTF-8 bytes of one identifier.
    package static let name = 255
    /// UTF-8 bytes of one message. One that is broken after every byte still makes a row that fits a frame.
    package static let body = 1 << 14
    /// UTF-8 bytes of a status.
    package static let status = 64
    /// UTF-8 bytes of all reactions to one message.
    package static let reactions = 1 << 12
    /// Events of one request.
    package static let eventsPerRequest = 1024
    package static let jobsPerBatch = 512
    package static let batchesPerWorker = 64
    /// UTF-8 bytes of one objection.
    package static let objection = 1 << 11
    package static let targets = 64
    /// Targets that are laid out for beside those of a style.
    package static let addedTargets = 16
    package static let rowsPerPage = 256
    /// No row that fits a frame has more of them.
    package static let linesPerRow = frame
    /// Rows that a window may have at most, while its reader is busy.
    package static let rowsPerWindow = 4096
    package static let anchorsPerWindow = 16
    package static let changesPerSet = 1 << 12
    /// Device pixels.
    package static let screen: Int32 = 1 << 20
    /// Of a time zone.
    package static let transitions = 512
    /// UTF-8 bytes of a word in a time of day.
    package static let clockWord = 32
    /// Of which heights are told at once.
    package static let heightsPerReply = 1 << 16
}
