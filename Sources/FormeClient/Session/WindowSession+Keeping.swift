import Conversation
import Wire

// Keeping the window for the next time.
extension WindowSession {
    private static let keptRows = 100
    private static let pause = Duration.seconds(5)

    /// Keeps what a word leaves: now and then, and at once where it takes something away, as an app that is ended now is
    /// not to show that again.
    func keep(after word: GatewayWord) {
        // Pages of other screens, and this one where the window does not show its rows, may have what is gone now.
        if word.takesAway { cache?.forget(course.opening.conversation) }
        guard word.takesAway || keptAt.map({ ContinuousClock.now - $0 >= Self.pause }) ?? true else { return }
        keep()
    }

    /// Keeps nothing for a reader who is not let in any more.
    func keep(after ending: Ending) {
        if case .failed(.forbidden) = ending { cache?.forget(course.opening.conversation) } else { keep() }
    }

    private func keep() {
        guard let cache, course.source == .gateway,
            let page = course.mirror?.end(Self.keptRows, of: course.window), !page.rows.isEmpty
        else { return }
        keptAt = .now
        cache.keep(page, of: course.opening)
    }
}

extension GatewayWord {
    fileprivate var takesAway: Bool {
        switch self {
        case .window(let reply): reply.rows.isEmpty
        case .changes(let set):
            set.changes.contains {
                switch $0.kind {
                case .remove, .replace: true
                case .insert, .move, .redecorate: false
                }
            }
        default: false
        }
    }
}

extension WindowPlace {
    /// Whether a window that ends with the conversation shows this place.
    func isShown(by reply: WindowReply) -> Bool {
        switch self {
        case .newest, .unread: true
        case .message(let message): reply.rows.contains { $0.message == message }
        case .date, .y: false
        }
    }
}
