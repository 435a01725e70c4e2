/// Pages for people, as a gateway sends them.
package enum ShownPages: Sendable {
    case none
    /// Pages of this program.
    case embedded
    /// The same for people who write styles: with the mistakes of the style that is worked on.
    case watched
    /// Pages of a folder like `Sources/Web`, as its files are at the moment: for people who write pages.
    case folder(path: String)
}
