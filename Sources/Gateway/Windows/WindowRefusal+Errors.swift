import Bytes
import MessageLayout
import Operations
import Storage
import Wire

private let log = Log("gateway")

extension WindowRefusal {
    /// The refusal that a client hears of an error; the operator hears of trouble with files.
    init(for error: any Error) {
        self = .busy
        switch error {
        case let refusal as WindowRefusal: self = refusal
        case let error as StorageError: log.error("the cache could not be read", ["reason": "\(error)"])
        case let error as StoredMessageError:
            log.warning("a conversation cannot be laid out for a screen that nobody foresaw", ["reason": "\(error)"])
            self = .unprepared
        case let error as ByteError: log.error("a sealed block could not be read", ["reason": "\(error)"])
        default: break
        }
    }
}
