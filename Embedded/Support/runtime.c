// What a compiler expects of its runtime library.

#include "support.h"

// A function found the word behind its variables changed: the stack is not to be trusted any more.
uintptr_t __stack_chk_guard = 0x5AFE57AC;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

#ifdef __SIZEOF_INT128__

// The product of two numbers of 128 bits, of which WebAssembly has no instruction.
__int128 __multi3(__int128 left, __int128 right) {
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    uint64_t low_a = a & 0xFFFFFFFF, high_a = a >> 32, low_b = b & 0xFFFFFFFF, high_b = b >> 32;
    uint64_t low = low_a * low_b;
    uint64_t middle = high_a * low_b + (low >> 32);
    uint64_t other = low_a * high_b + (middle & 0xFFFFFFFF);
    uint64_t high = high_a * high_b + (middle >> 32) + (other >> 32);
    high += (uint64_t)((unsigned __int128)left >> 64) * b + a * (uint64_t)((unsigned __int128)right >> 64);
    return (__int128)((unsigned __int128)high << 64 | (other << 32 | (low & 0xFFFFFFFF)));
}

#endif

#ifdef __arm__

// The names that Arm's run-time ABI has for the functions of string.h; the digits say how the memory is aligned.
#define ALIGNED(name, parameters, body)                                                                                     \
    void name parameters body                                                                                               \
    void name##4 parameters body                                                                                            \
    void name##8 parameters body

ALIGNED(__aeabi_memcpy, (void *to, const void *from, size_t count), { memmove(to, from, count); })
ALIGNED(__aeabi_memmove, (void *to, const void *from, size_t count), { memmove(to, from, count); })
ALIGNED(__aeabi_memset, (void *to, size_t count, int byte), { memset(to, byte, count); })
ALIGNED(__aeabi_memclr, (void *to, size_t count), { memset(to, 0, count); })

#endif
