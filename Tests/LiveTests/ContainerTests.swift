import Foundation
import Testing

/// How `scripts/container` chooses what builds the image.
@Suite("scripts/container")
struct ContainerTests {
    /// Stand-ins for the package and for what builds images: only the last of them works.
    private static let commands = #"""
        set -eu
        folder=$(mktemp -d)
        trap 'rm -r "$folder"' EXIT
        mkdir -p "$folder/scripts" "$folder/packaging" "$folder/bin"
        cp "$0/scripts/container" "$folder/scripts/"
        cp -r "$0/packaging/container" "$folder/packaging/"
        put() { install -m 755 /dev/stdin "$folder/$1"; }
        put scripts/package <<<'#!/bin/sh
        touch skerry.deb && echo skerry.deb'
        put bin/dpkg-deb <<<'#!/bin/sh
        echo 0.2.0~rc1+5'
        for name in docker podman; do put "bin/$name" <<<'#!/bin/sh
        exit 1'; done
        put bin/buildah <<<'#!/bin/sh
        test "$1" = info || echo "$1"'
        PATH="$folder/bin:$PATH" "$folder/scripts/container"
        """#

    @Test("an engine that is installed but does not answer is passed over")
    func engine() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", Self.commands, Files.package.path]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "build\nskerry:0.2.0-rc1-5\n")
    }
}
