import CZMQ

/// The bytes that were sent to the peers of a listening socket, and that they have not taken yet. libzmq counts
/// messages alone, of any size; so a peer that asks and does not read would decide how much memory is filled.
///
/// Short messages are not counted: as many of them as libzmq keeps for a peer take little memory.
@safe final class UnreadBytes {
    private let whole: Account
    private var accounts: [[UInt8]: Account] = [:]
    /// The number of accounts at which those of peers that have taken everything are closed.
    private var nextSweep = 64

    /// The length from which on a message is counted.
    static let least = 1024
    /// The most bytes of one peer: a burst of answers to a peer that reads is less.
    static let mostOfPeer = 8 << 20
    /// The most bytes of all peers together. When it is reached, each has no more than its share.
    static let most = 64 << 20
    static let share = 1 << 20

    init() { whole = Account(within: nil) }

    var bytes: Int { whole.bytes }

    /// The account for so many bytes to a peer; nil when the peer has to read first.
    func account(of peer: [UInt8], for count: Int) -> Account? {
        guard let account = accounts[peer] else { return opened(for: peer) }
        let sum = account.bytes + count
        // One message always has room, of any length.
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

    /// The count of the bytes for one peer. It lives in C until its last message has left, as libzmq's threads change
    /// it.
    @safe final class Account {
        let raw: UnsafeMutablePointer<forme_account>

        init(within whole: Account?) { unsafe raw = unsafe forme_account_open(whole?.raw) }
        deinit { unsafe forme_account_close(raw) }

        var bytes: Int { unsafe Int(forme_account_bytes(raw)) }
    }
}
