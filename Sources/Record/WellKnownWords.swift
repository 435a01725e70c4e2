/// Words that take one byte in a record: names of parts, tokens and actions that styles have in common, most of all
/// those of a plain text. The list is part of the format: a change takes a new version.
enum WellKnownWords {
    /// At most 64 words: no more fit into a byte.
    static let all: [String] = [
        "bubble", "text", "name", "time", "status", "caption", "media", "openSender", "expand", "more",
        "link", "accent", "edited", "stamp", "capsule", "line", "plate", "bare", "reply", "quote",
        "replyBar", "replySender", "replyText", "replyPicture", "openReply", "forward", "forwarded", "forwardedFrom",
        "openForwarded", "reactions", "reaction", "emoji", "count", "react", "chip", "thread", "threadLine",
        "threadCount",
        "openThread", "translation", "translationLine", "face", "photo", "video", "picture", "play", "open", "title",
        "duration", "durationText", "track", "faint", "button", "option", "optionText", "vote", "file", "download",
        "avatar", "sender", "00:00 AM", "Read more", "message", "row",
    ]

    /// The place of each in `letters`, and of each that is in paths.
    static let ranges = ranges(of: all, behind: [])
    static let pathRanges = ranges(of: inPaths, behind: all)

    private static func ranges(of words: [String], behind others: [String]) -> [Range<Int32>] {
        var end = Int32(others.reduce(0) { $0 + $1.utf8.count })
        return words.map { word in
            defer { end += Int32(word.utf8.count) }
            return end..<end + Int32(word.utf8.count)
        }
    }

    /// UTF-8 of all of them.
    static let letters: [UInt8] = (all + inPaths).flatMap { Array($0.utf8) }

    static let numbers = numbers(of: all)

    /// The same for paths into messages: names of lists and fields that kinds of message have in common.
    static let inPaths: [String] = [
        "options", "percent", "votes", "reactions", "count", "reply", "forward", "thread", "thread.count", "text",
        "photos", "duration", "rows", "buttons", "answers", "inputs", "events", "preview", "contact", "place",
        "file", "file.size", "audio", "audio.duration", "picture", "video", "sticker", "caption", "form", "name",
    ]

    static let pathNumbers = numbers(of: inPaths)

    private static func numbers(of words: [String]) -> [String: UInt32] {
        Dictionary(uniqueKeysWithValues: words.enumerated().map { ($0.element, UInt32($0.offset)) })
    }
}
