#include "CAppSources.h"

/* reporter/ is written by `skerry generate`, app/ by `skerry generate app` alone, and views/ is a part of the views. */

#pragma clang diagnostic ignored "-Wc23-extensions"

/* The rule by which texts lack missing values, which Skerry itself follows. */
static const unsigned char text_piece[] = {
#embed "../../Core/SkerryValues/TextPiece.swift"
};
static const unsigned char app[] = {
#embed "reporter/SkerryApp.swift"
};
static const unsigned char chosen_device[] = {
#embed "reporter/SkerryChosenDevice.swift"
};
static const unsigned char control[] = {
#embed "reporter/SkerryControl.swift"
};
static const unsigned char courier[] = {
#embed "reporter/SkerryCourier.swift"
};
static const unsigned char device_widget[] = {
#embed "reporter/SkerryDeviceWidget.swift"
};
static const unsigned char event_intent[] = {
#embed "reporter/SkerryEventIntent.swift"
};
static const unsigned char follower[] = {
#embed "reporter/SkerryFollower.swift"
};
static const unsigned char explanation[] = {
#embed "reporter/SkerryExplanation.swift"
};
static const unsigned char gateway[] = {
#embed "reporter/SkerryGateway.swift"
};
static const unsigned char keychain[] = {
#embed "reporter/SkerryKeychain.swift"
};
static const unsigned char pairing[] = {
#embed "reporter/SkerryPairing.swift"
};
static const unsigned char reporter[] = {
#embed "reporter/SkerryReporter.swift"
};
static const unsigned char reports[] = {
#embed "reporter/SkerryReports.swift"
};
static const unsigned char stream[] = {
#embed "reporter/SkerryStream.swift"
};
static const unsigned char timeline[] = {
#embed "reporter/SkerryTimeline.swift"
};
static const unsigned char widget_pushes[] = {
#embed "reporter/SkerryWidgetPushes.swift"
};
static const unsigned char activities_view[] = {
#embed "app/App/ActivitiesView.swift"
};
static const unsigned char phrases[] = {
#embed "app/App/AppShortcuts.xcstrings"
};
static const unsigned char icon[] = {
#embed "app/App/Assets.xcassets/AppIcon.appiconset/Contents.json"
};
static const unsigned char assets[] = {
#embed "app/App/Assets.xcassets/Contents.json"
};
static const unsigned char pictures[] = {
#embed "app/Shared/Pictures.xcassets/Contents.json"
};
static const unsigned char privacy[] = {
#embed "app/Shared/PrivacyInfo.xcprivacy"
};
static const unsigned char app_words[] = {
#embed "app/App/InfoPlist.xcstrings"
};
static const unsigned char words[] = {
#embed "app/Shared/Localizable.xcstrings"
};
static const unsigned char house[] = {
#embed "app/App/House.swift"
};
static const unsigned char house_app[] = {
#embed "app/App/HouseApp.swift"
};
static const unsigned char pairing_view[] = {
#embed "app/App/PairingView.swift"
};
static const unsigned char runs_view[] = {
#embed "app/App/RunsView.swift"
};
static const unsigned char settings_view[] = {
#embed "app/App/SettingsView.swift"
};
static const unsigned char shortcuts[] = {
#embed "app/App/Shortcuts.swift"
};
static const unsigned char settings[] = {
#embed "app/Settings.xcconfig"
};
static const unsigned char app_info[] = {
#embed "app/Support/App-Info.plist"
};
static const unsigned char app_entitlements[] = {
#embed "app/Support/App.entitlements"
};
static const unsigned char widgets_info[] = {
#embed "app/Support/Widgets-Info.plist"
};
static const unsigned char widgets_entitlements[] = {
#embed "app/Support/Widgets.entitlements"
};
static const unsigned char project[] = {
#embed "app/project.pbxproj"
};

static const struct skerry_app_source sources[] = {
    {"views/TextPiece.swift", text_piece, sizeof text_piece},
    {"reporter/SkerryApp.swift", app, sizeof app},
    {"reporter/SkerryChosenDevice.swift", chosen_device, sizeof chosen_device},
    {"reporter/SkerryControl.swift", control, sizeof control},
    {"reporter/SkerryCourier.swift", courier, sizeof courier},
    {"reporter/SkerryDeviceWidget.swift", device_widget, sizeof device_widget},
    {"reporter/SkerryEventIntent.swift", event_intent, sizeof event_intent},
    {"reporter/SkerryExplanation.swift", explanation, sizeof explanation},
    {"reporter/SkerryFollower.swift", follower, sizeof follower},
    {"reporter/SkerryGateway.swift", gateway, sizeof gateway},
    {"reporter/SkerryKeychain.swift", keychain, sizeof keychain},
    {"reporter/SkerryPairing.swift", pairing, sizeof pairing},
    {"reporter/SkerryReporter.swift", reporter, sizeof reporter},
    {"reporter/SkerryReports.swift", reports, sizeof reports},
    {"reporter/SkerryStream.swift", stream, sizeof stream},
    {"reporter/SkerryTimeline.swift", timeline, sizeof timeline},
    {"reporter/SkerryWidgetPushes.swift", widget_pushes, sizeof widget_pushes},
    {"app/App/ActivitiesView.swift", activities_view, sizeof activities_view},
    {"app/App/AppShortcuts.xcstrings", phrases, sizeof phrases},
    {"app/App/Assets.xcassets/AppIcon.appiconset/Contents.json", icon, sizeof icon},
    {"app/App/Assets.xcassets/Contents.json", assets, sizeof assets},
    {"app/App/House.swift", house, sizeof house},
    {"app/App/HouseApp.swift", house_app, sizeof house_app},
    {"app/App/InfoPlist.xcstrings", app_words, sizeof app_words},
    {"app/App/PairingView.swift", pairing_view, sizeof pairing_view},
    {"app/App/RunsView.swift", runs_view, sizeof runs_view},
    {"app/App/SettingsView.swift", settings_view, sizeof settings_view},
    {"app/App/Shortcuts.swift", shortcuts, sizeof shortcuts},
    {"app/Settings.xcconfig", settings, sizeof settings},
    {"app/Shared/Localizable.xcstrings", words, sizeof words},
    {"app/Shared/Pictures.xcassets/Contents.json", pictures, sizeof pictures},
    {"app/Shared/PrivacyInfo.xcprivacy", privacy, sizeof privacy},
    {"app/Support/App-Info.plist", app_info, sizeof app_info},
    {"app/Support/App.entitlements", app_entitlements, sizeof app_entitlements},
    {"app/Support/Widgets-Info.plist", widgets_info, sizeof widgets_info},
    {"app/Support/Widgets.entitlements", widgets_entitlements, sizeof widgets_entitlements},
    {"app/project.pbxproj", project, sizeof project},
};

const struct skerry_app_source *skerry_app_source(size_t number) {
    return number < sizeof sources / sizeof *sources ? &sources[number] : NULL;
}
