// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "skerry-fuzzing",
    dependencies: [
        // Named, because the folder of a clone may have any name.
        .package(name: "skerry", path: "..", traits: [])
    ],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "skerry-fuzz",
            dependencies: ["CFuzzer", .product(name: "SkerryFuzzing", package: "skerry")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
