import JSON

/// The version of each format that is written into a folder: `formats.json`, written whole and renamed into place.
///
/// ```json
/// {"format": 1, "written": {"journal": 4, "segments": 1, …}}
/// ```
///
/// A coordinator writes it when it first has the folder: the newest versions into a new folder, and
/// into any other those that the previous release reads. `forme upgrade --commit` raises all of them to
/// the newest. A release that does not know one of them refuses the folder before it changes a byte.
package struct FolderFormats: Equatable, Sendable {
    /// The version of each format, by name.
    private var written: [String: Int64]
    private let known: [StoredFormat]

    package static let name = "formats.json"
    private static let format = 1

    /// Nil where no release that knows this file has had the folder.
    package static func read(
        in folder: DataFolder, known: [StoredFormat] = StoredFormat.all
    ) throws(StorageError) -> FolderFormats? {
        let path = folder.file(name)
        guard let bytes = try FileFacts.contents(of: path) else { return nil }
        let format: Int
        var written: [String: Int64] = [:]
        do throws(JSONError) {
            // Another version may say more.
            let fields = try JSONReader(JSONValue.parse(bytes)).object()
            format = try fields.required("format").integer(in: 1 ... .max)
            for (name, reader) in try fields.optional("written")?.object().all ?? [] {
                written[name] = Int64(try reader.integer(in: 1 ... .max))
            }
        } catch {
            throw .unreadable(path: path, "\(error)")
        }
        guard format == Self.format else {
            throw .newerFormat(path: path, format: Self.name, found: Int64(format), newest: Int64(Self.format))
        }
        for (name, version) in written.sorted(by: { $0.key < $1.key }) {
            let newest = known.first { $0.name == name }?.newest ?? 0
            guard version <= newest else {
                throw .newerFormat(path: path, format: name, found: version, newest: newest)
            }
        }
        // A format that was not there when the folder was last committed is written as the previous release has it.
        for format in known where format.isKept && written[format.name] == nil {
            written[format.name] = format.previous
        }
        return FolderFormats(written: written, known: known)
    }

    /// Throws where a newer release was committed to the folder. Nothing is written.
    package static func refuseNewer(in folder: DataFolder) throws(StorageError) { _ = try read(in: folder) }

    private init(written: [String: Int64], known: [StoredFormat]) { (self.written, self.known) = (written, known) }

    /// Formats of a new folder.
    package static func newest(known: [StoredFormat] = StoredFormat.all) -> FolderFormats {
        FolderFormats(written: [:], known: known).committed
    }

    /// Formats of a folder that an earlier release had before.
    package static func previous(known: [StoredFormat] = StoredFormat.all) -> FolderFormats {
        let kept = known.filter(\.isKept).map { ($0.name, $0.previous) }
        return FolderFormats(written: Dictionary(uniqueKeysWithValues: kept), known: known)
    }

    /// The same formats, all raised to the newest versions that this release knows.
    package var committed: FolderFormats {
        let kept = known.filter(\.isKept).map { ($0.name, $0.newest) }
        return FolderFormats(written: Dictionary(uniqueKeysWithValues: kept), known: known)
    }

    /// The version in which a format is to be written.
    package func version(of format: StoredFormat) -> Int64 { written[format.name] ?? format.previous }

    /// The version in which files of rows are written into a folder.
    package static func shards(in folder: DataFolder) throws(StorageError) -> Int64 {
        (try read(in: folder) ?? .previous()).version(of: .shards)
    }

    /// True where the folder has a format in a version that the previous release does not read.
    package static func isBeyondPrevious(in folder: DataFolder) throws(StorageError) -> Bool {
        guard let formats = try read(in: folder) else { return false }
        return formats.known.contains { $0.isKept && formats.version(of: $0) > $0.previous }
    }

    package var isCommitted: Bool { self == committed }

    /// Notes that a folder has the records of several logs of a cluster, committed or not: a release that knows a
    /// single log would take the journal for that of one. The first release looks into the manifest alone.
    package static func noteSeveralLogs(in folder: DataFolder) throws(StorageError) {
        var formats = try read(in: folder) ?? .previous()
        let raised = [StoredFormat.manifest, StoredFormat.replica]
        guard raised.contains(where: { formats.version(of: $0) < $0.newest }) else { return }
        for format in raised { formats.written[format.name] = format.newest }
        // First the manifest: where this ends in between, the next start writes it as it was, and comes here again.
        if var manifest = try FolderManifest.read(in: folder) {
            manifest.format = formats.version(of: .manifest)
            try manifest.write(in: folder)
        }
        try formats.write(in: folder)
    }

    package func write(in folder: DataFolder) throws(StorageError) {
        var json = JSONWriter()
        json.object { json in
            json.key("format")
            json.integer(Self.format)
            json.key("written")
            json.object { json in
                for format in known where format.isKept {
                    json.key(format.name)
                    json.integer(Int(version(of: format)))
                }
            }
        }
        try FileFacts.replace(folder.file(Self.name), with: json.bytes + [0x0A])
        try FileFacts.sync(folder.path)
    }
}

/// Steps by which a folder is committed to this release: `forme upgrade`.
package enum FolderUpgrade {
    /// The version of each format of a folder.
    package static func look(at folder: DataFolder) throws(StorageError) -> FolderFormats {
        guard try FolderManifest.read(in: folder) != nil else { throw .absent(path: folder.file(FolderManifest.name)) }
        return try FolderFormats.read(in: folder) ?? .previous()
    }

    /// Commits a folder to the newest versions, which are written from the next start on; earlier
    /// releases refuse a folder that is committed. Nil where this release has not yet had the
    /// folder: nobody knows then whether it works with it.
    package static func commit(_ folder: DataFolder) throws(StorageError) -> FolderFormats? {
        _ = try look(at: folder)
        guard let formats = try FolderFormats.read(in: folder) else { return nil }
        let committed = formats.committed
        guard committed != formats else { return committed }
        // First the manifest: where this ends in between, the next coordinator writes it as it was.
        if var manifest = try FolderManifest.read(in: folder) {
            manifest.format = committed.version(of: .manifest)
            try manifest.write(in: folder)
        }
        try committed.write(in: folder)
        return committed
    }
}
