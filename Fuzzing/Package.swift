// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "skerry-fuzzing",
    dependencies: [
        .package(path: "../Workshop")
    ],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "skerry-fuzz",
            dependencies: ["CFuzzer", .product(name: "SkerryFuzzing", package: "Workshop")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
