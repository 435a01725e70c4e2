import Conversation
import Names
import Record
import Wire

/// The lines to ask for next, of texts of many screens: one question at a time, nearest to the row that is seen.
struct MissingLines {
    /// Rows that came as excerpts, and may be whole by now.
    private var rows: Set<MessageNumber> = []
    private var asked: WantedLines?
    /// Lines that were answered, if only with nothing: they are not asked for again.
    private var answered: Set<WantedLines> = []
    /// Whether the gateway was busy: it is asked again when something else is heard.
    private var isRefused = false

    /// Starts afresh on a new connection: everything is asked for anew.
    mutating func beginLine() { (asked, answered) = (nil, []) }

    mutating func hear(_ word: GatewayWord, answering question: ClientWord?) {
        isRefused = false
        var isAnswer = false
        if case .lines(_, let wanted)? = question {
            (asked, isAnswer) = (nil, true)
            if case .refused = word { isRefused = true } else { answered.insert(wanted) }
        }
        for row in word.rows where row.body?.isExcerpt ?? false {
            rows.insert(row.number)
            if !isAnswer { answered = answered.filter { $0.row != row.number } }
        }
    }

    /// The lines to ask for now; nil where there are none, or an answer is still to come.
    mutating func next(in mirror: WindowMirror, near seen: MessageNumber?) -> WantedLines? {
        guard asked == nil, !isRefused, !rows.isEmpty else { return nil }
        let place = seen.flatMap { mirror.index(of: $0) } ?? mirror.rows.count
        var next: (wanted: WantedLines, distance: Int)?
        for row in rows {
            guard let i = mirror.index(of: row),
                let excerpt = mirror.rows[i].body.flatMap({ RowExcerpt(of: $0.layout) }),
                let lines = ScreenChunks.next(to: excerpt.lines, of: excerpt.lineCount)
            else {
                rows.remove(row)
                continue
            }
            let wanted = WantedLines(row: row, mark: excerpt.mark, lines: lines)
            let distance = abs(i - place)
            if !answered.contains(wanted), distance < next?.distance ?? .max { next = (wanted, distance) }
        }
        asked = next?.wanted
        return asked
    }
}
