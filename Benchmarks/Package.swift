// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "skerry-benchmarks",
    dependencies: [
        // The package needs a name, because the folder of a clone may have any.
        .package(name: "skerry", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "skerry-bench",
            dependencies: [
                .product(name: "SkerryEngine", package: "skerry"),
                .product(name: "SkerryFiles", package: "skerry"),
                .product(name: "SkerryTesting", package: "skerry"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
