import SkerryFiles
import SkerryTesting
import SkerryValues

/// The messages of one device of a world.
struct DeviceLife {
    struct Said {
        var at: Timestamp
        var topic: [UInt8]
        var payload: [UInt8]
        var isRetained: Bool
    }

    private enum Source {
        case traffic(RandomTraffic)
        case kettle(SimulatedRandom)
    }

    /// The name of the device.
    let name: String
    /// The next message on the bad days; nil after the last one.
    private(set) var next: Said?
    private let kind: Int
    private var source: Source

    /// The number of kinds of lives.
    static let kinds = 6

    init(seed: UInt64, number: Int, from start: Timestamp) {
        kind = number % Self.kinds
        name = "d\(number)"
        if kind == Self.kinds - 1 {
            source = .kettle(SimulatedRandom(seed: seed))
        } else {
            source = .traffic(RandomTraffic(seed: seed, name: name, kind: kind, from: start))
        }
        next = Said(at: start, topic: [], payload: [], isRetained: false)
        advance()
    }

    /// Makes the next message.
    mutating func advance() {
        switch source {
        case .traffic(var traffic):
            next = traffic.next().map {
                Said(
                    at: $0.at,
                    topic: Array($0.topic),
                    payload: Array($0.payload),
                    isRetained: $0.isRetained
                )
            }
            source = .traffic(traffic)
        case .kettle(var random):
            let message = Kettle.message(of: name, after: next?.at ?? .distantPast, using: &random)
            source = .kettle(random)
            next = next.map {
                Said(
                    at: $0.at + message.pause,
                    topic: Array(message.topic.utf8),
                    payload: Array(message.payload.utf8),
                    isRetained: message.isRetained
                )
            }
        }
    }

    /// The messages that bring the device to rest from any state: topic and payload.
    var rest: [(topic: String, payload: String)] {
        switch kind {
        case 0:
            [
                ("homeconnect/\(name)/LWT", "online"),
                (
                    "homeconnect/\(name)/state",
                    #"{"OperationState":"Ready","RemainingProgramTime":0,"ActiveProgram":"E"}"#
                ),
            ]
        case 1:
            [
                (
                    "device/\(name)/report",
                    #"{"print":{"gcode_state":"IDLE","mc_remaining_time":0,"subtask_name":"z","print_error":0}}"#
                )
            ]
        case 2: [("opensprinkler/station/\(name)", #"{"state":0,"duration":0,"flow":0.5}"#)]
        case 3:
            [
                ("plug/washingmachine/\(name)/power", "0"), ("plug/dishwasher/\(name)/power", "0"),
            ]
        case 4:
            [
                (
                    "thing/\(name)/state",
                    #"{"phase":0,"any":"calm","other":{"deep":1},"number":1,"left":0}"#
                )
            ]
        default:
            [
                ("kettle/\(name)/LWT", "online"), ("kettle/mains", "on"),
                ("kettle/\(name)/state", #"{"on":false,"length":60,"heat":20,"hold":0}"#),
            ]
        }
    }

    /// The messages of a whole run from rest: minutes after its beginning, topic, payload.
    var lastRun: [(minute: Int64, topic: String, payload: String)] {
        switch kind {
        case 0:
            [
                (
                    0, "homeconnect/\(name)/state",
                    #"{"OperationState":"Run","RemainingProgramTime":3600,"ActiveProgram":"Cotton"}"#
                ),
                (12, "homeconnect/\(name)/state", #"{"RemainingProgramTime":2000}"#),
                (20, "homeconnect/\(name)/state", #"{"OperationState":"Pause"}"#),
                (25, "homeconnect/\(name)/state", #"{"OperationState":"Run"}"#),
                (50, "homeconnect/\(name)/state", #"{"OperationState":"Finished"}"#),
            ]
        case 1:
            [
                (0, "device/\(name)/report", #"{"print":{"gcode_state":"PREPARE","subtask_name":"y"}}"#),
                (3, "device/\(name)/report", #"{"print":{"gcode_state":"RUNNING","mc_remaining_time":40}}"#),
                (20, "device/\(name)/report", #"{"print":{"gcode_state":"PAUSE"}}"#),
                (24, "device/\(name)/report", #"{"print":{"gcode_state":"RUNNING"}}"#),
                (47, "device/\(name)/report", #"{"print":{"gcode_state":"FINISH","mc_remaining_time":0}}"#),
            ]
        case 2:
            [
                (0, "opensprinkler/station/\(name)", #"{"state":1,"duration":600}"#),
                (11, "opensprinkler/station/\(name)", #"{"state":0,"duration":600,"flow":1.5}"#),
            ]
        case 3:
            [
                (0, "plug/washingmachine/\(name)/power", "80"), (0, "plug/dishwasher/\(name)/power", "80"),
                (10, "plug/washingmachine/\(name)/power", "300"),
                (10, "plug/dishwasher/\(name)/power", "2100"),
                (20, "plug/washingmachine/\(name)/power", "0"), (20, "plug/dishwasher/\(name)/power", "0"),
            ]
        case 4:
            [
                (0, "thing/\(name)/state", #"{"phase":1,"left":600,"any":{"a":[1]}}"#),
                (5, "thing/\(name)/state", #"{"number":7,"left":900}"#),
                (7, "thing/\(name)/state", #"{"phase":2,"any":{"a":[1],"b":"x"}}"#),
                (30, "thing/\(name)/state", #"{"phase":0}"#),
            ]
        default:
            [
                (0, "kettle/\(name)/state", #"{"on":true,"length":240,"heat":30}"#),
                (1, "skerry/kettle/\(name)/event", "more"),
                (2, "kettle/\(name)/state", #"{"heat":60}"#),
                (8, "kettle/\(name)/state", #"{"on":false}"#),
            ]
        }
    }
}
