/// The kinds of messages in a flood, with the number of each in a thousand.
package struct MessageMix: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case text, photo, link, sticker, emoji, audio, rich, video, gif, album, file, poll, event, location, contact
    }

    package let kinds: [Kind]
    /// The messages of each kind among a thousand.
    package let weights: [Double]
    private let lottery: Lottery
    /// The number of replies, and of messages with a name, in a hundred messages of kinds that can have them.
    let replies: Double
    let names: Double

    private init(_ weights: [(Kind, Double)], replies: Double, names: Double) {
        kinds = weights.map(\.0)
        self.weights = weights.map(\.1)
        lottery = Lottery(weights: weights.map(\.1))
        (self.replies, self.names) = (replies, names)
    }

    /// A mix as people send it.
    package static let standard = MessageMix(
        [
            (.text, 700), (.photo, 80), (.link, 50), (.sticker, 40), (.emoji, 25), (.audio, 25), (.rich, 20),
            (.video, 15), (.gif, 15), (.album, 8), (.file, 8), (.poll, 2), (.event, 6), (.location, 3), (.contact, 3),
        ], replies: 10, names: 50)

    /// Nothing but plain texts.
    package static let texts = MessageMix([(.text, 1000)], replies: 0, names: 0)

    package static let named = ["default": standard, "texts": texts]

    /// Messages of one kind, as often with names and replies.
    package func only(_ kind: Kind) -> MessageMix { MessageMix([(kind, 1000)], replies: replies, names: names) }

    func draw(_ random: inout SplitMix) -> Kind { kinds[lottery.draw(&random)] }
}
