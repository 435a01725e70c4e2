// libcurl, as far as Forme uses it. Its options are variadic calls, which Swift cannot import.
#pragma once
#include <curl/curl.h>

typedef size_t (*forme_curl_receiver)(char *bytes, size_t size, size_t count, void *owner);

static inline CURLcode forme_curl_number(CURL *call, CURLoption option, long value) {
    return curl_easy_setopt(call, option, value);
}
static inline CURLcode forme_curl_text(CURL *call, CURLoption option, const char *value) {
    return curl_easy_setopt(call, option, value);
}
static inline CURLcode forme_curl_headers(CURL *call, struct curl_slist *headers) {
    return curl_easy_setopt(call, CURLOPT_HTTPHEADER, headers);
}
// A POST of these bytes, which are copied.
static inline CURLcode forme_curl_post(CURL *call, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(call, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code == CURLE_OK ? curl_easy_setopt(call, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}
static inline CURLcode forme_curl_receive(CURL *call, forme_curl_receiver receiver, void *owner) {
    CURLcode code = curl_easy_setopt(call, CURLOPT_WRITEFUNCTION, receiver);
    return code == CURLE_OK ? curl_easy_setopt(call, CURLOPT_WRITEDATA, owner) : code;
}
static inline long forme_curl_status(CURL *call) {
    long status = 0;
    return curl_easy_getinfo(call, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
// Bytes of requests that were given to the kernel, over all connections that were tried.
static inline long forme_curl_sent(CURL *call) {
    long bytes = 0;
    return curl_easy_getinfo(call, CURLINFO_REQUEST_SIZE, &bytes) == CURLE_OK ? bytes : 1;
}
