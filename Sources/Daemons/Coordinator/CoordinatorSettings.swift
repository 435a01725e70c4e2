package import Pool
package import Storage

/// Choices of an operator that a coordinator is started with.
package struct CoordinatorSettings: Sendable {
    package var journal: JournalSettings
    package var ingest: IngestLimits
    package var dispatch: DispatchLimits
    /// Which edition is to be served, and which start of the service says so; nil where the folder says it.
    package var wanted: WantedEdition?
    /// Files that an edition has at most, if it is made from now on.
    package var files: Int
    /// Of this process, in bytes.
    package var memoryCeiling: Int
    /// Where this host is one of several.
    package var cluster: ClusterPlace?

    package init(
        journal: JournalSettings, ingest: IngestLimits = IngestLimits(),
        dispatch: DispatchLimits = DispatchLimits(), wanted: WantedEdition? = nil, files: Int = .max,
        memoryCeiling: Int = 1 << 30
    ) {
        (self.journal, self.ingest, self.dispatch, self.wanted) = (journal, ingest, dispatch, wanted)
        (self.files, self.memoryCeiling) = (files, memoryCeiling)
    }
}
