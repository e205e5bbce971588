// The functions of math.h that Embedded Swift calls where the processor has no instructions for numbers of 64 bits.

#include "support.h"

#ifdef __SOFTFP__

#define MANTISSA ((1ull << 52) - 1)
#define ONE_EXPONENT 1023

typedef union {
    double value;
    uint64_t bits;
} Number;

static int exponent_of(Number number) { return (int)(number.bits >> 52 & 0x7FF); }

double trunc(double value) {
    Number number = {.value = value};
    int places = exponent_of(number) - ONE_EXPONENT;
    if (places < 0) number.bits &= 1ull << 63;
    else if (places < 52) number.bits &= ~(MANTISSA >> places);
    return number.value;
}

double floor(double value) {
    double whole = trunc(value);
    return whole > value ? whole - 1 : whole;
}

double ceil(double value) {
    double whole = trunc(value);
    if (whole < value) return whole + 1;
    // Above -1 the result is -0, as IEEE 754 has it.
    return whole;
}

// Two binary digits of the root at a time; a root of 54 digits is never halfway between two numbers, so its last digit rounds.
double sqrt(double value) {
    Number number = {.value = value};
    if (value == 0 || value != value || number.bits == 0x7FFull << 52) return value;
    if (value < 0) return (value - value) / 0.0;
    int exponent = exponent_of(number);
    uint64_t rest = number.bits & MANTISSA;
    if (exponent > 0) rest |= MANTISSA + 1;
    else exponent = 1;
    while (rest <= MANTISSA) rest <<= 1, exponent--;
    int power = exponent - ONE_EXPONENT - 52;
    if (power & 1) rest <<= 1, power--;
    uint64_t root = 0, left = 0;
    for (int place = 52; place > -56; place -= 2) {
        left = left << 2 | (place >= 0 ? rest >> place & 3 : 0);
        uint64_t next = root << 2 | 1;
        root <<= 1;
        if (left >= next) left -= next, root |= 1;
    }
    uint64_t mantissa = (root >> 1) + (root & 1);
    number.bits = ((uint64_t)(power / 2 - 26 + ONE_EXPONENT + 52 - 1) << 52) + mantissa;
    return number.value;
}

#endif
