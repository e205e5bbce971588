import Glibc

/// The processor time of this process in nanoseconds.
func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The processor time of another process so far in nanoseconds, user and system, all threads; nil once it has ended.
func processorTime(of process: pid_t) -> UInt64? {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0 else { return nil }
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The wall time in nanoseconds since a fixed moment.
func wallTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Sleeps until a moment of ``wallTime()``.
func sleep(until moment: UInt64) {
    var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}

/// The processor time of `body` in nanoseconds, divided by `count`; the best of some rounds.
func best(of rounds: Int, count: Int, _ body: () throws(BenchFailure) -> Void) throws(BenchFailure) -> Double
{
    var best = Double.infinity
    for _ in 0..<rounds {
        let start = processorTime()
        try body()
        best = min(best, Double(processorTime() - start) / Double(count))
    }
    return best
}

/// The resident memory of a process in bytes, by default of this one; nil where the kernel does not report it.
func residentBytes(of process: pid_t? = nil) -> Int? {
    let path = process.map { "/proc/\($0)/status" } ?? "/proc/self/status"
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("VmRSS:") else { continue }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
}

/// Keeps the optimizer from removing unused results.
@inline(never)
func keep<Thing>(_ thing: borrowing Thing) {}
