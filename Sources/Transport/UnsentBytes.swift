/// The bytes of messages that wait in a calling socket until the kernel takes them, and the most of them: a service
/// that has stopped takes none, and libzmq counts messages alone, of any size.
///
/// Short messages are not counted, as in `UnreadBytes`.
struct UnsentBytes {
    private let account = UnreadBytes.Account(within: nil)
    private let most: Int

    init(atMost most: Int) { self.most = most }

    var bytes: Int { account.bytes }

    /// The account for so many bytes more; nil when those before have to leave first. One message always has room, of
    /// any length.
    func account(for count: Int) -> UnreadBytes.Account? {
        let waiting = account.bytes
        return waiting == 0 || waiting + count <= most ? account : nil
    }
}
