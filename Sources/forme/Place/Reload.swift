import Console
import Foundation
import Operations
import Settings
import Synchronization
import Transport

private let log = Log("reload")

/// The work of SIGHUP: it reads the configuration and the list of guests again, and uses them from then on. When
/// anything is wrong with either, both stay as they were.
final class Reload: Sendable {
    private let arguments: Arguments
    private let door: Door?
    private let current: Mutex<Configuration>
    private let changed: @Sendable (Configuration) -> Void

    /// - Parameter changed: gets the new configuration, on the thread that read it.
    init(
        _ arguments: Arguments, of place: Place, door: Door? = nil,
        changed: @escaping @Sendable (Configuration) -> Void = { _ in }
    ) {
        (self.arguments, self.door, self.changed) = (arguments, door, changed)
        current = Mutex(place.configuration)
    }

    /// Reloads at each SIGHUP from now on, on a thread of its own. Other threads must be made later, as they inherit
    /// the blocked signal.
    func atSignal() throws {
        let handedOver = Mutex<Signals?>(try Signals([SIGHUP]))
        Thread.detachNewThread {
            guard let signals = handedOver.withLock({ $0.take() }) else { return }
            while (try? wait(for: [signals.source], atMost: .seconds(3600))) != nil {
                if signals.takeAll().contains(SIGHUP) { self.now() }
            }
        }
    }

    /// Reloads; false when something is wrong, and everything is as it was.
    @discardableResult
    func now() -> Bool {
        ServiceManager.current.reloading()
        // The service goes on, whatever the outcome.
        defer { ServiceManager.current.reloaded() }
        do {
            let new = try Place.configuration(arguments)
            if let keys = current.withLock({ $0.security.keys }) { door?.admit(try KeyFolder(keys).guests()) }
            take(new)
            return true
        } catch {
            log.error(
                "kept what was", ["reason": "\(Failure(error).sentence)", "process": "\(arguments.command)"])
            return false
        }
    }

    private func take(_ new: Configuration) {
        let changes = current.withLock { old in
            defer { old = new }
            return old.changes(to: new)
        }
        Log.use(new.log.format, new.log.level)
        let process = LogValue.text(arguments.command)
        for change in changes { log.info("a setting changed", ["change": "\(change)", "process": process]) }
        log.info("read again", ["changes": .number(changes.count), "process": process])
        changed(new)
    }
}
