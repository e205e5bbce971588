#include "CPage.h"

/* Each file of page/ stands here twice: its bytes, and its row in the table. A test compares the table with the folder. */

#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define DRAWING "image/svg+xml"
#define MANIFEST "application/manifest+json"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char app_css[] = {
#embed "page/app.css"
};

static const struct skerry_page_file files[] = {
    {"index.html", HTML, index_html, sizeof index_html},
    {"app.css", STYLE, app_css, sizeof app_css},
};

const struct skerry_page_file *skerry_page_file(size_t number) {
    return number < sizeof files / sizeof *files ? &files[number] : NULL;
}
