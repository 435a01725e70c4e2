/// Which pages for people a gateway sends.
package enum ShownPages: Sendable {
    case none
    /// Those of this program.
    case embedded
    /// Those of a folder like `Sources/Web`, as its files are at the moment: for people who write pages.
    case folder(path: String)
}
