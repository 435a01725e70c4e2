import JSON
import Shaping
import Typography

extension TextReport {
    /// The report as one object; figures that could not be measured are null.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.member("latin", latin)
            json.member("mixed", mixed)
            json.figure("relayout_ns_per_message", latin.relayout.nanosecondsPerMessage)
            json.figure("relayout_ms_per_10000_messages", latin.relayout.nanosecondsPerMessage / 100, places: 4)
            json.figure("cold_start_ms", start.cold)
            json.figure("cold_start_processor_ms", start.processor)
            json.figure("first_start_ms", start.first)
            json.key("growth")
            json.array { json in for step in growth { json.element(step) } }
            json.member("memory", memory)
            json.member("conditions", rounds: rounds)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    fileprivate mutating func figure(_ name: String, _ value: Double?, places: Int = 1) {
        key(name)
        decimal(value ?? .nan, places: places)
    }

    fileprivate mutating func count(_ name: String, _ value: Int) {
        key(name)
        integer(value)
    }

    fileprivate mutating func member(_ name: String, _ comparison: TextReport.Comparison) {
        key(name)
        object { json in
            json.count("messages", comparison.forme.messages)
            json.figure("characters_per_message", comparison.charactersPerMessage)
            json.figure("forme_messages_per_second", comparison.forme.perSecond)
            json.figure("pango_messages_per_second", comparison.pango?.perSecond)
            json.figure("harfbuzz_messages_per_second", comparison.harfBuzz?.perSecond)
            json.figure("forme_to_pango", comparison.formeToPango, places: 2)
            json.figure("forme_to_harfbuzz", comparison.formeToHarfBuzz, places: 2)
            json.figure("relayout_ns_per_message", comparison.relayout.nanosecondsPerMessage)
            json.count("lines", comparison.forme.lines)
            json.key("checksum")
            json.string(String(comparison.forme.checksum, radix: 16))
            json.key("relayout_checksum")
            json.string(String(comparison.relayout.checksum, radix: 16))
            json.count("cache_hits", comparison.forme.hits)
            json.count("cache_misses", comparison.forme.misses)
            json.figure("cache_hit_rate", comparison.forme.hitRate, places: 4)
        }
    }

    fileprivate mutating func element(_ growth: BenchGrowth) {
        object { json in
            json.count("characters", growth.characters)
            json.figure("latin_measure_ns_per_character", growth.latin.measuring, places: 2)
            json.figure("latin_break_ns_per_character", growth.latin.breaking, places: 2)
            json.figure("mixed_measure_ns_per_character", growth.mixed.measuring, places: 2)
            json.figure("mixed_break_ns_per_character", growth.mixed.breaking, places: 2)
        }
    }

    fileprivate mutating func member(_ name: String, _ memory: BenchMemory) {
        key(name)
        object { json in
            json.count("cache_bytes", memory.shaper.cache)
            json.count("cache_limit_bytes", memory.shaper.cacheLimit)
            json.count("pair_table_bytes", memory.shaper.pairTables)
            json.count("character_table_bytes", memory.shaper.characterTables)
            json.count("resident_growth_bytes", memory.residentGrowth)
            json.key("fonts")
            json.array { json in
                for file in memory.files {
                    json.object { json in
                        json.key("path")
                        json.string(file.path)
                        json.count("mapped_bytes", file.mapped)
                        json.count("resident_bytes", file.resident)
                    }
                }
            }
        }
    }

    fileprivate mutating func member(_ name: String, rounds: Int) {
        key(name)
        object { json in
            json.count("rounds", rounds)
            json.count("size_px", Int(TextBench.size.raw / 64))
            json.key("widths_px")
            json.array { json in for width in TextBench.widths { json.integer(width) } }
            json.key("forme_scales")
            json.array { json in
                for scale in TextBench.scales { json.decimal(Double(scale.thousandths) / 1000, places: 1) }
            }
        }
    }
}
