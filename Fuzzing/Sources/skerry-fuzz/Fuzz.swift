import CFuzzer
import SkerryFuzzing

/// The target named by the first argument; libFuzzer reads the others.
private let target = CommandLine.arguments.dropFirst().first.flatMap { FuzzTarget(rawValue: $0) }

/// The function that libFuzzer calls with every input; a broken promise crashes.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let broken = target?.brokenPromise(on: bytes) { fatalError(broken) }
    return 0
}

/// The program: `skerry-fuzz TARGET [LIBFUZZER-ARGUMENT…]`.
@main
struct Fuzz {
    static func main() {
        guard target != nil else {
            print("usage: skerry-fuzz TARGET [LIBFUZZER-ARGUMENT…]")
            for target in FuzzTarget.allCases { print("  \(target.rawValue)") }
            return
        }
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        arguments?[0] = CommandLine.unsafeArgv[0]
        _ = LLVMFuzzerRunDriver(&count, &arguments, testOneInput)
    }
}
