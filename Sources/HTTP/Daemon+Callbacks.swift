import CMicroHTTPD

/// The callbacks of libmicrohttpd: each finds its object, and hands the call on to it.
@unsafe func callbacks(of daemon: Daemon) -> forme_http_options {
    var given = unsafe forme_http_options()
    unsafe given.owner = Unmanaged.passUnretained(daemon).toOpaque()
    // The request line is there. The pointer returned here comes back with every call about the same request.
    unsafe given.target = { owner, target, connection in
        guard let owner = unsafe owner, let target = unsafe target, let connection = unsafe connection else {
            return nil
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: target, count: strlen(target))
        let exchange = unsafe object(owner, Daemon.self).open(connection, target: Array(bytes))
        return unsafe Unmanaged.passRetained(exchange).toOpaque()
    }
    // Called when the head is there, then for each part of the body, and then when all of it is there and an answer
    // is wanted.
    unsafe given.request = { owner, connection, _, method, version, data, size, context in
        guard let owner = unsafe owner, let connection = unsafe connection, let method = unsafe method,
            let version = unsafe version, let size = unsafe size, let context = unsafe context?.pointee
        else { return .NO }
        let daemon = unsafe object(owner, Daemon.self)
        let exchange = unsafe object(context, Exchange.self)
        if case .opening = exchange.state {
            let block = unsafe HeaderBlock(connection, method: method, target: exchange.target, version: version)
            return daemon.admit(exchange, Method(unsafe String(cString: method)), block) ? .YES : .NO
        }
        let part = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
        unsafe size.pointee = 0
        if unsafe part.isEmpty { return daemon.proceed(exchange) ? .YES : .NO }
        unsafe exchange.body.append(contentsOf: part)
        return .YES
    }
    unsafe given.accept = { owner, address, _ in
        guard let owner = unsafe owner else { return .NO }
        return unsafe object(owner, Daemon.self).mayCome(unsafe PeerAddress(address)) ? .YES : .NO
    }
    unsafe given.completed = { owner, connection, context, _ in
        guard let owner = unsafe owner, let connection = unsafe connection, let context = unsafe context,
            let pointer = unsafe context.pointee
        else { return }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        unsafe context.pointee = nil
        let visit = unsafe forme_http_context(connection).map { unsafe object($0, Visit.self) }
        unsafe object(owner, Daemon.self).close(exchange, visit)
    }
    unsafe given.connection = { owner, connection, context, event in
        guard let owner = unsafe owner, let connection = unsafe connection, let context = unsafe context else { return }
        let daemon = unsafe object(owner, Daemon.self)
        if event == .CONNECTION_NOTIFY_STARTED {
            let visit = daemon.welcome(
                socket: unsafe forme_http_socket(connection), from: unsafe PeerAddress(forme_http_address(connection)))
            unsafe visit.credentials?.show(to: connection)
            unsafe context.pointee = Unmanaged.passRetained(visit).toOpaque()
        } else if let pointer = unsafe context.pointee {
            daemon.dismiss(unsafe Unmanaged<Visit>.fromOpaque(pointer).takeRetainedValue())
        }
    }
    unsafe given.unreadable = { owner in
        if let owner = unsafe owner { unsafe object(owner, Daemon.self).refuseUnreadableLengths() }
    }
    // Paths and queries are decoded by `RequestTarget`.
    unsafe given.unescape = { _, _, text in unsafe text.map { unsafe strlen($0) } ?? 0 }
    return unsafe given
}

@unsafe private func object<Object: AnyObject>(_ pointer: UnsafeMutableRawPointer, _: Object.Type) -> Object {
    unsafe Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
}
