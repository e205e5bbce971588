#ifndef SKERRY_CCURL_SHIM_H
#define SKERRY_CCURL_SHIM_H

#include <curl/curl.h>
#include <sys/eventfd.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call. */
static inline CURLcode skerry_curl_set_long(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode skerry_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode skerry_curl_set_pointer(CURL *curl, CURLoption option, const void *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode skerry_curl_get_long(CURL *curl, CURLINFO info, long *value) {
    return curl_easy_getinfo(curl, info, value);
}
static inline CURLcode skerry_curl_get_offset(CURL *curl, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(curl, info, value);
}

/* Sets the functions that an exchange calls; each gets the same context. */
static inline void skerry_curl_set_functions(CURL *curl, curl_read_callback upload, curl_write_callback header,
                                             curl_write_callback body, curl_xferinfo_callback progress,
                                             void *context) {
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, upload);
    curl_easy_setopt(curl, CURLOPT_READDATA, context);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, context);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
}

/* Sets the function that hears what goes over the wire. */
static inline void skerry_curl_set_trace(CURL *curl, curl_debug_callback trace, void *context) {
    curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, trace);
    curl_easy_setopt(curl, CURLOPT_DEBUGDATA, context);
    curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L);
}

#endif
