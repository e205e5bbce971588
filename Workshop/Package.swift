// swift-tools-version: 6.2
import PackageDescription

/// The modules of the daemon, which `../Package.swift` offers as libraries.
let engine = Target.Dependency.product(name: "SkerryEngine", package: "skerry")
let files = Target.Dependency.product(name: "SkerryFiles", package: "skerry")
let gateway = Target.Dependency.product(name: "SkerryGateway", package: "skerry")
let testing = Target.Dependency.product(name: "SkerryTesting", package: "skerry")
let adapters = Target.Dependency.product(name: "SkerryAdapters", package: "skerry")
let command = Target.Dependency.product(name: "SkerryCommand", package: "skerry")

let package = Package(
    name: "skerry-workshop",
    products: [
        .executable(name: "skerry-import", targets: ["skerry-import"]),
        .executable(name: "skerry-simulate", targets: ["skerry-simulate"]),
        .executable(name: "skerry-conformance", targets: ["skerry-conformance"]),
        .library(name: "SkerryFuzzing", targets: ["SkerryFuzzing"]),
    ],
    dependencies: [
        // The package needs a name, because the folder of a clone may have any.
        .package(name: "skerry", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        // Import of files of other systems.
        .target(name: "SkerryImport", dependencies: [engine, files]),
        .executableTarget(
            name: "skerry-import",
            dependencies: [
                "SkerryImport", command, files,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "SkerryImportTests",
            dependencies: ["SkerryConformance", "SkerryImport", engine, files, testing],
            exclude: ["Examples"]
        ),
        // Public cases of CEL and SCXML.
        .target(name: "SkerryConformance", dependencies: ["SkerryImport", engine, testing]),
        .executableTarget(name: "skerry-conformance", dependencies: ["SkerryConformance", files]),
        .testTarget(name: "SkerryConformanceTests", dependencies: ["SkerryConformance", engine, files]),
        // Simulated worlds.
        .target(
            name: "SkerrySimulation",
            dependencies: [
                engine, files, gateway, testing,
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(
            name: "skerry-simulate",
            dependencies: [
                "SkerrySimulation", command, engine, testing,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "SkerrySimulationTests",
            dependencies: ["SkerrySimulation", adapters, engine, files, gateway, testing]
        ),
        // A stand-in for Apple's push service, with HTTP/2 and TLS.
        .target(
            name: "SkerryPushStandIn",
            dependencies: [
                adapters, engine, gateway,
                .product(name: "COpenSSL", package: "skerry"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "SkerryPushStandInTests",
            dependencies: [
                "SkerryPushStandIn", adapters, engine, files, gateway, testing,
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // The entry points for the fuzzers of ../Fuzzing.
        .target(name: "SkerryFuzzing", dependencies: [engine, files, testing]),
        .testTarget(name: "SkerryFuzzingTests", dependencies: ["SkerryFuzzing", testing]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    // For CI: warnings are errors, but only in our own targets.
    if Context.environment["SKERRY_STRICT"] == "1" {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
