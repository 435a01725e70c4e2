import Console
import Foundation

/// The option that has pages sent from a folder, for people who write them.
enum PageFolder {
    static let name = "web"
    static let usage = """
          --web FOLDER         with its pages from a folder, such as Sources/Web: a change there is seen at once
        """

    /// The absolute path, as a process may enter another folder; nil where none is named.
    static func path(_ arguments: Arguments) throws -> String? {
        guard let word = arguments.text(name) else { return nil }
        let path = URL(filePath: word).path
        guard FileManager.default.fileExists(atPath: "\(path)/demo/demo.html") else {
            throw arguments.refusal(
                "--web takes a folder with pages, such as Sources/Web; '\(word)' has no demo/demo.html")
        }
        return path
    }
}
