#ifndef SKERRY_CCURL_H
#define SKERRY_CCURL_H

#if !__has_include(<curl/curl.h>)
#error "the headers of libcurl are missing: apt-get install libcurl4-openssl-dev"
#endif
#include <curl/curl.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <time.h>

/* Loads libcurl by the name of its file; a process that sends no pushes does without its thirty libraries. On failure,
   `reason` is what the loader says, valid until its next call on this thread. All other functions may be called
   once it has returned true. See docs/decisions/0041-libcurl-on-demand.md. */
bool skerry_curl_load(const char *file, const char **reason);

CURLcode skerry_curl_global_init(void);
const curl_version_info_data *skerry_curl_version_info(void);
const char *skerry_curl_easy_strerror(CURLcode code);

CURL *skerry_curl_easy_init(void);
CURLcode skerry_curl_easy_perform(CURL *curl);
CURLcode skerry_curl_easy_upkeep(CURL *curl);
/* Goes on after a function for the body returned CURL_WRITEFUNC_PAUSE; the function gets the same bytes again. */
void skerry_curl_easy_resume(CURL *curl);
void skerry_curl_easy_reset(CURL *curl);
void skerry_curl_easy_cleanup(CURL *curl);

struct curl_slist *skerry_curl_slist_append(struct curl_slist *list, const char *line);
void skerry_curl_slist_free_all(struct curl_slist *list);

/* Seconds since 1970 of a date in any form of RFC 9110, section 5.6.7; -1 if it is none. */
time_t skerry_curl_getdate(const char *date);

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call. */
CURLcode skerry_curl_set_long(CURL *curl, CURLoption option, long value);
CURLcode skerry_curl_set_text(CURL *curl, CURLoption option, const char *value);
CURLcode skerry_curl_set_pointer(CURL *curl, CURLoption option, const void *value);
CURLcode skerry_curl_get_long(CURL *curl, CURLINFO info, long *value);
CURLcode skerry_curl_get_offset(CURL *curl, CURLINFO info, curl_off_t *value);

/* Sets the functions that an exchange calls; each gets the same context. */
void skerry_curl_set_functions(CURL *curl, curl_read_callback upload, curl_write_callback header,
                               curl_write_callback body, curl_xferinfo_callback progress, void *context);
/* Sets the function that hears what goes over the wire. */
void skerry_curl_set_trace(CURL *curl, curl_debug_callback trace, void *context);

/* Many exchanges on one thread. */
CURLM *skerry_curl_multi_init(long connections_per_host);
CURLMcode skerry_curl_multi_add(CURLM *multi, CURL *curl);
void skerry_curl_multi_remove(CURLM *multi, CURL *curl);
/* Goes on with all exchanges, and returns one that has ended, with its result; NULL if there is none. */
CURL *skerry_curl_multi_run(CURLM *multi, CURLcode *code);
/* Sleeps until an exchange can go on, the file is readable or the time is over. */
void skerry_curl_multi_sleep(CURLM *multi, int file, int milliseconds);
void skerry_curl_multi_cleanup(CURLM *multi);

#endif
