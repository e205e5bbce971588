// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "skerry",
    products: [
        .executable(name: "skerry", targets: ["skerry"]),
        .library(name: "SkerryEngine", targets: ["SkerryEngine"]),
        .library(name: "SkerryFiles", targets: ["SkerryFiles"]),
        .library(name: "SkerryTesting", targets: ["SkerryTesting"]),
        .library(name: "SkerryFuzzing", targets: ["SkerryFuzzing"]),
    ],
    traits: [
        .trait(name: "Push", description: "Pushes to phones by APNs; needs libcurl and OpenSSL"),
        .trait(name: "Dashboard", description: "The HTTP API; needs SwiftNIO and OpenSSL"),
        .default(enabledTraits: ["Push", "Dashboard"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Layer 0: pure, the standard library only; compiles as Embedded Swift.
        .target(name: "SkerryValues"),
        .target(name: "SkerryExpressions", dependencies: ["SkerryValues"]),
        .target(name: "SkerryMachine", dependencies: ["SkerryValues"]),
        .target(name: "SkerryActivity", dependencies: ["SkerryValues"]),
        .target(
            name: "SkerryDevice",
            dependencies: ["SkerryActivity", "SkerryExpressions", "SkerryMachine", "SkerryValues"]
        ),
        .target(
            name: "SkerryEngine",
            dependencies: ["SkerryActivity", "SkerryDevice", "SkerryMachine", "SkerryValues"]
        ),
        // Layer 1: files.
        .target(
            name: "SkerryFiles",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryMachine",
                "SkerryValues",
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .target(
            name: "SkerryImport",
            dependencies: [
                "SkerryDevice", "SkerryExpressions", "SkerryFiles", "SkerryMachine", "SkerryValues",
            ]
        ),
        .target(
            name: "SkerryGenerate",
            dependencies: ["SkerryActivity", "SkerryDevice", "SkerryExpressions"]
        ),
        // Layer 2: the gateway.
        .target(
            name: "SkerryGateway",
            dependencies: [
                "CTimex", "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryMachine", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .systemLibrary(name: "CTimex"),
        // Layer 3: adapters.
        .systemLibrary(
            name: "CMosquitto",
            pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"])]
        ),
        .target(
            name: "SkerryMosquitto",
            dependencies: ["CMosquitto", "SkerryGateway", "SkerryValues"]
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "SkerryStore",
            dependencies: [
                "CSQLite", "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryGateway", "SkerryMachine",
                "SkerryValues",
            ]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "SkerryPush",
            dependencies: [
                "SkerryActivity", "SkerryGateway", "SkerryValues",
                .target(name: "CCurl", condition: .when(traits: ["Push"])),
                .target(name: "COpenSSL", condition: .when(traits: ["Push"])),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "SkerryDashboard",
            dependencies: [
                "SkerryActivity", "SkerryFiles", "SkerryGateway", "SkerryValues",
                .product(
                    name: "Hummingbird",
                    package: "hummingbird",
                    condition: .when(traits: ["Dashboard"])
                ),
                .product(
                    name: "HummingbirdCore",
                    package: "hummingbird",
                    condition: .when(traits: ["Dashboard"])
                ),
                .target(name: "COpenSSL", condition: .when(traits: ["Dashboard"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Dashboard"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Dashboard"])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(name: "SkerrySystemd", dependencies: ["SkerryGateway", "SkerryValues"]),
        // Layer 4: the command.
        .executableTarget(
            name: "skerry",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryGenerate", "SkerryImport", "SkerryMosquitto", "SkerrySimulation", "SkerryStore",
                "SkerrySystemd", "SkerryTesting", "SkerryValues",
                .target(name: "SkerryDashboard", condition: .when(traits: ["Dashboard"])),
                .target(name: "SkerryPush", condition: .when(traits: ["Push"])),
                .target(name: "SkerryPushTesting", condition: .when(traits: ["Push"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Kit.
        .target(
            name: "SkerryTesting",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryValues",
            ]
        ),
        .target(
            name: "SkerryPushTesting",
            dependencies: [
                "SkerryActivity", "SkerryGateway", "SkerryTesting", "SkerryValues",
                .target(name: "COpenSSL", condition: .when(traits: ["Push"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Push"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Push"])),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: .when(traits: ["Push"])),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["Push"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Push"])),
            ]
        ),
        .target(
            name: "SkerrySimulation",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryMachine", "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "SkerryConformance",
            dependencies: [
                "SkerryDevice", "SkerryExpressions", "SkerryImport", "SkerryMachine", "SkerryValues",
            ]
        ),
        .executableTarget(
            name: "skerry-conformance",
            dependencies: ["SkerryConformance", "SkerryFiles"]
        ),
        .target(
            name: "SkerryFuzzing",
            dependencies: [
                "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryFiles", "SkerryTesting",
                "SkerryValues",
            ]
        ),
        // Tests.
        .testTarget(name: "SkerryValuesTests", dependencies: ["SkerryTesting", "SkerryValues"]),
        .testTarget(
            name: "SkerryConformanceTests",
            dependencies: ["SkerryConformance", "SkerryFiles", "SkerryValues"]
        ),
        .testTarget(
            name: "SkerryExpressionsTests",
            dependencies: ["SkerryConformance", "SkerryExpressions", "SkerryTesting", "SkerryValues"]
        ),
        .testTarget(
            name: "SkerryMachineTests",
            dependencies: ["SkerryMachine", "SkerryTesting", "SkerryValues"]
        ),
        .testTarget(
            name: "SkerryActivityTests",
            dependencies: ["SkerryActivity", "SkerryTesting", "SkerryValues"]
        ),
        .testTarget(
            name: "SkerryEngineTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryTesting",
                "SkerryValues",
            ]
        ),
        .testTarget(
            name: "SkerryDeviceTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryMachine",
                "SkerryValues",
            ]
        ),
        .testTarget(
            name: "SkerryFilesTests",
            dependencies: [
                "SkerryDevice", "SkerryExpressions", "SkerryFiles", "SkerryMachine", "SkerryTesting",
                "SkerryValues",
            ],
            exclude: ["Goldens"]
        ),
        .testTarget(
            name: "SkerryImportTests",
            dependencies: [
                "SkerryConformance", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryImport",
                "SkerryMachine", "SkerryTesting", "SkerryValues",
            ],
            exclude: ["Examples"]
        ),
        .testTarget(
            name: "SkerryGenerateTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGenerate",
            ],
            exclude: ["Goldens", "StandIns"]
        ),
        .testTarget(
            name: "SkerryGatewayTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryTesting", "SkerryValues",
            ],
            exclude: ["Goldens"]
        ),
        .testTarget(
            name: "LiveTests",
            dependencies: [
                "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway", "SkerryMosquitto",
                "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "SkerryMosquittoTests",
            dependencies: ["SkerryGateway", "SkerryMosquitto", "SkerryTesting", "SkerryValues"]
        ),
        .testTarget(
            name: "SkerryTestingTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryTesting",
                "SkerryValues",
            ]
        ),
        .testTarget(
            name: "DocumentTests",
            dependencies: [
                "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryFiles", "SkerryGateway",
                "SkerryTesting", "SkerryValues",
            ]
        ),
        .testTarget(name: "SkerryFuzzingTests", dependencies: ["SkerryFuzzing", "SkerryTesting"]),
        // Allocations of SQLite that fail, for the tests of the store.
        .target(
            name: "CFaultyMemory",
            path: "Tests/CFaultyMemory",
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .testTarget(
            name: "SkerryStoreTests",
            dependencies: [
                "CFaultyMemory", "CSQLite", "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles",
                "SkerryGateway", "SkerryStore", "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "SkerryDashboardTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryGateway", "SkerryTesting",
                "SkerryValues",
                .target(name: "SkerryDashboard", condition: .when(traits: ["Dashboard"])),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "SkerrySystemdTests",
            dependencies: ["SkerryGateway", "SkerrySystemd", "SkerryTesting", "SkerryValues"]
        ),
        .testTarget(
            name: "SkerryPushTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryFiles", "SkerryGateway", "SkerryMosquitto",
                "SkerryPush", "SkerryPushTesting", "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "SkerrySimulationTests",
            dependencies: [
                "SkerryDevice", "SkerryFiles", "SkerryGateway", "SkerrySimulation", "SkerryStore",
                "SkerryTesting", "SkerryValues",
            ]
        ),
        .testTarget(name: "TidyTests"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    // For CI: warnings of our own targets are errors, those of dependencies are not our business.
    if Context.environment["SKERRY_STRICT"] == "1" {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
