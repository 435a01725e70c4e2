import JSON
import Names
import Wire

/// An answer of the coordinator to an operator, as JSON.
package enum OperatorAnswer: Equatable, Sendable {
    case status(PoolStatus)
    case health(PoolHealth)
    case top(PoolTop)
    case cluster(ClusterStanding)
    /// The messages that were given up, and those of them that are just tried again.
    case shelf([ShelvedJob], triedAgain: Set<ShelfPlace> = [])
    /// The order is done, to so many things where that says something.
    case done(count: Int?)
    case error(String)

    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { members in
            switch self {
            case .status(let status):
                members.key("status")
                members.object { status.writeMembers(to: &$0) }
            case .health(let health):
                members.key("health")
                members.object { health.writeMembers(to: &$0) }
            case .top(let top):
                members.key("top")
                members.object { top.writeMembers(to: &$0) }
            case .cluster(let standing):
                members.key("cluster")
                members.object { standing.writeMembers(to: &$0) }
            case .shelf(let jobs, let triedAgain):
                members.key("shelf")
                members.array { for job in jobs { job.write(to: &$0, isTriedAgain: triedAgain.contains(job.place)) } }
            case .done(let count):
                members.key("done")
                members.bool(true)
                if let count {
                    members.key("count")
                    members.integer(count)
                }
            case .error(let sentence):
                members.key("error")
                members.string(sentence)
            }
        }
        return json.bytes
    }
}

extension ShelvedJob {
    fileprivate func write(to json: inout JSONWriter, isTriedAgain: Bool) {
        json.object {
            $0.key("place")
            $0.string(place.text)
            $0.key("conversation")
            $0.string(key.conversation.text)
            $0.key("message")
            $0.string(key.message.text)
            $0.key("reason")
            $0.string(reason.text)
            $0.key("tried_again")
            $0.bool(isTriedAgain)
        }
    }
}

extension PoolStatus {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("verdict")
        json.string(verdict)
        json.key("troubles")
        json.array { for trouble in troubles { $0.string(trouble) } }
        json.key("served_workers")
        json.integer(servedWorkers)
        json.key("workers")
        json.array { for worker in workers { worker.write(to: &$0) } }
        json.key("turned_away")
        json.array { for worker in turnedAway { worker.write(to: &$0) } }
        json.key("lanes")
        json.array { for lane in lanes { lane.write(to: &$0) } }
        json.key("editions")
        json.array { for edition in editions { edition.write(figures.work.share(of: edition.id.text), to: &$0) } }
        json.key("content")
        json.object { content.writeMembers(to: &$0) }
        json.key("targets")
        json.object { members in
            members.key("prepared")
            members.array { for target in prepared { $0.string(target.text) } }
            members.key("added")
            members.array { for one in added { one.write(to: &$0) } }
            members.key("extension")
            if let share = figures.work.screens {
                members.object { share.writeMembers(to: &$0) }
            } else {
                members.null()
            }
            members.key("asked_for")
            members.array { for one in candidates { one.write(to: &$0) } }
        }
        json.key("speed")
        if let speed { json.integer(speed) } else { json.null() }
        json.key("draining")
        json.bool(isDraining)
        json.key("coordinator")
        json.object { times.writeMembers(to: &$0) }
        json.key("since_start")
        json.object {
            for (name, count) in counters.named {
                $0.key(name)
                $0.integer(count)
            }
        }
        json.key("figures")
        json.object { figures.writeMembers(to: &$0) }
        if let cluster {
            json.key("cluster")
            json.object { cluster.writeMembers(to: &$0) }
        }
    }
}

extension PoolStatus.WorkerLine {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("process")
            $0.integer(hello.process)
            $0.key("machine")
            $0.string(hello.machine)
            $0.key("edition")
            $0.string(hello.edition.text)
            $0.key("shards")
            $0.integer(shards)
            $0.key("lent_jobs")
            $0.integer(lentJobs)
            $0.key("credits")
            $0.integer(credits)
            $0.key("silent_ms")
            $0.integer(silence.milliseconds)
            $0.key("leaving")
            $0.bool(isLeaving)
            if let engine = hello.engine {
                $0.key("engine")
                $0.string(engine.digest)
                $0.key("engine_facts")
                $0.object { facts in
                    for fact in engine.facts {
                        facts.key(fact.name)
                        facts.string(fact.value)
                    }
                }
            }
            if let elsewhere {
                $0.key("elsewhere")
                $0.object {
                    $0.key("rows_asked")
                    $0.integer(elsewhere.asked)
                    $0.key("rows_checked")
                    $0.integer(elsewhere.checked)
                }
            }
            times.writeMembers(to: &$0)
        }
    }
}

extension PoolStatus.TurnedAway {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("process")
            $0.integer(process)
            $0.key("machine")
            $0.string(machine)
            $0.key("reason")
            $0.string(reason.text)
        }
    }
}

extension AddedTarget {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("target")
            $0.string(target.text)
            $0.key("asked")
            $0.integer(demand)
            $0.key("by_hand")
            $0.bool(isByHand)
        }
    }
}

extension WantedTarget {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("target")
            $0.string(target.text)
            $0.key("asked")
            $0.integer(times)
        }
    }
}

extension StageTimes {
    /// Writes the stages, without those in which nothing was done: these are of other processes.
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("events")
        json.integer(count)
        json.key("microseconds")
        json.object {
            for stage in Stage.allCases where self[stage] > 0 {
                $0.key(stage.word)
                $0.integer(self[stage] / 1000)
            }
        }
    }
}

extension PoolStatus.LaneLine {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.key("lane")
            $0.string(lane.word)
            $0.key("open")
            $0.integer(open)
            $0.key("waiting")
            $0.integer(waiting)
            $0.key("oldest_ms")
            if let oldest { $0.integer(oldest.milliseconds) } else { $0.null() }
            $0.key("paused")
            $0.bool(isPaused)
        }
    }
}

extension PoolStatus.EditionLine {
    fileprivate func write(_ share: WorkShare?, to json: inout JSONWriter) {
        json.object {
            $0.key("edition")
            $0.string(id.text)
            $0.key("name")
            $0.string(name)
            $0.key("state")
            $0.string(isCurrent ? "served" : isNext ? "next" : "old")
            $0.key("workers")
            $0.integer(workers)
            share?.writeMembers(to: &$0)
            $0.key("undone")
            $0.integer(undone)
            $0.key("shards_to_walk")
            $0.integer(shardsWalking)
            $0.key("shards")
            $0.array { for (number, shard) in shards.enumerated() { shard.write(number, to: &$0) } }
        }
    }
}

extension PoolStatus.ShardLine {
    fileprivate func write(_ number: Int, to json: inout JSONWriter) {
        json.object {
            $0.key("shard")
            $0.integer(number)
            $0.key("waiting")
            $0.integer(waiting)
            $0.key("holder")
            if let holder { $0.integer(holder) } else { $0.null() }
            $0.key("epoch")
            if let epoch { $0.integer(epoch.number) } else { $0.null() }
            $0.key("through")
            $0.integer(through.number)
            $0.key("blocked")
            $0.bool(isBlocked)
            $0.key("unavailable")
            $0.integer(unavailable)
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
