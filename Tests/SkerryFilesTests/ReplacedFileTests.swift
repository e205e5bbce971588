import Foundation
import Testing

@testable import SkerryFiles

/// Files that are written as a whole: what stays, what is refused, and what is left when it can't be done.
@Suite final class ReplacedFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("skerry-replaced-\(ProcessInfo.processInfo.globallyUniqueString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private func permissions(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// What is in the folder: nothing half-written may be left.
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test func `a replaced file keeps its permissions, and no other file is left`() throws {
        try NewFile.write("first", to: path("a"))
        #expect(chmod(path("a"), 0o640) == 0)
        try ReplacedFile.write("second\n", to: path("a"))
        #expect(try text("a") == "second\n")
        #expect(try permissions("a") == 0o640)
        try ReplacedFile.write("", to: path("a"))
        #expect(try text("a").isEmpty)
        #expect(names == ["a"])
    }

    @Test func `only a regular file that is there is replaced`() throws {
        #expect(throws: FileError(path: path("none"), reason: "No such file or directory")) {
            try ReplacedFile.write("x", to: self.path("none"))
        }
        try NewFile.write("first", to: path("a"))
        #expect(symlink(path("a"), path("link")) == 0)
        for name in ["link", ""] {
            #expect(throws: FileError(path: path(name), reason: "it is not a regular file")) {
                try ReplacedFile.write("x", to: self.path(name))
            }
        }
        #expect(try text("a") == "first")
        #expect(names == ["a", "link"])
    }

    @Test func `a kept text is written where a link leads, or anew`() throws {
        try NewFile.write("first", to: path("a"))
        #expect(symlink("a", path("link")) == 0)
        let kept = KeptText(path("link"), limit: 100)
        #expect(kept.text == "first")
        try kept.replace(with: "second")
        #expect(try text("a") == "second")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "a")
        let new = KeptText(path("new"), limit: 100)
        #expect(new.text.isEmpty)
        try new.replace(with: "third")
        try new.replace(with: "fourth")
        #expect(try text("new") == "fourth")
        #expect(names == ["a", "link", "new"])
    }

    @Test(
        arguments: [
            (Array("12345".utf8), nil), (Array("123456".utf8), "it has more than 5 bytes"),
            ([0xFF], "it is not UTF-8"), ([], nil),
        ] as [([UInt8], String?)]
    )
    func `what could not be read is never written over`(_ bytes: [UInt8], _ reason: String?) throws {
        try NewFile.write(bytes, to: path("a"))
        let kept = KeptText(path("a"), limit: 5)
        guard let reason else {
            #expect(Array(kept.text.utf8) == bytes)
            return try kept.replace(with: "new")
        }
        #expect(kept.text.isEmpty)
        let advice = ": mend or remove it, and start the bridge again"
        #expect(throws: FileError(path: path("a"), reason: reason + advice)) { try kept.replace(with: "new") }
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path("a")))) == bytes)
    }

    @Test func `a secret is for its owner, whatever was there`() throws {
        try ReplacedFile.keepSecret("one", in: path("a"))
        #expect(try permissions("a") == 0o600)
        #expect(chmod(path("a"), 0o644) == 0)
        #expect(try FileBytes.secret(path("a"), limit: 3).isReadableByOthers)
        try ReplacedFile.keepSecret("three", in: path("a"))
        #expect(try permissions("a") == 0o600)
        let secret = try FileBytes.secret(path("a"), limit: 3)
        #expect(!secret.isReadableByOthers)
        // One byte above the limit tells that there is more.
        #expect(secret.bytes == Array("thre".utf8))
        #expect(names == ["a"])
    }

    @Test func `a new file writes over nothing, unless it may`() throws {
        try NewFile.write("first", to: path("a"))
        #expect(throws: FileError(path: path("a"), reason: "File exists")) {
            try NewFile.write("second", to: self.path("a"))
        }
        #expect(try text("a") == "first")
        try NewFile.write("second", to: path("a"), overwriting: true)
        #expect(try text("a") == "second")
        try NewFile.write("third", to: path("b"), overwriting: true)
        #expect(try text("b") == "third")
        #expect(throws: FileError(path: path("c/d"), reason: "No such file or directory")) {
            try NewFile.write("x", to: self.path("c/d"))
        }
        #expect(throws: FileError(path: folder.path, reason: "Is a directory")) {
            try NewFile.write("x", to: self.folder.path, overwriting: true)
        }
        #expect(names == ["a", "b"])
    }

    /// Through a link it is not the link that is replaced: `/dev/stdout` is one.
    @Test func `a link is written through`() throws {
        try NewFile.write("first and longer", to: path("a"))
        #expect(symlink("a", path("link")) == 0)
        try NewFile.write("second", to: path("link"), overwriting: true)
        #expect(try text("a") == "second")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "a")
    }

    @Test func `a generated file is recognised by its mark, and one written by hand stays`() throws {
        func write(_ text: String) throws -> GeneratedFile.Outcome {
            try GeneratedFile.write(text, to: path("a"), mark: "generated")
        }
        #expect(try write("// generated: 1") == .written)
        #expect(try write("// generated: 1") == .unchanged)
        // What an interrupted run has left is in nobody's way.
        try NewFile.write("rest", to: path("a.new"))
        #expect(try write("// generated: 2") == .written)
        #expect(try text("a") == "// generated: 2")
        #expect(names == ["a"])
        try NewFile.write("by hand", to: path("a"), overwriting: true)
        let reason = "it is not a generated file, so it is left as it is"
        #expect(throws: FileError(path: path("a"), reason: reason)) { try write("// generated: 3") }
        #expect(try text("a") == "by hand")
        #expect(try write("by hand") == .unchanged)
        // Two texts that look the same are not the same.
        try NewFile.write("// generated: \u{e9}", to: path("a"), overwriting: true)
        #expect(try write("// generated: e\u{301}") == .written)
    }

    @Test func `folders are made with those above them, and a file in the way is told`() throws {
        try Folder.make(path("a/b//c/"))
        try Folder.make(path("a/b"))
        var isFolder: ObjCBool = false
        #expect(
            FileManager.default.fileExists(atPath: path("a/b/c"), isDirectory: &isFolder)
                && isFolder.boolValue
        )
        try Folder.make("/")
        try NewFile.write("", to: path("file"))
        #expect(throws: FileError(path: path("file/d"), reason: "File exists")) {
            try Folder.make(self.path("file/d"))
        }
        #expect(symlink("a", path("link")) == 0)
        try Folder.make(path("link/e"))
        #expect(FileManager.default.fileExists(atPath: path("a/e")))
    }

    @Test func `a removed file is gone, and one that is not there is told`() throws {
        try NewFile.write("", to: path("a"))
        try RemovedFile.remove(path("a"))
        #expect(names == [])
        #expect(throws: FileError(path: path("a"), reason: "No such file or directory")) {
            try RemovedFile.remove(self.path("a"))
        }
    }

    @Test(arguments: [
        ("a/b", "a"), ("a", "."), ("/a", "/"), ("/a/b", "/a"), ("a/", "a"), ("/", "/"), ("", "."),
        ("a//b", "a/"),
    ])
    func `the folder of a path`(_ path: String, _ folder: String) {
        #expect(ReplacedFile.folder(of: path) == folder)
    }
}
