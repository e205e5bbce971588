import SkerryGateway
import Testing

@testable import SkerryPostgres

/// The client of PostgreSQL, which the system may not have.
@Suite("Loading libpq")
struct PostgresLibraryTests {
    @Test(arguments: [
        ("libpq-missing.so.5", "libpq-missing.so.5: cannot open shared object file"),
        ("libm.so.6", "undefined symbol: PQ"),
    ])
    func `a missing or wrong library is named, with the package that has the right one`(
        file: String,
        words: String
    ) {
        guard case .failure(let fault) = PostgresLibrary.load(file) else {
            Issue.record("\(file) was taken for libpq")
            return
        }
        #expect(fault.message.contains(words) && fault.message.contains("apt-get install libpq5"))
    }
}
