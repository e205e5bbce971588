import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues

/// The bounds that can be set, under `limits:`.
struct SettingsLimits {
    var device = DeviceLimits()
    var engine = EngineLimits()
    var outbox: Int

    init(_ reader: SettingsReader) throws(SettingFault) {
        let bytes = try reader.number("limits.payload", in: 1...16_777_216) ?? device.json.bytes
        let depth = try reader.number("limits.json-depth", in: 1...512) ?? device.json.depth
        device.json = JSONLimits(bytes: bytes, depth: depth)
        if let cost = try reader.number("limits.expression-cost", in: 100...10_000_000) {
            device.expressionCost = Int32(cost)
            device.messageCost = max(device.messageCost, 200 * cost)
        }
        if let microsteps = try reader.number("limits.microsteps", in: 1...10_000) {
            device.microsteps = microsteps
        }
        if let content = try reader.number("limits.content", in: 64...65_536) {
            device.contentBytes = content
        }
        if let devices = try reader.number("limits.devices", in: 1...1_000_000) { engine.devices = devices }
        if let devices = try reader.number("limits.new-devices", in: 0...1_000_000) {
            engine.newDevices = devices
        }
        if let bytes = try reader.number("limits.device-name", in: 1...65_535) { engine.nameBytes = bytes }
        if let bytes = try reader.number("limits.value", in: 1024...16_777_216) { device.valueBytes = bytes }
        if let bytes = try reader.number("limits.device-values", in: 1024...268_435_456) {
            device.deviceBytes = bytes
        }
        if let bytes = try reader.number("limits.all-values", in: 1_048_576...1_099_511_627_776) {
            engine.valueBytes = bytes
        }
        if let topics = try reader.number("limits.topics", in: 1...10_000_000) { engine.topics = topics }
        outbox = try reader.number("limits.outbox", in: 100...1_000_000) ?? 10_000
    }
}
