/// The time that a test waits for an event. Where much else runs, a second of work takes a minute.
package let patience: Duration = .seconds(120)
