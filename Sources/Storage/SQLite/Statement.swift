import CSQLite

/// A prepared statement: run as often as needed, with values for its question marks.
@safe struct Statement: ~Copyable {
    enum Value {
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    /// The row at hand, good until the next one.
    @safe struct Row {
        fileprivate let raw: OpaquePointer

        func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(raw, column) }

        func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }

        func blob(_ column: Int32) -> [UInt8] {
            guard let start = unsafe sqlite3_column_blob(raw, column) else { return [] }
            return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
        }

        /// Lends the bytes where they are.
        func withBlob<Result>(_ column: Int32, _ body: (borrowing Span<UInt8>) -> Result) -> Result {
            let start = unsafe sqlite3_column_blob(raw, column)?.assumingMemoryBound(to: UInt8.self)
            let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(raw, column))
            return unsafe body(UnsafeBufferPointer(start: start, count: count).span)
        }
    }

    private let raw: OpaquePointer
    private let path: String

    init(_ raw: OpaquePointer, path: String) {
        unsafe self.raw = unsafe raw
        self.path = path
    }

    deinit { unsafe sqlite3_finalize(raw) }

    /// Runs to the end, handing over each row.
    func run(_ values: Value..., each: (Row) throws(StorageError) -> Void = { _ in }) throws(StorageError) {
        defer { unsafe sqlite3_reset(raw) }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while true {
            switch unsafe sqlite3_step(raw) {
            case SQLITE_ROW: try each(unsafe Row(raw: raw))
            case SQLITE_DONE: return
            case let status: throw failure(status)
            }
        }
    }

    /// Runs to the end with what was bound, and hands over the first row, if there is one.
    @discardableResult
    func first<Result>(_ body: (Row) throws(StorageError) -> Result) throws(StorageError) -> Result? {
        defer { unsafe sqlite3_reset(raw) }
        switch unsafe sqlite3_step(raw) {
        case SQLITE_ROW: return try body(unsafe Row(raw: raw))
        case SQLITE_DONE: return nil
        case let status: throw failure(status)
        }
    }

    /// Runs to the end with what was bound, handing over each row until it is told to stop.
    func each(_ body: (Row) throws(StorageError) -> Bool) throws(StorageError) {
        defer { unsafe sqlite3_reset(raw) }
        while true {
            switch unsafe sqlite3_step(raw) {
            case SQLITE_ROW: guard try body(unsafe Row(raw: raw)) else { return }
            case SQLITE_DONE: return
            case let status: throw failure(status)
            }
        }
    }

    /// The next row of what was bound; nil behind the last. It goes on until it is reset.
    func next() throws(StorageError) -> Row? {
        switch unsafe sqlite3_step(raw) {
        case SQLITE_ROW: return unsafe Row(raw: raw)
        case SQLITE_DONE: return nil
        case let status: throw failure(status)
        }
    }

    func reset() { unsafe sqlite3_reset(raw) }

    /// Runs to the end with what was bound.
    func run() throws(StorageError) {
        defer { unsafe sqlite3_reset(raw) }
        let status = unsafe sqlite3_step(raw)
        guard status == SQLITE_DONE || status == SQLITE_ROW else { throw failure(status) }
    }

    /// Values are copied, and stay bound until others are.
    func bind(_ number: Int64, at index: Int32) {
        let status = unsafe sqlite3_bind_int64(raw, index, number)
        precondition(status == SQLITE_OK)
    }

    func bind(_ bytes: [UInt8], at index: Int32) {
        let status = unsafe forme_sqlite_bind_blob(raw, index, bytes, Int32(bytes.count))
        precondition(status == SQLITE_OK)
    }

    func bind(_ bytes: ArraySlice<UInt8>, at index: Int32) {
        let status = unsafe bytes.withUnsafeBytes {
            unsafe forme_sqlite_bind_blob(raw, index, $0.baseAddress, Int32($0.count))
        }
        precondition(status == SQLITE_OK)
    }

    func bindNothing(at index: Int32) {
        let status = unsafe sqlite3_bind_null(raw, index)
        precondition(status == SQLITE_OK)
    }

    /// Binds a text as a blob, as names are compared by their bytes.
    func bind(utf8 text: String, at index: Int32) {
        let status = unsafe forme_sqlite_bind_blob(raw, index, text, Int32(text.utf8.count))
        precondition(status == SQLITE_OK)
    }

    private func bind(_ value: Value, at index: Int32) throws(StorageError) {
        let status =
            switch value {
            case .integer(let number): unsafe sqlite3_bind_int64(raw, index, number)
            case .text(let text): unsafe forme_sqlite_bind_text(raw, index, text, Int32(text.utf8.count))
            case .blob(let bytes): unsafe forme_sqlite_bind_blob(raw, index, bytes, Int32(bytes.count))
            }
        guard status == SQLITE_OK else { throw failure(status) }
    }

    private func failure(_ status: Int32) -> StorageError {
        unsafe .sqlite(path, status, sqlite3_db_handle(raw))
    }
}
