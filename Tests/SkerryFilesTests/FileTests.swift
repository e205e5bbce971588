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

    @Test func `a compressed file says so`() throws {
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
