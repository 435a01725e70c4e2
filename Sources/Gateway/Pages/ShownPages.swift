/// Pages for people, as a gateway sends them.
package enum ShownPages: Sendable {
    case none
    /// Pages of this program.
    case embedded
    /// Pages of a folder like `Sources/Web`, as its files are at the moment: for people who write pages.
    case folder(path: String)
}
