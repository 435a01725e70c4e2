/// Bodies of messages, written as JSON piece by piece.
package struct Bodies: Sendable {
    private let mix: MessageMix
    var prose: Prose
    private var random: SplitMix

    init(_ mix: MessageMix, prose: Prose, seed: UInt64) {
        (self.mix, self.prose) = (mix, prose)
        random = SplitMix(state: seed)
    }

    package init(_ mix: MessageMix, vocabulary: Int = 30_000, seed: UInt64) {
        self.init(mix, prose: Prose(vocabulary: vocabulary, seed: seed), seed: seed ^ 0xB0D1E5)
    }

    /// The next body, and the number of its sender.
    package mutating func next() -> (body: [UInt8], sender: Int) {
        let sender = random.below(64)
        var body: [UInt8] = []
        append(to: &body, sender: sender, isEdited: false)
        return (body, sender)
    }

    /// - Parameters:
    ///   - sender: the person whose name the body shows, if it shows one.
    ///   - isEdited: whether the body is that of an edit, and says so.
    mutating func append(to json: inout [UInt8], sender: Int, isEdited: Bool) {
        let kind = mix.draw(&random)
        json += #"{"kind":""#
        json += kind.rawValue
        json += #"""#
        appendContent(of: kind, to: &json)
        if random.happens(mix.names) {
            json += #","name":""#
            prose.appendName(to: &json, of: sender)
            json += #"""#
        }
        if random.happens(mix.replies), kind != .event { appendReply(to: &json) }
        if isEdited { json += #","edited":true"# }
        json += "}"
    }

    private mutating func appendContent(of kind: MessageMix.Kind, to json: inout [UInt8]) {
        switch kind {
        case .text: appendText("text", to: &json)
        case .photo, .gif, .video:
            appendPicture(kind.rawValue, to: &json)
            if kind == .video { json += #","duration":\#(1 + random.below(300))"# }
            if random.below(2) == 0 { appendText("caption", to: &json) }
        case .album: appendAlbum(to: &json)
        case .link:
            appendText("text", to: &json)
            appendPreview(to: &json)
        case .sticker: json += #","sticker":{"width":512,"height":512}"#
        case .emoji:
            json += #","text":""#
            prose.appendEmoji(to: &json)
            json += #"""#
        case .audio: appendAudio(to: &json)
        case .rich: appendRich(to: &json)
        case .file:
            appendPhrase(#","file":{"name""#, to: &json)
            json += #","size":\#(1000 + random.below(9_000_000)),"type":"PDF"}"#
        case .poll: appendPoll(to: &json)
        case .event: appendPhrase(#","text""#, to: &json)
        case .location:
            appendPhrase(#","place":{"title""#, to: &json)
            appendPhrase(#","address""#, to: &json)
            json += "}"
        case .contact:
            appendPhrase(#","contact":{"name""#, to: &json)
            json += #","phone":"+49 30 \#(100_000 + random.below(900_000))"}"#
        }
    }

    private mutating func appendText(_ field: String, to json: inout [UInt8]) {
        json += #",""#
        json += field
        json += #"":""#
        prose.appendText(to: &json)
        json += #"""#
    }

    /// - Parameter field: everything in front of the colon.
    private mutating func appendPhrase(_ field: String, to json: inout [UInt8]) {
        json += field + #":""#
        prose.appendPhrase(to: &json)
        json += #"""#
    }

    private mutating func appendPicture(_ field: String, to json: inout [UInt8]) {
        json += #","\#(field)":\#(size)"#
    }

    private var size: String {
        mutating get {
            let shapes = [(1600, 1200), (1200, 1600), (1080, 1920), (1920, 1080), (1000, 1000), (2400, 800)]
            let (width, height) = shapes[random.below(shapes.count)]
            return #"{"width":\#(width),"height":\#(height)}"#
        }
    }

    private mutating func appendAlbum(to json: inout [UInt8]) {
        let count = 2 + random.below(6)
        json += #","photos":["#
        for place in 0..<count { json += #"\#(place > 0 ? "," : ""){"picture":\#(size)}"# }
        json += "]"
    }

    private mutating func appendPreview(to json: inout [UInt8]) {
        json += #","preview":{"url":"https://example.org/\#(random.below(1_000_000))","site":"Example""#
        appendPhrase(#","title""#, to: &json)
        if random.below(2) == 0 { appendText("summary", to: &json) }
        if random.below(2) == 0 { appendPicture("picture", to: &json) }
        json += "}"
    }

    private mutating func appendAudio(to json: inout [UInt8]) {
        json += #","audio":{"duration":\#(1 + random.below(120)),"bars":["#
        for place in 0..<40 { json += "\(place > 0 ? "," : "")\(random.below(256))" }
        json += "]}"
    }

    private mutating func appendRich(to json: inout [UInt8]) {
        json += #","text":"**"#
        prose.appendPhrase(to: &json)
        json += #"** "#
        prose.appendText(to: &json)
        for _ in 0...random.below(3) {
            json += #"\n\n- "#
            prose.appendPhrase(to: &json)
        }
        json += #"""#
    }

    private mutating func appendPoll(to json: inout [UInt8]) {
        appendText("question", to: &json)
        json += #","votes":\#(random.below(50)),"options":["#
        for place in 0...(1 + random.below(4)) {
            appendPhrase((place > 0 ? "," : "") + #"{"text""#, to: &json)
            json += #","percent":\#(random.below(101))}"#
        }
        json += "]"
    }

    private mutating func appendReply(to json: inout [UInt8]) {
        json += #","reply":{"sender":""#
        prose.appendName(to: &json, of: random.below(64))
        appendPhrase(#"","text""#, to: &json)
        json += "}"
    }
}

extension [UInt8] {
    static func += (bytes: inout [UInt8], text: String) { bytes.append(contentsOf: text.utf8) }
}
