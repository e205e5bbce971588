// What the generated app uses of VisionKit, with the signatures of the SDK of iOS 17.2. There is no camera here.

public import Foundation
public import UIKit

@MainActor open class DataScannerViewController: UIViewController {
    public struct RecognizedDataType: Hashable, Sendable {
        public static func barcode(symbologies: [VNBarcodeSymbology] = []) -> RecognizedDataType {
            RecognizedDataType()
        }
    }

    public enum QualityLevel: Sendable {
        case balanced, fast, accurate
    }

    public enum ScanningUnavailable: Error {
        case unsupported, cameraRestricted
    }

    public class var isSupported: Bool { false }
    public class var isAvailable: Bool { false }
    public weak var delegate: (any DataScannerViewControllerDelegate)?

    public init(
        recognizedDataTypes: Set<RecognizedDataType>,
        qualityLevel: QualityLevel = .balanced,
        recognizesMultipleItems: Bool = false,
        isHighFrameRateTrackingEnabled: Bool = true,
        isPinchToZoomEnabled: Bool = true,
        isGuidanceEnabled: Bool = true,
        isHighlightingEnabled: Bool = false
    ) {}
    public func startScanning() throws {}
    public func stopScanning() {}
}

@MainActor public protocol DataScannerViewControllerDelegate: AnyObject {
    func dataScanner(
        _ dataScanner: DataScannerViewController,
        didAdd addedItems: [RecognizedItem],
        allItems: [RecognizedItem]
    )
    func dataScanner(
        _ dataScanner: DataScannerViewController,
        becameUnavailableWithError error: DataScannerViewController.ScanningUnavailable
    )
}

public enum RecognizedItem: Identifiable, Sendable {
    public struct Barcode: Identifiable, Sendable {
        public let id: UUID
        public let payloadStringValue: String?
    }

    case barcode(Barcode)

    public var id: UUID {
        switch self {
        case .barcode(let barcode): barcode.id
        }
    }
}

/// Of Vision, which VisionKit exports.
public struct VNBarcodeSymbology: Hashable, Sendable {
    public static let qr = VNBarcodeSymbology()
}
