import CAppSources

/// Files of Swift and of Xcode that are the same for every app, embedded in the program.
enum EmbeddedSources {
    /// The files of a folder of `CAppSources`, by their paths below it.
    static func files(in folder: String) -> [AppSources.File] {
        var files: [AppSources.File] = []
        var number = 0
        while let source = skerry_app_source(number)?.pointee {
            number += 1
            let path = String(cString: source.path)
            guard path.hasPrefix(folder + "/") else { continue }
            let bytes = UnsafeBufferPointer(start: source.bytes, count: source.size)
            let name = String(path.dropFirst(folder.count + 1))
            files.append(AppSources.File(name: name, text: String(decoding: bytes, as: UTF8.self)))
        }
        return files
    }
}
