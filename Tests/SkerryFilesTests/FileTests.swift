import Foundation
import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

@Suite("Files and pipes")
struct FileTests {
    /// Makes a folder that is gone after the closure.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("skerry-files-\(ProcessInfo.processInfo.globallyUniqueString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func `a file of another owner stays as it is, whatever it has become`() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("Info.plist")
            func write(_ text: String) throws -> GeneratedFile.Outcome {
                try GeneratedFile.write(text, to: file.path, mark: nil)
            }
            #expect(try write("<plist/>") == .written)
            #expect(try write("<plist/>") == .unchanged)
            #expect(try write("<plist></plist>") == .kept)
            let binary = Data("bplist00".utf8) + Data([0xD1, 0x01, 0xFF])
            try binary.write(to: file)
            #expect(try write("<plist/>") == .kept)
            #expect(try Data(contentsOf: file) == binary)
        }
    }

    @Test func `definitions of a folder come in the order of their paths`() throws {
        try withFolder { folder in
            let names = [
                "b.yaml", "a.yml", "B.yaml", "sub/c.yaml", ".hidden.yaml", "notes.txt", "sub/.git/d.yaml",
            ]
            for name in names {
                let file = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try "skerry: 1\nkind: x\nmachine: { states: {} }\n".write(
                    to: file,
                    atomically: true,
                    encoding: .utf8
                )
            }
            let files = try DefinitionFiles.load([folder.path, folder.path + "/b.yaml"])
            #expect(
                files.map { $0.path.dropFirst(folder.path.count + 1) } == [
                    "B.yaml", "a.yml", "b.yaml", "sub/c.yaml",
                ]
            )
            #expect(files.allSatisfy { $0.reading.draft != nil && $0.text.hasPrefix("skerry") })
        }
    }

    @Test func `a path that does not exist is an error`() {
        #expect(throws: FileError(path: "/does/not/exist", reason: "No such file or directory")) {
            try DefinitionFiles.load(["/does/not/exist"])
        }
        #expect(throws: FileError.self) { try RecordingReader(path: "/does/not/exist") }
        let error = FileError(path: "day.jsonl", reason: "No such file or directory")
        #expect("\(error)" == "day.jsonl: No such file or directory")
    }

    @Test func `only files are read, and nothing waits for the writer of a pipe`() throws {
        try withFolder { folder in
            let (pipe, socket) = (folder.path + "/pipe.yaml", folder.path + "/socket.yaml")
            #expect(mkfifo(pipe, 0o600) == 0)
            try makeSocket(socket)
            let cases = [
                (pipe, "it is a pipe, and only files are read here"),
                (socket, "it is a socket, and only files are read here"),
                ("/dev/zero", "it is a device, and only files are read here"),
                (folder.path, "Is a directory"),
            ]
            for (path, reason) in cases {
                let error = FileError(path: path, reason: reason)
                #expect(throws: error) { try FileBytes.text(path, limit: 100) }
                #expect(throws: error) { try DefinitionFiles.read(path) }
                #expect(throws: error) { try SettingsFile(path: path) }
            }
            #expect(throws: FileError.self) { try DefinitionFiles.load([folder.path]) }
            #expect(throws: FileError.self) { try RecordingReader(path: folder.path) }
            #expect(try FileBytes.text("/dev/null", limit: 100).isEmpty)
        }
    }

    @Test func `a recording may come from a pipe with a name`() throws {
        try withFolder { folder in
            let path = folder.path + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let writer = open(path, O_RDWR)
            let bytes = Array(#"{"tst":1,"topic":"t","payload":"x"}"#.utf8) + [0x0A]
            #expect(write(writer, bytes, bytes.count) == bytes.count)
            let reader = try RecordingReader(path: path)
            close(writer)
            #expect(try reader.next() != nil)
            #expect(try reader.next() == nil)
        }
    }

    @Test func `loops of symbolic links lead nowhere, and each folder is looked into once`() throws {
        try withFolder { folder in
            let inner = folder.appendingPathComponent("inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            for name in ["a.yaml", "inner/b.yaml"] {
                let file = folder.appendingPathComponent(name)
                try "skerry: 1\n".write(to: file, atomically: true, encoding: .utf8)
            }
            for name in ["loop", "z", "inner/up", "inner/self"] {
                let link = folder.appendingPathComponent(name).path
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
            }
            let files = try DefinitionFiles.load([folder.path])
            #expect(files.map { $0.path.dropFirst(folder.path.count) } == ["/a.yaml", "/inner/b.yaml"])
            #expect(DefinitionFiles.folders([folder.path]) == [folder.path, inner.path])
        }
    }

    @Test func `a folder that can't be looked into keeps none of the others from being followed`() throws {
        try withFolder { folder in
            var deep = folder
            for _ in 0..<20 { deep.appendPathComponent("d") }
            try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
            let last = folder.appendingPathComponent("z")
            try FileManager.default.createDirectory(at: last, withIntermediateDirectories: true)
            #expect(throws: FileError.self) { try DefinitionFiles.load([folder.path]) }
            let folders = DefinitionFiles.folders([folder.path, "/does/not/exist"])
            #expect(folders.first == folder.path)
            #expect(folders.contains(last.path))
            #expect(folders.last == "/does/not")
        }
    }

    private func makeSocket(_ path: String) throws {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
    }

    @Test func `a compressed file is reported as such`() throws {
        let compressed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let problem = DefinitionReader.read(bytes: compressed).problems.first
        #expect(problem?.message == "the file is compressed by gzip")
        let reader = RecordingReader(bytes: compressed)
        #expect(throws: FileError.self) { try reader.next() }
    }

    @Test func `a file that is too large is refused`() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("large.yaml")
            let size = DefinitionReader.fileSizeLimit
            try Data(repeating: 0x0A, count: size + 100_000).write(to: file)
            let large = try DefinitionFiles.read(file.path)
            #expect(large.reading.problems.map(\.message) == ["the file has more than \(size) bytes"])
            let full = DefinitionReader.read(bytes: [UInt8](repeating: 0x0A, count: size))
            #expect(full.problems.map(\.message) == ["the file is empty"])
        }
    }

    @Test(arguments: [1, 2, 7, 1000, 300_000])
    func `a recording from a pipe is the same in pieces of any size`(piece: Int) throws {
        let lines = (0..<3000).map { number in
            let payload = String(repeating: "x", count: number == 1500 ? 400_000 : number % 50)
            return #"{"tst":\#(number),"topic":"t","payload":"\#(payload)"}"#
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let shortened = piece < 1000 ? Array(bytes.prefix(20_000)) : bytes
        let pipe = Pipe()
        let thread = Thread {
            var start = 0
            while start < shortened.count {
                let end = min(start + piece, shortened.count)
                pipe.fileHandleForWriting.write(Data(shortened[start..<end]))
                start = end
            }
            try? pipe.fileHandleForWriting.close()
        }
        thread.start()
        let reader = RecordingReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
        var payloads: [Int] = []
        while let message = try reader.next() { payloads.append(message.payload.count) }
        let expected = try readAll(shortened)
        #expect(payloads == expected.messages.map(\.payload.count))
        #expect(reader.report.lines == expected.report.lines)
        #expect(reader.report.refusals == expected.report.refusals)
        #expect(reader.report.bytes == shortened.count)
    }

    @Test func `a message of a pipe comes before the next one is written`() throws {
        let pipe = Pipe()
        let reader = RecordingReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
        for number in 1...5 {
            let line = #"{"tst":\#(number),"topic":"t","payload":"x"}"# + "\n"
            pipe.fileHandleForWriting.write(Data(line.utf8))
            #expect(try reader.next()?.at.flooredSeconds == Int64(number))
        }
    }

    @Test func `a line too long for the buffer is passed over in a pipe too`() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("long.jsonl")
            let good = #"{"tst":1,"topic":"t","payload":"x"}"#
            let long = String(repeating: "y", count: RecordingReader.lineLimit * 2)
            for (text, expected) in [("\(good)\n\(long)\n\(good)\n", 2), ("\(good)\n\(long)", 1), (long, 0)] {
                try text.write(to: file, atomically: true, encoding: .utf8)
                let reader = try RecordingReader(path: file.path)
                var count = 0
                while try reader.next() != nil { count += 1 }
                #expect(count == expected)
                #expect(reader.report.refusals.map(\.problem) == [.lineTooLong])
                #expect(reader.report.bytes == text.utf8.count)
            }
        }
    }
}
