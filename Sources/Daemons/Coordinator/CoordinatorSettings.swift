package import Pool
package import Storage

/// The choices of an operator that a coordinator is started with.
package struct CoordinatorSettings: Sendable {
    package var journal: JournalSettings
    package var ingest: IngestLimits
    package var dispatch: DispatchLimits
    /// The edition that is to be served, and the start of the service that names it; nil where the folder names it.
    package var wanted: WantedEdition?
    /// The most files of an edition that is made from now on.
    package var files: Int
    /// The limit of this process's memory, in bytes.
    package var memoryCeiling: Int
    /// The place among other hosts; nil where this one is alone.
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
