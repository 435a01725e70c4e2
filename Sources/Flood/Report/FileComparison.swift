/// The files of the cache beside the ledger, as far as there were files to compare.
package enum FileComparison: Sendable {
    /// They were read, without any gateway.
    case verdict(Audit.Verdict)
    /// They are on this machine and could not be read; the reason. A flood is not clean without them.
    case unreadable(String)
    /// There are none to be compared, as they are on another machine, or an edition is being filled up; the reason.
    case none(String)

    package var verdict: Audit.Verdict? {
        if case .verdict(let verdict) = self { verdict } else { nil }
    }

    /// The reason for which no file was read; nil where all were.
    package var reason: String? {
        switch self {
        case .verdict: nil
        case .unreadable(let reason), .none(let reason): reason
        }
    }

    /// Whether nothing speaks against the files.
    package var isClean: Bool {
        switch self {
        case .verdict(let verdict): verdict.isClean
        case .unreadable: false
        case .none: true
        }
    }
}
