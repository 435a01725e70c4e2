import Foundation
import JSON

/// `forme-baseline-floor`, which asks for pages, and may be a bare router that answers them.
struct PageAsker {
    let endpoint: String
    /// The file with the questions.
    let questions: String
    let seconds: Int
    /// Keys, where there are any.
    var environment: [String: String] = [:]

    /// The number of clients, and of questions that each has on their way.
    struct Crowd {
        let connections: Int
        let depth: Int

        static let one = Crowd(connections: 1, depth: 1)
        static let many = Crowd(connections: 4, depth: 16)
    }

    func ask(_ crowd: Crowd) throws -> PagesReport.Run { try run("ask", crowd) }

    /// Asks a router of its own, whose answers have so many bytes.
    func askBare(_ crowd: Crowd, bytes: Int) throws -> PagesReport.Run { try run("pages", crowd, ["\(bytes)"]) }

    private func run(_ what: String, _ crowd: Crowd, _ more: [String] = []) throws -> PagesReport.Run {
        let words = [what, endpoint, questions, "\(seconds)", "\(crowd.connections)", "\(crowd.depth)"] + more
        let output = try BuiltProgram.run(
            BuiltProgram.folder + "/forme-baseline-floor", words, environment: environment
        ).output
        return try JSONDocument(name: "floor", bytes: Array(output), dialect: .json).read(PagesReport.Run.init)
    }
}
