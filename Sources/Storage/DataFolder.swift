import Glibc

/// The folder that holds everything a Forme keeps, and the names in it.
package struct DataFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Makes the folder where it is missing, for its owner only: it holds what people write to each other.
    package func create() throws(StorageError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .notAccessible(path: path, code: errno) }
        guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else { throw .notAccessible(path: path, code: errno) }
    }
}
