import JSON

extension FloodReport {
    package var json: String {
        var json = JSONWriter()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONWriter) {
        json.object {
            $0.key("clean")
            $0.bool(isClean)
            $0.key("run")
            $0.string(plan.run)
            $0.key("seed")
            $0.integer(plan.seed)
            $0.key("conversations")
            $0.integer(plan.conversations)
            $0.key("arrivals")
            $0.string(plan.shape.rawValue)
            $0.key("rate")
            $0.decimal(stretch.rate, places: 1)
            $0.key("seconds")
            $0.decimal(seconds, places: 3)
            $0.key("settlingSeconds")
            $0.decimal(settlingTime, places: 3)
            $0.key("acceptedRate")
            $0.decimal(acceptedRate, places: 1)
            $0.key("readyRate")
            $0.decimal(readyRate, places: 1)
            $0.key("latencies")
            $0.object { latencies in
                for (name, histogram) in self.latencies {
                    latencies.key(name)
                    histogram.write(to: &latencies)
                }
            }
            for (name, histogram) in [
                ("readyOfFirst20s", measures.readyFirst), ("readyOfLast60s", measures.readyLast),
            ] {
                $0.key(name)
                histogram.write(to: &$0)
            }
            $0.key("readByProbe")
            $0.integer(measures.readByProbe)
            $0.key("repeatedRequests")
            $0.integer(measures.repeatedRequests)
            $0.key("unsent")
            $0.integer(measures.unsent)
            $0.key("busy")
            $0.integer(measures.totals.busy)
            $0.key("pages")
            $0.object {
                $0.key("read")
                $0.integer(measures.totals.pages)
                $0.key("refused")
                $0.integer(measures.refusedPages)
                $0.key("lost")
                $0.integer(measures.lostPages)
            }
            $0.key("answers")
            counts.write(to: &$0)
            $0.key("ledger")
            verdict.write(to: &$0)
            if let stored {
                $0.key("stored")
                stored.write(to: &$0)
            }
            $0.key("files")
            $0.object {
                $0.key("read")
                $0.bool(files.reason == nil)
                guard let reason = files.reason else { return }
                $0.key("reason")
                $0.string(reason)
            }
            $0.key("processes")
            $0.array {
                for share in processes { share.write(to: &$0, microseconds: microseconds(share)) }
            }
            $0.key("stages")
            $0.array { for process in times.processes { process.write(to: &$0) } }
            $0.key("timeline")
            $0.array { for second in measures.seconds { second.write(to: &$0) } }
        }
    }
}

extension Histogram {
    /// Writes times in milliseconds.
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("count")
            $0.integer(count)
            for percent in FloodReport.percentiles {
                $0.key(percent == 100 ? "max" : "p" + "\(percent)".replacing(".0", with: ""))
                $0.decimal(Double(percentile(percent)) / 1e6, places: 3)
            }
        }
    }
}

extension Ledger.Counts {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            for (name, count) in named {
                $0.key(name)
                $0.integer(count)
            }
        }
    }

    package var named: [(name: String, count: Int)] {
        [
            ("accepted", accepted), ("duplicate", duplicate), ("superseded", superseded), ("invalid", invalid),
            ("busy", busy), ("unanswered", unanswered),
        ]
    }
}

extension Audit.Verdict {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("conversations")
            $0.integer(conversations)
            $0.key("rows")
            $0.integer(rows)
            $0.key("faults")
            $0.object {
                for fault in Audit.Fault.allCases {
                    guard let count = faults[fault] else { continue }
                    $0.key(fault.rawValue)
                    $0.integer(count)
                }
            }
            $0.key("examples")
            $0.array { for example in examples { $0.string(example) } }
        }
    }
}

extension FloodReport.ProcessShare {
    fileprivate func write(to json: inout JSONWriter, microseconds: Double) {
        json.object {
            $0.key("role")
            $0.string(process.role)
            $0.key("pid")
            $0.integer(process.id)
            $0.key("processors")
            $0.decimal(processors, places: 3)
            $0.key("microsecondsPerEvent")
            $0.decimal(microseconds, places: 2)
            $0.key("memory")
            $0.integer(memory)
        }
    }
}

extension ServiceTimes.Process {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("process")
            $0.string(name)
            $0.key("events")
            $0.integer(events)
            $0.key("microseconds")
            $0.object {
                for stage in stages {
                    $0.key(stage.name)
                    $0.integer(stage.microseconds)
                }
            }
        }
    }
}

extension Measures.Second {
    fileprivate func write(to json: inout JSONWriter) {
        let counts = [
            ("second", number), ("sent", sent), ("accepted", accepted), ("busy", busy), ("ready", ready),
            ("pages", pages),
        ]
        let times = [
            ("ready50", ready50), ("ready99", ready99), ("ack99", acknowledged99), ("fetch99", fetched99),
        ]
        json.object {
            for (name, count) in counts {
                $0.key(name)
                $0.integer(count)
            }
            for (name, time) in times {
                $0.key(name)
                $0.decimal(Double(time) / 1e6, places: 3)
            }
        }
    }
}
