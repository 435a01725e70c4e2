import HTTP
import JSON
import Storage

/// Changes and mistakes that an open page asks about while somebody works on it, or on a style.
///
/// ```json
/// {"files": {"demo/demo.css": 1764100800123, …}, "style": ["config/styles/bubble.json5:55:29: expected a value, found 'x'"]}
/// ```
enum WorkAtHand {
    /// - Parameter pages: the folder that they are sent from; nil where they are of this program.
    static func response(pages: WebFolder?, in folder: DataFolder) -> Response {
        let faults: [String]
        do throws(StorageError) { faults = try StyleFaults.read(in: folder) } catch { faults = ["\(error)"] }
        var json = JSONWriter()
        json.object { members in
            members.key("files")
            members.object { files in
                for (file, milliseconds) in pages?.times() ?? [] {
                    files.key(file)
                    files.integer(Int(milliseconds))
                }
            }
            members.key("style")
            members.array { for sentence in faults { $0.string(sentence) } }
        }
        var response = Response(200, "application/json", json.bytes)
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
