import Conversation
import Wire

// Keeping the window for the next time.
extension WindowSession {
    private static let keptRows = 100
    private static let pause = Duration.seconds(5)

    func keepSometimes() {
        guard keptAt.map({ ContinuousClock.now - $0 >= Self.pause }) ?? true else { return }
        keep()
    }

    func keep() {
        guard let cache, course.source == .gateway,
            let page = course.mirror?.end(Self.keptRows, of: course.window), !page.rows.isEmpty
        else { return }
        keptAt = .now
        cache.keep(page, of: course.opening)
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
