import Pool

func peer(_ number: UInt8) -> Peer { Peer(route: [number]) }

func moment(_ seconds: Double) -> Moment { Moment(sinceStart: .seconds(seconds)) }
