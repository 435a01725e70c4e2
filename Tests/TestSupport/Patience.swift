/// How long a test waits for what is to happen. Where much else runs, what takes a second alone takes a minute.
package let patience: Duration = .seconds(120)
