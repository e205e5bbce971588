import AVFoundation
import Foundation
import SwiftUI
import UIKit
import VisionKit

/// Pairs this phone, by the QR code or by the code that `skerry pair` shows.
struct PairingView: View {
    @Environment(House.self) private var house
    @State private var address = ""
    @State private var code = ""
    @State private var isScanning = false
    /// True if the camera can't be used: the user, or a rule of the phone, does not allow it.
    @State private var isBlind = false

    var body: some View {
        NavigationStack {
            Form {
                Section {
                    if DataScannerViewController.isSupported {
                        Button("Scan the code", systemImage: "qrcode.viewfinder") { Task { await scan() } }
                    }
                    if isBlind, let settings = URL(string: UIApplication.openSettingsURLString) {
                        Link(destination: settings) { Text("Allow the camera") }
                    }
                } footer: {
                    Text(
                        isBlind
                            ? "The camera can't be used. Run 'skerry pair' on the gateway, and type the address and the code."
                            : "Run 'skerry pair' on the gateway. It shows a QR code, an address and a code to type."
                    )
                }
                Section("Or type") {
                    TextField("Address", text: $address)
                        .textContentType(.URL)
                        .keyboardType(.URL)
                        .textInputAutocapitalization(.never)
                        .autocorrectionDisabled()
                    TextField("Code", text: $code)
                        .textInputAutocapitalization(.characters)
                        .autocorrectionDisabled()
                    Button("Pair this phone") {
                        Task { await house.pair(address: address, code: code) }
                    }
                    .disabled(address.isEmpty || code.isEmpty)
                }
            }
            .navigationTitle("Your gateway")
            .sheet(isPresented: $isScanning) {
                CodeScanner(found: found, failed: fail)
            }
        }
    }

    private func scan() async {
        let isAllowed = await AVCaptureDevice.requestAccess(for: .video)
        isBlind = !isAllowed || !DataScannerViewController.isAvailable
        isScanning = !isBlind
    }

    private func found(_ link: URL) {
        isScanning = false
        Task { await house.open(link) }
    }

    private func fail() {
        isScanning = false
        isBlind = true
    }
}

/// The camera, looking for the QR code of `skerry pair`.
struct CodeScanner: UIViewControllerRepresentable {
    /// Called with the link in the code.
    let found: @MainActor (URL) -> Void
    /// Called when the camera can't be used, or no longer.
    let failed: @MainActor () -> Void

    func makeCoordinator() -> Coordinator { Coordinator(found: found, failed: failed) }

    func makeUIViewController(context: Context) -> DataScannerViewController {
        let scanner = DataScannerViewController(
            recognizedDataTypes: [.barcode(symbologies: [.qr])],
            isHighlightingEnabled: true
        )
        scanner.delegate = context.coordinator
        do {
            try scanner.startScanning()
        } catch {
            // Afterwards: a view that is being made can't change what is shown.
            Task { failed() }
        }
        return scanner
    }

    func updateUIViewController(_ scanner: DataScannerViewController, context: Context) {}

    /// Hears of the codes that the camera sees.
    @MainActor final class Coordinator: NSObject, DataScannerViewControllerDelegate {
        private let found: @MainActor (URL) -> Void
        private let failed: @MainActor () -> Void

        init(found: @escaping @MainActor (URL) -> Void, failed: @escaping @MainActor () -> Void) {
            self.found = found
            self.failed = failed
        }

        func dataScanner(
            _ dataScanner: DataScannerViewController,
            becameUnavailableWithError error: DataScannerViewController.ScanningUnavailable
        ) {
            failed()
        }

        func dataScanner(
            _ dataScanner: DataScannerViewController,
            didAdd addedItems: [RecognizedItem],
            allItems: [RecognizedItem]
        ) {
            for case .barcode(let barcode) in addedItems {
                guard let link = barcode.payloadStringValue.flatMap({ URL(string: $0) }),
                    link.scheme == "skerry"
                else { continue }
                dataScanner.stopScanning()
                return found(link)
            }
        }
    }
}
