package import Bytes

extension WorkerWord: FramedWord {
    package static let family: UInt8 = 2

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .hello(let hello) where hello.isRemote:
            writer.integer(8 as UInt8)
            writer.value(hello)
            writer.value(hello.engine ?? EngineFacts([]))
        case .hello(let hello):
            // The shorter forms are those of earlier versions. A worker with the shortest is turned away, with the
            // reason.
            writer.integer((hello.folder == nil ? 1 : hello.engine == nil ? 6 : 7) as UInt8)
            writer.value(hello)
            if let folder = hello.folder {
                writer.flag(hello.isCaretaker)
                writer.integer(folder.number)
                if let engine = hello.engine { writer.value(engine) }
            }
        case .beat(let beat):
            writer.integer(2 as UInt8)
            writer.value(beat)
        case .finished(let report):
            writer.integer(3 as UInt8)
            writer.value(report)
        case .synced(let shard, let point):
            writer.integer(4 as UInt8)
            writer.value(shard)
            writer.value(point)
        case .bye: writer.integer(5 as UInt8)
        case .seek(let seek):
            writer.integer(9 as UInt8)
            writer.integer(seek.process)
            writer.text(seek.machine)
            writer.value(seek.engine)
        case .fetch(let part):
            writer.integer(10 as UInt8)
            writer.value(part)
        case .made(let batch, let rows):
            writer.integer(11 as UInt8)
            writer.value(batch)
            writer.block(rows)
        case .figures(let figures):
            writer.integer(12 as UInt8)
            writer.value(figures)
        }
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .hello(try reader.value())
        case 2: self = .beat(try reader.value())
        case 3: self = .finished(try reader.value())
        case 4: self = .synced(try reader.value(), try reader.value())
        case 5: self = .bye
        case let code where code == 6 || code == 7:
            var hello = try reader.value(WorkerHello.self)
            hello.isCaretaker = try reader.flag(of: "caretaker")
            hello.folder = FolderProof(try reader.integer())
            if code == 7 { hello.engine = try reader.value() }
            self = .hello(hello)
        case 8:
            var hello = try reader.value(WorkerHello.self)
            hello.engine = try reader.value()
            hello.isRemote = true
            self = .hello(hello)
        case 9:
            let process = try reader.integer(Int32.self)
            let machine = try reader.text(atMost: Limits.name, of: "machine")
            self = .seek(WorkerSeek(process: process, machine: machine, engine: try reader.value()))
        case 10: self = .fetch(try reader.value())
        case 11:
            let batch = try reader.value(BatchID.self)
            self = .made(batch, Array(try reader.block(atMost: Limits.madeRows, of: "rows")))
        case 12: self = .figures(try reader.value())
        case let code: throw .unknownKind(code)
        }
    }
}

extension CoordinatorWord: FramedWord {
    package static let family: UInt8 = 3

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .pulse(let targets):
            writer.integer(1 as UInt8)
            writer.list(targets)
        case .introduceYourself: writer.integer(2 as UInt8)
        case .assign(let batch):
            writer.integer(3 as UInt8)
            writer.value(batch)
        case .leave: writer.integer(4 as UInt8)
        case .turnedAway(let objection):
            writer.integer(5 as UInt8)
            writer.text(objection.text)
        case .offer(let offer):
            writer.integer(6 as UInt8)
            writer.value(offer)
        case .piece(let part, let bytes):
            writer.integer(7 as UInt8)
            writer.value(part)
            writer.block(bytes)
        }
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .pulse(try reader.list(atMost: Limits.addedTargets))
        case 2: self = .introduceYourself
        case 3: self = .assign(try reader.value())
        case 4: self = .leave
        case 5: self = .turnedAway(Objection(try reader.text(atMost: Limits.objection, of: "objection")))
        case 6: self = .offer(try reader.value())
        case 7:
            let part = try reader.value(EditionPart.self)
            self = .piece(part, Array(try reader.block(atMost: Limits.piece, of: "piece")))
        case let code: throw .unknownKind(code)
        }
    }
}

extension WorkerHello: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(edition)
        writer.text(editionName)
        writer.integer(process)
        writer.text(machine)
        writer.list(targets)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        edition = try reader.value()
        editionName = try reader.text(atMost: Limits.name, of: "edition's name")
        process = try reader.integer()
        machine = try reader.text(atMost: Limits.name, of: "machine")
        targets = try reader.list(atMost: Limits.targets)
        isCaretaker = false
    }
}

extension WorkerBeat: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(credits)
        writer.integer((hasStarted ? 1 : 0) as UInt8)
        writer.list(held)
        writer.value(times)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        credits = try reader.integer()
        hasStarted = try reader.flag()
        held = try reader.list(atMost: Limits.batchesPerWorker)
        times = try reader.value()
    }
}
