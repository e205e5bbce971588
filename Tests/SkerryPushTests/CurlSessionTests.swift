import Testing

@testable import SkerryPush

/// The library that sends, which the system may not have.
@Suite("Loading libcurl")
struct CurlSessionTests {
    @Test func `a missing library is named, with the package that has it`() throws {
        let fault = try #require(CurlSession.load("libcurl-missing.so.4"))
        #expect(fault.message.contains("libcurl-missing.so.4: cannot open shared object file"))
        #expect(fault.message.contains("apt-get install libcurl4"))
    }

    @Test func `a file that is not libcurl is told by the function that it lacks`() throws {
        let fault = try #require(CurlSession.load("libm.so.6"))
        #expect(fault.message.contains("undefined symbol: curl_global_init"))
    }
}
