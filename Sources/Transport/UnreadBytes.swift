import CZMQ

/// What the peers of a listening socket were sent and have not taken yet, in bytes. libzmq counts messages alone, whatever their
/// size; so a peer that asks and does not read would decide how much memory is filled.
///
/// Short messages are not counted: so many of them as libzmq keeps for a peer are little.
@safe final class UnreadBytes {
    private let whole: Account
    private var accounts: [[UInt8]: Account] = [:]
    /// How many accounts there are when those of peers that have taken everything are closed.
    private var nextSweep = 64

    /// From which on a message is counted.
    static let least = 1024
    /// Of one peer: a burst of answers to one who reads is less than that.
    static let mostOfPeer = 8 << 20
    /// Of all peers together. When it is reached, each has no more than its share.
    static let most = 64 << 20
    static let share = 1 << 20

    init() { whole = Account(within: nil) }

    var bytes: Int { whole.bytes }

    /// Where so many bytes for a peer are counted; nil when it has to read first.
    func account(of peer: [UInt8], for count: Int) -> Account? {
        guard let account = accounts[peer] else { return opened(for: peer) }
        let sum = account.bytes + count
        // One message always has room, however long.
        guard account.bytes == 0 || sum <= (whole.bytes + count <= Self.most ? Self.mostOfPeer : Self.share) else {
            return nil
        }
        return account
    }

    private func opened(for peer: [UInt8]) -> Account {
        if accounts.count >= nextSweep {
            accounts = accounts.filter { $0.value.bytes > 0 }
            nextSweep = max(64, 2 * accounts.count)
        }
        let account = Account(within: whole)
        accounts[peer] = account
        return account
    }

    /// Lives in C, and there until its last message has left, as libzmq's threads write it down.
    @safe final class Account {
        let raw: UnsafeMutablePointer<forme_account>

        fileprivate init(within whole: Account?) { unsafe raw = unsafe forme_account_open(whole?.raw) }
        deinit { unsafe forme_account_close(raw) }

        fileprivate var bytes: Int { unsafe Int(forme_account_bytes(raw)) }
    }
}
