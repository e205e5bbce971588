// swift-tools-version: 6.2
import PackageDescription

// The reasons for so few packages: docs/decisions/0040-few-packages.md.

let package = Package(
    name: "skerry",
    products: [
        .executable(name: "skerry", targets: ["skerry"]),
        .executable(name: "skerry-demo", targets: ["skerry-demo"]),
        .executable(name: "skerry-generate", targets: ["skerry-generate"]),
        // For Workshop, Fuzzing and Benchmarks.
        .library(
            name: "SkerryEngine",
            targets: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryMachine",
                "SkerryValues",
            ]
        ),
        .library(name: "SkerryFiles", targets: ["SkerryFiles"]),
        .library(name: "SkerryGateway", targets: ["SkerryGateway"]),
        .library(name: "SkerryStore", targets: ["SkerryStore"]),
        .library(name: "SkerryTesting", targets: ["SkerryTesting"]),
        .library(
            name: "SkerryAdapters",
            targets: ["SkerryMosquitto", "SkerryPhones", "SkerryPush", "SkerryPushTesting", "SkerryStore"]
        ),
        .library(name: "SkerryCommand", targets: ["SkerryCommand"]),
        .library(name: "COpenSSL", targets: ["COpenSSL"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
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
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryExpressions", "SkerryMachine", "SkerryValues",
            ]
        ),
        // Layer 1: files, phones, and other services that show activities.
        .target(name: "SkerryPhones", dependencies: ["SkerryActivity", "SkerryExpressions", "SkerryValues"]),
        .target(
            name: "SkerrySinks",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryExpressions", "SkerryPhones", "SkerryValues",
            ]
        ),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "SkerryFiles",
            dependencies: [
                "CYAML", "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions",
                "SkerryMachine", "SkerryValues",
            ]
        ),
        // The files of generated apps, embedded in the program.
        .target(name: "CAppSources", exclude: ["app", "reporter"]),
        .target(
            name: "SkerryGenerate",
            dependencies: ["CAppSources", "SkerryActivity", "SkerryDevice", "SkerryValues"]
        ),
        // Layer 2: the gateway.
        .target(
            name: "SkerryGateway",
            dependencies: [
                "CTimex", "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions",
                "SkerryMachine", "SkerryPhones", "SkerrySinks", "SkerryValues",
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
                "SkerryPhones", "SkerryValues",
            ]
        ),
        // libpq is loaded when a setting names a database of PostgreSQL.
        .target(name: "CPostgreSQL"),
        .target(
            name: "SkerryPostgres",
            dependencies: [
                "CPostgreSQL", "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryGateway",
                "SkerryMachine",
                "SkerryPhones", "SkerryValues",
            ]
        ),
        // Needs the headers of libcurl; the library is loaded when pushes are set.
        .target(name: "CCurl"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "SkerryPush",
            dependencies: [
                "CCurl", "COpenSSL", "SkerryActivity", "SkerryGateway", "SkerryPhones", "SkerrySinks",
                "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .systemLibrary(
            name: "CMicroHTTP",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // The files of the page, embedded in the program.
        .target(name: "CPage", exclude: ["package.json", "page"]),
        .target(
            name: "SkerryDashboard",
            dependencies: [
                "CCurl", "CMicroHTTP", "COpenSSL", "CPage", "CZlib", "SkerryActivity", "SkerryEngine",
                "SkerryFiles", "SkerryGateway",
                "SkerryPhones",
                "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "SkerryHouse",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryFiles",
                "SkerryGateway", "SkerryPhones", "SkerryValues",
            ]
        ),
        .target(name: "SkerrySystemd", dependencies: ["SkerryGateway", "SkerryValues"]),
        // The version, as the scripts say it: the manifest is read again when the environment changes, and not after a commit.
        .target(
            name: "CVersion",
            cSettings: Context.environment["SKERRY_VERSION"].map {
                [.define("SKERRY_VERSION", to: "\"\($0)\"")]
            } ?? []
        ),
        // Layer 4: the command.
        .target(
            name: "SkerryCommand",
            dependencies: [
                "CVersion", "SkerryDevice", "SkerryFiles", "SkerryValues",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "skerry",
            dependencies: [
                "SkerryActivity", "SkerryCommand", "SkerryDashboard", "SkerryDevice", "SkerryEngine",
                "SkerryExpressions", "SkerryFiles", "SkerryGateway", "SkerryHouse", "SkerryMachine",
                "SkerryMosquitto", "SkerryPhones", "SkerryPostgres", "SkerryPush", "SkerrySinks",
                "SkerryStore",
                "SkerrySystemd", "SkerryValues",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Commands that are programs of their own, so that the daemon does not link what only they need.
        .executableTarget(
            name: "skerry-generate",
            dependencies: [
                "SkerryActivity", "SkerryCommand", "SkerryDevice", "SkerryEngine", "SkerryFiles",
                "SkerryGenerate",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "skerry-demo",
            dependencies: [
                "SkerryActivity", "SkerryCommand", "SkerryDashboard", "SkerryDevice", "SkerryEngine",
                "SkerryFiles", "SkerryGateway", "SkerryHouse", "SkerryMosquitto", "SkerryPhones",
                "SkerryPush", "SkerryPushTesting", "SkerryTesting", "SkerryValues",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Kit.
        .target(
            name: "SkerryTesting",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryFiles",
                "SkerryGateway", "SkerryPhones", "SkerryValues",
            ]
        ),
        .target(
            name: "SkerryPushTesting",
            dependencies: [
                "COpenSSL", "SkerryActivity", "SkerryPhones", "SkerryPush", "SkerryTesting", "SkerryValues",
            ]
        ),
        // Tests.
        .testTarget(name: "SkerryValuesTests", dependencies: ["SkerryTesting", "SkerryValues"]),
        .testTarget(
            name: "SkerryExpressionsTests",
            dependencies: ["SkerryExpressions", "SkerryTesting", "SkerryValues"]
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
            name: "SkerryPhonesTests",
            dependencies: [
                "SkerryActivity", "SkerryExpressions", "SkerryPhones", "SkerryTesting", "SkerryValues",
            ]
        ),
        .testTarget(
            name: "SkerrySinksTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryFiles",
                "SkerryPhones", "SkerrySinks", "SkerryTesting", "SkerryValues",
            ],
            exclude: ["Goldens"]
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
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions",
                "SkerryFiles", "SkerryMachine", "SkerryTesting", "SkerryValues",
            ],
            exclude: ["Goldens"]
        ),
        .testTarget(
            name: "SkerryFilesTests",
            dependencies: [
                "SkerryDevice", "SkerryExpressions", "SkerryFiles", "SkerryHouse", "SkerryMachine",
                "SkerryTesting",
                "SkerryValues",
            ],
            exclude: ["Goldens", "Promises"]
        ),
        .testTarget(
            name: "SkerryGenerateTests",
            dependencies: [
                "SkerryActivity", "SkerryDashboard", "SkerryDevice", "SkerryEngine", "SkerryFiles",
                "SkerryGateway", "SkerryGenerate", "SkerryHouse", "SkerryMosquitto", "SkerryPhones",
                "SkerryPush", "SkerryPushTesting", "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Goldens", "Reporter", "StandIns"]
        ),
        .testTarget(
            name: "SkerryGatewayTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryPhones", "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryMachine", "SkerryTesting", "SkerryValues",
            ],
            exclude: ["Goldens"]
        ),
        .testTarget(
            name: "LiveTests",
            dependencies: [
                "SkerryDashboard", "SkerryDevice", "SkerryEngine", "SkerryFiles", "SkerryGateway",
                "SkerryHouse",
                "SkerryMosquitto", "SkerryPush", "SkerryStore", "SkerryTesting", "SkerryValues",
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
                "SkerryHouse",
                "SkerryPhones", "SkerryTesting", "SkerryValues",
            ]
        ),
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
                "SkerryGateway", "SkerryPhones", "SkerryPostgres", "SkerryStore", "SkerryTesting",
                "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "SkerryDashboardTests",
            dependencies: [
                "SkerryActivity", "SkerryDashboard", "SkerryDevice", "SkerryEngine", "SkerryFiles",
                "SkerryGateway", "SkerryPhones", "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "SkerryHouseTests",
            dependencies: [
                "SkerryActivity", "SkerryDashboard", "SkerryDevice", "SkerryEngine", "SkerryExpressions",
                "SkerryFiles", "SkerryGateway", "SkerryHouse", "SkerryPhones", "SkerryStore", "SkerryTesting",
                "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "SkerrySystemdTests",
            dependencies: ["SkerryGateway", "SkerrySystemd", "SkerryTesting", "SkerryValues"]
        ),
        .testTarget(
            name: "SkerryPushTests",
            dependencies: [
                "COpenSSL", "SkerryActivity", "SkerryDashboard", "SkerryEngine", "SkerryExpressions",
                "SkerryGateway", "SkerryPhones",
                "SkerryPush", "SkerryPushTesting",
                "SkerrySinks", "SkerryTesting", "SkerryValues",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(name: "TidyTests"),
    ],
    swiftLanguageModes: [.v6]
)

// The folders of `Sources`: which layer a target belongs to.
let layers = [
    "Core": [
        "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryMachine",
        "SkerryValues",
    ],
    "Language": ["CYAML", "SkerryFiles"],
    "People": ["SkerryPhones", "SkerrySinks"],
    "Gateway": ["CTimex", "SkerryGateway"],
    "Adapters": [
        "CCurl", "CMicroHTTP", "CMosquitto", "COpenSSL", "CPage", "CPostgreSQL", "CSQLite", "CZlib",
        "SkerryDashboard", "SkerryHouse", "SkerryMosquitto", "SkerryPostgres", "SkerryPush", "SkerryStore",
        "SkerrySystemd",
    ],
    "AppKit": ["CAppSources", "SkerryGenerate", "skerry-generate"],
    "Demo": ["skerry-demo"],
    "Kit": ["SkerryPushTesting", "SkerryTesting"],
    "Command": ["CVersion", "SkerryCommand", "skerry"],
]

for (layer, targets) in layers {
    for target in package.targets where targets.contains(target.name) {
        target.path = "Sources/\(layer)/\(target.name)"
    }
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    // For CI: warnings of our own targets are errors, those of dependencies are not our business.
    if Context.environment["SKERRY_STRICT"] == "1" {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
        // The tests replay days: what they run all the time is optimized. Modules of tests are compiled as wholes, which takes less
        // of the processor than in parts. With threads there is an object for each file, as SwiftPM expects.
        let isOptimized = target.path?.hasPrefix("Sources/Core/") == true || target.name == "SkerryFiles"
        if isOptimized || target.type == .test {
            let whole = ["-whole-module-optimization", "-num-threads", "2"]
            // Their assertions hold in tests, too, which `-O` would leave out.
            let optimized = ["-O", "-assert-config", "Debug"]
            target.swiftSettings?.append(.unsafeFlags(isOptimized ? optimized + whole : whole))
        }
    }
}
