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

    var body: some View {
        NavigationStack {
            Form {
                Section {
                    if DataScannerViewController.isSupported {
                        Button("Scan the code", systemImage: "qrcode.viewfinder") { isScanning = true }
                    }
                } footer: {
                    Text(
                        "Run 'skerry pair' on the gateway. It shows a QR code, an address and a code to type."
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
            .task { house.wake() }
            .sheet(isPresented: $isScanning) {
                CodeScanner { link in
                    isScanning = false
                    Task { await house.open(link) }
                } failed: {
                    isScanning = false
                    house.complainOfCamera()
                }
            }
        }
    }
}

/// The camera, looking for the QR code of `skerry pair`.
struct CodeScanner: UIViewControllerRepresentable {
    /// Called with the link in the code.
    let found: @MainActor (URL) -> Void
    /// Called when the camera can't be used.
    let failed: @MainActor () -> Void

    func makeCoordinator() -> Coordinator { Coordinator(found: found) }

    func makeUIViewController(context: Context) -> DataScannerViewController {
        let scanner = DataScannerViewController(
            recognizedDataTypes: [.barcode(symbologies: [.qr])],
            isHighlightingEnabled: true
        )
        scanner.delegate = context.coordinator
        do {
            try scanner.startScanning()
        } catch {
            Task { failed() }
        }
        return scanner
    }

    func updateUIViewController(_ scanner: DataScannerViewController, context: Context) {}

    /// Hears of the codes that the camera sees.
    @MainActor final class Coordinator: NSObject, DataScannerViewControllerDelegate {
        private let found: @MainActor (URL) -> Void

        init(found: @escaping @MainActor (URL) -> Void) { self.found = found }

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
