#include "CPage.h"

/* Each file of page/ stands here twice: its bytes, and its row in the table. A test compares the table with the folder. */

#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define DRAWING "image/svg+xml"
#define PICTURE "image/png"
#define MANIFEST "application/manifest+json"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char app_css[] = {
#embed "page/app.css"
};
static const unsigned char app_js[] = {
#embed "page/app.js"
};
static const unsigned char broker_js[] = {
#embed "page/broker.js"
};
static const unsigned char card_js[] = {
#embed "page/card.js"
};
static const unsigned char chart_layout_js[] = {
#embed "page/chart-layout.js"
};
static const unsigned char chart_ranks_js[] = {
#embed "page/chart-ranks.js"
};
static const unsigned char chart_js[] = {
#embed "page/chart.js"
};
static const unsigned char compare_js[] = {
#embed "page/compare.js"
};
static const unsigned char device_parts_js[] = {
#embed "page/device-parts.js"
};
static const unsigned char device_css[] = {
#embed "page/device.css"
};
static const unsigned char device_js[] = {
#embed "page/device.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char early_js[] = {
#embed "page/early.js"
};
static const unsigned char editor_js[] = {
#embed "page/editor.js"
};
static const unsigned char found_js[] = {
#embed "page/found.js"
};
static const unsigned char history_export_js[] = {
#embed "page/history-export.js"
};
static const unsigned char history_js[] = {
#embed "page/history.js"
};
static const unsigned char horizon_js[] = {
#embed "page/horizon.js"
};
static const unsigned char house_js[] = {
#embed "page/house.js"
};
static const unsigned char icon_180_png[] = {
#embed "page/icon-180.png"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char icons_js[] = {
#embed "page/icons.js"
};
static const unsigned char keep_js[] = {
#embed "page/keep.js"
};
static const unsigned char login_js[] = {
#embed "page/login.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "page/manifest.webmanifest"
};
static const unsigned char merge_js[] = {
#embed "page/merge.js"
};
static const unsigned char model_js[] = {
#embed "page/model.js"
};
static const unsigned char now_js[] = {
#embed "page/now.js"
};
static const unsigned char phone_devices_js[] = {
#embed "page/phone-devices.js"
};
static const unsigned char phone_draw_js[] = {
#embed "page/phone-draw.js"
};
static const unsigned char phone_layout_js[] = {
#embed "page/phone-layout.js"
};
static const unsigned char phone_css[] = {
#embed "page/phone.css"
};
static const unsigned char phone_js[] = {
#embed "page/phone.js"
};
static const unsigned char replay_css[] = {
#embed "page/replay.css"
};
static const unsigned char replay_js[] = {
#embed "page/replay.js"
};
static const unsigned char rooms_js[] = {
#embed "page/rooms.js"
};
static const unsigned char settings_css[] = {
#embed "page/settings.css"
};
static const unsigned char settings_js[] = {
#embed "page/settings.js"
};
static const unsigned char symbols_js[] = {
#embed "page/symbols.js"
};
static const unsigned char texts_phone_js[] = {
#embed "page/texts-phone.js"
};
static const unsigned char texts_settings_js[] = {
#embed "page/texts-settings.js"
};
static const unsigned char texts_shell_js[] = {
#embed "page/texts-shell.js"
};
static const unsigned char texts_views_js[] = {
#embed "page/texts-views.js"
};
static const unsigned char texts_js[] = {
#embed "page/texts.js"
};
static const unsigned char time_js[] = {
#embed "page/time.js"
};
static const unsigned char timeline_js[] = {
#embed "page/timeline.js"
};
static const unsigned char told_js[] = {
#embed "page/told.js"
};
static const unsigned char views_css[] = {
#embed "page/views.css"
};
static const unsigned char wall_js[] = {
#embed "page/wall.js"
};
static const unsigned char welcome_js[] = {
#embed "page/welcome.js"
};
static const unsigned char why_js[] = {
#embed "page/why.js"
};
static const unsigned char worker_js[] = {
#embed "page/worker.js"
};
static const unsigned char yaml_words_js[] = {
#embed "page/yaml-words.js"
};

static const unsigned char openapi_yaml[] = {
#embed "../../../docs/openapi.yaml"
};

static const struct skerry_page_file files[] = {
    {"index.html", HTML, index_html, sizeof index_html},
    {"api.js", SCRIPT, api_js, sizeof api_js},
    {"app.css", STYLE, app_css, sizeof app_css},
    {"app.js", SCRIPT, app_js, sizeof app_js},
    {"broker.js", SCRIPT, broker_js, sizeof broker_js},
    {"card.js", SCRIPT, card_js, sizeof card_js},
    {"chart-layout.js", SCRIPT, chart_layout_js, sizeof chart_layout_js},
    {"chart-ranks.js", SCRIPT, chart_ranks_js, sizeof chart_ranks_js},
    {"chart.js", SCRIPT, chart_js, sizeof chart_js},
    {"compare.js", SCRIPT, compare_js, sizeof compare_js},
    {"device-parts.js", SCRIPT, device_parts_js, sizeof device_parts_js},
    {"device.css", STYLE, device_css, sizeof device_css},
    {"device.js", SCRIPT, device_js, sizeof device_js},
    {"dom.js", SCRIPT, dom_js, sizeof dom_js},
    {"early.js", SCRIPT, early_js, sizeof early_js},
    {"editor.js", SCRIPT, editor_js, sizeof editor_js},
    {"found.js", SCRIPT, found_js, sizeof found_js},
    {"history-export.js", SCRIPT, history_export_js, sizeof history_export_js},
    {"history.js", SCRIPT, history_js, sizeof history_js},
    {"horizon.js", SCRIPT, horizon_js, sizeof horizon_js},
    {"house.js", SCRIPT, house_js, sizeof house_js},
    {"icon-180.png", PICTURE, icon_180_png, sizeof icon_180_png},
    {"icon.svg", DRAWING, icon_svg, sizeof icon_svg},
    {"icons.js", SCRIPT, icons_js, sizeof icons_js},
    {"keep.js", SCRIPT, keep_js, sizeof keep_js},
    {"login.js", SCRIPT, login_js, sizeof login_js},
    {"manifest.webmanifest", MANIFEST, manifest_webmanifest, sizeof manifest_webmanifest},
    {"merge.js", SCRIPT, merge_js, sizeof merge_js},
    {"model.js", SCRIPT, model_js, sizeof model_js},
    {"now.js", SCRIPT, now_js, sizeof now_js},
    {"phone-devices.js", SCRIPT, phone_devices_js, sizeof phone_devices_js},
    {"phone-draw.js", SCRIPT, phone_draw_js, sizeof phone_draw_js},
    {"phone-layout.js", SCRIPT, phone_layout_js, sizeof phone_layout_js},
    {"phone.css", STYLE, phone_css, sizeof phone_css},
    {"phone.js", SCRIPT, phone_js, sizeof phone_js},
    {"replay.css", STYLE, replay_css, sizeof replay_css},
    {"replay.js", SCRIPT, replay_js, sizeof replay_js},
    {"rooms.js", SCRIPT, rooms_js, sizeof rooms_js},
    {"settings.css", STYLE, settings_css, sizeof settings_css},
    {"settings.js", SCRIPT, settings_js, sizeof settings_js},
    {"symbols.js", SCRIPT, symbols_js, sizeof symbols_js},
    {"texts-phone.js", SCRIPT, texts_phone_js, sizeof texts_phone_js},
    {"texts-settings.js", SCRIPT, texts_settings_js, sizeof texts_settings_js},
    {"texts-shell.js", SCRIPT, texts_shell_js, sizeof texts_shell_js},
    {"texts-views.js", SCRIPT, texts_views_js, sizeof texts_views_js},
    {"texts.js", SCRIPT, texts_js, sizeof texts_js},
    {"time.js", SCRIPT, time_js, sizeof time_js},
    {"timeline.js", SCRIPT, timeline_js, sizeof timeline_js},
    {"told.js", SCRIPT, told_js, sizeof told_js},
    {"views.css", STYLE, views_css, sizeof views_css},
    {"wall.js", SCRIPT, wall_js, sizeof wall_js},
    {"welcome.js", SCRIPT, welcome_js, sizeof welcome_js},
    {"why.js", SCRIPT, why_js, sizeof why_js},
    {"worker.js", SCRIPT, worker_js, sizeof worker_js},
    {"yaml-words.js", SCRIPT, yaml_words_js, sizeof yaml_words_js},
};

const struct skerry_page_file *skerry_page_file(size_t number) {
    return number < sizeof files / sizeof *files ? &files[number] : NULL;
}

static const struct skerry_page_file description = {"openapi.yaml", "application/yaml", openapi_yaml, sizeof openapi_yaml};

const struct skerry_page_file *skerry_api_description(void) { return &description; }
