import MessageLayout
import Names
import Wire

extension Name {
    /// A name that the simulation gives: short and plain, and so always valid.
    init(own text: String) {
        do { try self.init(text) } catch { preconditionFailure("'\(text)' names nothing: \(error)") }
    }
}

extension EditionID {
    /// An edition that the simulation makes up, of hexadecimal digits.
    init(own text: String) {
        do { try self.init(text) } catch { preconditionFailure("'\(text)' is no edition: \(error)") }
    }
}
