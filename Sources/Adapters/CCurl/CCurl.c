// The functions of libcurl that Skerry calls, found in the library when it is loaded.

#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#define EACH_FUNCTION(of) \
    of(global_init) of(version_info) of(easy_strerror) of(easy_init) of(easy_perform) of(easy_upkeep) of(easy_reset) \
    of(easy_cleanup) of(easy_pause) of(easy_setopt) of(easy_getinfo) of(slist_append) of(slist_free_all) \
    of(getdate) of(multi_init) of(multi_setopt) of(multi_add_handle) of(multi_remove_handle) of(multi_perform) \
    of(multi_poll) of(multi_info_read) of(multi_cleanup)

#define DECLARE(name) __typeof__(curl_##name) *name;
static struct library { EACH_FUNCTION(DECLARE) } library;

bool skerry_curl_load(const char *file, const char **reason) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        *reason = dlerror();
        return false;
    }
    struct library found;
#define FIND(name) \
    if ((found.name = (__typeof__(found.name))dlsym(handle, "curl_" #name)) == NULL) { \
        *reason = dlerror(); \
        return false; \
    }
    EACH_FUNCTION(FIND)
    // Threads may call the functions already that were found before.
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_loaded;
    pthread_mutex_lock(&lock);
    if (!is_loaded) library = found;
    is_loaded = true;
    pthread_mutex_unlock(&lock);
    return true;
}

CURLcode skerry_curl_global_init(void) {
    return library.global_init(CURL_GLOBAL_DEFAULT);
}

const curl_version_info_data *skerry_curl_version_info(void) {
    return library.version_info(CURLVERSION_FIRST);
}

const char *skerry_curl_easy_strerror(CURLcode code) {
    return library.easy_strerror(code);
}

CURL *skerry_curl_easy_init(void) {
    return library.easy_init();
}

CURLcode skerry_curl_easy_perform(CURL *curl) {
    return library.easy_perform(curl);
}

CURLcode skerry_curl_easy_upkeep(CURL *curl) {
    return library.easy_upkeep(curl);
}

void skerry_curl_easy_resume(CURL *curl) {
    library.easy_pause(curl, CURLPAUSE_CONT);
}

void skerry_curl_easy_reset(CURL *curl) {
    library.easy_reset(curl);
}

void skerry_curl_easy_cleanup(CURL *curl) {
    library.easy_cleanup(curl);
}

struct curl_slist *skerry_curl_slist_append(struct curl_slist *list, const char *line) {
    return library.slist_append(list, line);
}

void skerry_curl_slist_free_all(struct curl_slist *list) {
    library.slist_free_all(list);
}

time_t skerry_curl_getdate(const char *date) {
    return library.getdate(date, NULL);
}

CURLcode skerry_curl_set_long(CURL *curl, CURLoption option, long value) {
    return library.easy_setopt(curl, option, value);
}

CURLcode skerry_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return library.easy_setopt(curl, option, value);
}

CURLcode skerry_curl_set_pointer(CURL *curl, CURLoption option, const void *value) {
    return library.easy_setopt(curl, option, value);
}

CURLcode skerry_curl_get_long(CURL *curl, CURLINFO info, long *value) {
    return library.easy_getinfo(curl, info, value);
}

CURLcode skerry_curl_get_offset(CURL *curl, CURLINFO info, curl_off_t *value) {
    return library.easy_getinfo(curl, info, value);
}

void skerry_curl_set_functions(CURL *curl, curl_read_callback upload, curl_write_callback header,
                               curl_write_callback body, curl_xferinfo_callback progress, void *context) {
    library.easy_setopt(curl, CURLOPT_READFUNCTION, upload);
    library.easy_setopt(curl, CURLOPT_READDATA, context);
    library.easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
    library.easy_setopt(curl, CURLOPT_HEADERDATA, context);
    library.easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
    library.easy_setopt(curl, CURLOPT_WRITEDATA, context);
    library.easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress);
    library.easy_setopt(curl, CURLOPT_XFERINFODATA, context);
    library.easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
}

void skerry_curl_set_trace(CURL *curl, curl_debug_callback trace, void *context) {
    library.easy_setopt(curl, CURLOPT_DEBUGFUNCTION, trace);
    library.easy_setopt(curl, CURLOPT_DEBUGDATA, context);
    library.easy_setopt(curl, CURLOPT_VERBOSE, 1L);
}

CURLM *skerry_curl_multi_init(long connections_per_host) {
    CURLM *multi = library.multi_init();
    if (multi != NULL) library.multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections_per_host);
    return multi;
}

CURLMcode skerry_curl_multi_add(CURLM *multi, CURL *curl) {
    return library.multi_add_handle(multi, curl);
}

void skerry_curl_multi_remove(CURLM *multi, CURL *curl) {
    library.multi_remove_handle(multi, curl);
}

CURL *skerry_curl_multi_run(CURLM *multi, CURLcode *code) {
    int count;
    library.multi_perform(multi, &count);
    for (CURLMsg *message; (message = library.multi_info_read(multi, &count)) != NULL;) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

void skerry_curl_multi_sleep(CURLM *multi, int file, int milliseconds) {
    struct curl_waitfd further = {.fd = file, .events = CURL_WAIT_POLLIN};
    library.multi_poll(multi, &further, 1, milliseconds, NULL);
}

void skerry_curl_multi_cleanup(CURLM *multi) {
    library.multi_cleanup(multi);
}
