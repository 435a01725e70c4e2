import Foundation
import Operations

/// Says legal words of extreme values to a whole gateway and a whole coordinator, and ends when one of them would. A
/// word that is refused gets a refusal; a trap ends this process, and the last line names its seed.
///
///     extremes [WORDS] [SEED]
///
/// Of a hundred words ninety-eight are said in this process, and two over sockets: ZeroMQ and HTTP.
@main struct Extremes {
    /// The words between fresh services: the state that a word leaves behind is there for the next ones, but not for
    /// ever.
    private static let wordsPerRound = 50_000

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let words = arguments.first.map { Int(clamping: $0) } ?? 100_000
        let seed = arguments.dropFirst().first ?? UInt64.random(in: 0 ... .max)
        let inside = words - words / 50
        say("\(words) words, seed \(seed)")
        let start = ContinuousClock.now
        var told = Tally()
        var round: UInt64 = 0
        while told.words < inside {
            say("\(told.words) words; round \(round), seed \(seed &+ round)")
            var numbers = ExtremeNumbers(seed: seed &+ round)
            try ServiceDrive(&numbers).run(words: min(wordsPerRound, inside - told.words), &numbers, &told)
            round += 1
        }
        say("\(told.words) words; over sockets, seed \(seed &+ round)")
        var numbers = ExtremeNumbers(seed: seed &+ round)
        try SocketDrive.run(words: words - inside, &numbers, &told)
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        say("\(told.words) words in \(seconds) s: \(told); nothing ended")
    }

    /// Writes a line at once, as nothing is written after a trap.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("extremes: \(line)\n".utf8)) }
}
