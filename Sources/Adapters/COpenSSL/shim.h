#ifndef SKERRY_COPENSSL_SHIM_H
#define SKERRY_COPENSSL_SHIM_H

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/sha.h>

/* ES256 and RS256 (RFC 7518 sections 3.4 and 3.3) with keys in PEM. Each function returns 1, or 0 when a key or a signature is no good. */

/* libcrypto would ask the terminal for a password. */
static inline int skerry_no_password(char *buffer, int size, int writing, void *context) {
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

/* Makes a key of a PEM text, private or public; NULL when it is none. */
static inline EVP_PKEY *skerry_read_key(const void *pem, size_t length, int is_private) {
    BIO *input = BIO_new_mem_buf(pem, (int)length);
    if (!input) return NULL;
    EVP_PKEY *key = is_private ? PEM_read_bio_PrivateKey(input, NULL, skerry_no_password, NULL)
                               : PEM_read_bio_PUBKEY(input, NULL, skerry_no_password, NULL);
    BIO_free(input);
    /* What is left in the queue of this thread would be taken for a fault of the next connection. */
    ERR_clear_error();
    return key;
}

/* The same for keys on the curve P-256. */
static inline EVP_PKEY *skerry_p256_key(const void *pem, size_t length, int is_private) {
    EVP_PKEY *key = skerry_read_key(pem, length, is_private);
    char group[32] = "";
    if (key && (!EVP_PKEY_get_group_name(key, group, sizeof group, NULL) || OBJ_sn2nid(group) != NID_X9_62_prime256v1)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    ERR_clear_error();
    return key;
}

/* Writes a key as PEM with a zero at the end, the private half or the public one, and lets go of it. */
static inline int skerry_p256_write(EVP_PKEY *key, int is_private, char *pem, size_t size) {
    BIO *output = key ? BIO_new(BIO_s_mem()) : NULL;
    int is_written = output && (is_private ? PEM_write_bio_PKCS8PrivateKey(output, key, NULL, NULL, 0, NULL, NULL)
                                           : PEM_write_bio_PUBKEY(output, key));
    int length = is_written ? BIO_read(output, pem, (int)size - 1) : 0;
    if (length > 0) pem[length] = 0;
    BIO_free(output);
    EVP_PKEY_free(key);
    return length > 0;
}

static inline int skerry_p256_make(char *pem, size_t size) {
    return skerry_p256_write(EVP_EC_gen("P-256"), 1, pem, size);
}

static inline int skerry_p256_public(const void *pem, size_t length, char *public_pem, size_t size) {
    return skerry_p256_write(skerry_p256_key(pem, length, 1), 0, public_pem, size);
}

/* Signs a text; the signature is r and s, 32 bytes each. */
static inline int skerry_es256_sign(const void *pem, size_t length, const void *text, size_t text_length,
                                    unsigned char signature[64]) {
    EVP_PKEY *key = skerry_p256_key(pem, length, 1);
    EVP_MD_CTX *context = key ? EVP_MD_CTX_new() : NULL;
    unsigned char der[80];
    size_t der_length = sizeof der;
    const unsigned char *position = der;
    ECDSA_SIG *parts = NULL;
    if (context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, der, &der_length, text, text_length) == 1)
        parts = d2i_ECDSA_SIG(NULL, &position, (long)der_length);
    int is_signed = parts && BN_bn2binpad(ECDSA_SIG_get0_r(parts), signature, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(parts), signature + 32, 32) == 32;
    ECDSA_SIG_free(parts);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return is_signed;
}

/* Checks such a signature with the public half of the key. */
static inline int skerry_es256_verify(const void *public_pem, size_t length, const void *text, size_t text_length,
                                      const unsigned char signature[64]) {
    EVP_PKEY *key = skerry_p256_key(public_pem, length, 0);
    EVP_MD_CTX *context = key ? EVP_MD_CTX_new() : NULL;
    ECDSA_SIG *parts = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
    unsigned char *der = NULL;
    int der_length = 0;
    if (parts && r && s && ECDSA_SIG_set0(parts, r, s))
        der_length = i2d_ECDSA_SIG(parts, &der);
    else
        BN_free(r), BN_free(s);
    int is_valid = context && der_length > 0
                   && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1
                   && EVP_DigestVerify(context, der, (size_t)der_length, text, text_length) == 1;
    OPENSSL_free(der);
    ECDSA_SIG_free(parts);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return is_valid;
}

/* Signs a text with a private RSA key; `length` is the room for the signature, and then what it takes. */
static inline int skerry_rs256_sign(const void *pem, size_t pem_length, const void *text, size_t text_length,
                                    unsigned char *signature, size_t *length) {
    EVP_PKEY *key = skerry_read_key(pem, pem_length, 1);
    EVP_MD_CTX *context = key && EVP_PKEY_is_a(key, "RSA") ? EVP_MD_CTX_new() : NULL;
    int is_signed = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
                    && EVP_DigestSign(context, signature, length, text, text_length) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return is_signed;
}

#endif
