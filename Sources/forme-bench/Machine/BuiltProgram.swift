import Console
import Foundation

/// Programs that benchmarks run: those that were built beside this one, and others of the machine.
enum BuiltProgram {
    /// This program itself.
    static let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "forme-bench"
    static let folder = URL(filePath: own).deletingLastPathComponent().path

    /// The service that is measured.
    static func forme() throws -> String {
        let path = folder + "/forme"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure(
                .failed, "\(path) is not there to be measured; build it: swift build -c release --product forme")
        }
        return path
    }

    /// The output of a program, and the time to its end. An end with any code but 0 is a failure.
    static func run(
        _ path: String, _ words: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> (output: Data, time: Duration) {
        let process = Process()
        let given = Pipe()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = given
        process.standardOutput = output
        let start = ContinuousClock.now
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        // The end of the program closed the pipe. Foundation notices the end itself some fifty milliseconds later.
        let time = ContinuousClock.now - start
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(.failed, "\(path) ended with \(process.terminationStatus); its messages are above")
        }
        return (printed, time)
    }
}
