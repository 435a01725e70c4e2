package import Pool
package import Storage

/// Choices of an operator that a coordinator is started with.
package struct CoordinatorSettings: Sendable {
    package var journal: JournalSettings
    package var ingest: IngestLimits
    package var dispatch: DispatchLimits
    /// Edition that is to be served, and the start of the service that says so; nil where the folder says it.
    package var wanted: WantedEdition?
    /// Files that an edition has at most, if it is made from now on.
    package var files: Int
    /// Bytes of memory of this process.
    package var memoryCeiling: Int
    /// Place among other hosts; nil where this one is alone.
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
