/// Milliseconds since 1970, in universal time.
package struct Timestamp: Hashable, Sendable {
    package var milliseconds: Int64
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
}
