// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "skerry-benchmarks",
    dependencies: [
        // The package needs a name, because the folder of a clone may have any.
        .package(name: "skerry", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "skerry-bench",
            dependencies: [
                .product(name: "SkerryAdapters", package: "skerry"),
                .product(name: "SkerryEngine", package: "skerry"),
                .product(name: "SkerryFiles", package: "skerry"),
                .product(name: "SkerryGateway", package: "skerry"),
                .product(name: "SkerryTesting", package: "skerry"),
                .product(name: "Logging", package: "swift-log"),
                "WasherLoad",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "skerry-hot-path",
            dependencies: [
                .product(name: "SkerryEngine", package: "skerry"),
                .product(name: "SkerryFiles", package: "skerry"),
                .product(name: "SkerryGateway", package: "skerry"),
                .product(name: "SkerryStore", package: "skerry"),
                .product(name: "SkerryTesting", package: "skerry"),
                .product(name: "Logging", package: "swift-log"),
                "WasherLoad",
            ],
            swiftSettings: settings
        ),
        .target(name: "WasherLoad", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
