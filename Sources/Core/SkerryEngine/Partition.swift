/// One of several equal parts of all devices, each of which a process of its own handles.
///
/// See docs/decisions/0055-partitions.md.
public struct Partition: Hashable, Sendable {
    /// The largest number of partitions.
    public static let limit = 1024

    /// The number of this one, from 0 on.
    public let number: Int
    /// The number of all partitions.
    public let count: Int

    /// Makes a partition.
    public init(_ number: Int, of count: Int) {
        precondition((1...Self.limit).contains(count) && (0..<count).contains(number), "no such partition")
        self.number = number
        self.count = count
    }

    /// Returns whether a device belongs to this partition.
    public func owns(_ device: String) -> Bool { Self.number(of: device, among: count) == number }

    /// The partition of a device: that of NATS' subject mapping `partition(count, wildcard)`, so that a NATS server can share
    /// out the same messages.
    public static func number(of device: String, among count: Int) -> Int {
        Int(hash(device) % UInt32(count))
    }

    /// The hash FNV-1a of a name in 32 bits.
    static func hash(_ name: String) -> UInt32 {
        name.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
