import Glibc
import SkerryValues

/// The time since boot, sleep of the machine included; no step of the wall clock touches it.
@inline(__always)
func timeSinceBoot() -> Interval {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Interval(microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000)
}
