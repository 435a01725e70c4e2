/// The findings of one benchmark, for people and for programs.
protocol BenchReport {
    var table: String { get }
    /// The findings as one object.
    var json: String { get }
}

extension TextReport: BenchReport {}
extension LayoutReport: BenchReport {}
extension RecordReport: BenchReport {}
extension ClientReport: BenchReport {}
extension StorageReport: BenchReport {}
extension ConversationReport: BenchReport {}
extension PagesReport: BenchReport {}
extension ColdPagesReport: BenchReport {}
extension WidthsReport: BenchReport {}
extension PreviewsReport: BenchReport {}
extension StreamsReport: BenchReport {}
extension FairnessReport: BenchReport {}
extension ListsReport: BenchReport {}
