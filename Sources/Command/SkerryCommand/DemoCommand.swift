package import ArgumentParser

/// `skerry demo`: simulated devices, a real broker, the bridge, a live table.
package struct DemoCommand: ProgramCommand {
    package static let program = "skerry-demo"

    package static let configuration = CommandConfiguration(
        commandName: "demo",
        _superCommandName: "skerry",
        abstract: "Watch simulated devices, a broker and the bridge at work.",
        discussion: """
            Starts a mosquitto of its own on a free loopback port, plays a washer, a printer and an irrigation valve \
            through it, with dropped fields, jitter, repeated values and a pause, and runs the bridge on them. Time \
            passes 60 times faster than in reality. Ctrl-C ends it.

            The first line ends with the address of the page, which shows the devices in a browser.

            With --phones it also shows the Lock Screens of two simulated iPhones. The bridge makes real, signed \
            pushes, which a simulated push service in the same process checks as Apple does; the table tells what each \
            is for and what it costs.

            Exit status: 0 after Ctrl-C, 1 when the definitions can't be read, 69 when there is no mosquitto.
            """
    )

    @Flag(help: "End when each device has finished a run, and print the totals.")
    package var once = false

    @Flag(help: "Show the Lock Screens of simulated phones, and the pushes that they get.")
    package var phones = false

    @Option(name: [.short, .long], help: "A file or folder of definitions; may be given several times.")
    package var definitions: [String] = ["devices"]

    @Option(help: "How many times faster than in reality the time passes, 1 to 1000.")
    package var speed: Int64 = 60

    @Option(help: "The seed of everything that the devices do.")
    package var seed: UInt64 = 1

    package init() {}

    package func validate() throws {
        guard (1...1000).contains(speed) else { throw ValidationError("--speed is 1 to 1000") }
    }
}
