// Numbers in texts, rounded exactly, and halves rounded away from zero: what Embedded Swift takes from a libc.

#include "support.h"

// Digits beyond these can't change the result, except that there are any which are not 0.
#define DIGITS 800
// Words of a number as large as those digits with the exponents of a double on both sides.
#define WORDS 256

typedef struct {
    uint32_t word[WORDS];
    int count;
} Large;

static void multiply(Large *number, uint32_t factor, uint32_t carry) {
    uint64_t rest = carry;
    for (int place = 0; place < number->count; place++) {
        rest += (uint64_t)number->word[place] * factor;
        number->word[place] = (uint32_t)rest;
        rest >>= 32;
    }
    if (rest != 0 && number->count < WORDS) number->word[number->count++] = (uint32_t)rest;
}

static int bits(const Large *number) {
    return number->count == 0 ? 0 : 32 * number->count - __builtin_clz(number->word[number->count - 1]);
}

static void shift_left(Large *number, int by) {
    int words = by / 32, rest = by % 32;
    if (number->count == 0) return;
    for (int place = number->count; place >= 0; place--) {
        uint64_t high = place < number->count ? number->word[place] : 0;
        uint32_t low = place > 0 ? number->word[place - 1] : 0;
        number->word[place + words] = (uint32_t)((high << 32 | low) >> (32 - rest));
    }
    for (int place = 0; place < words; place++) number->word[place] = 0;
    number->count += words + 1;
    while (number->count > 0 && number->word[number->count - 1] == 0) number->count--;
}

static void halve(Large *number) {
    for (int place = 0; place < number->count; place++) {
        uint32_t high = place + 1 < number->count ? number->word[place + 1] : 0;
        number->word[place] = number->word[place] >> 1 | high << 31;
    }
    if (number->count > 0 && number->word[number->count - 1] == 0) number->count--;
}

static bool is_less(const Large *left, const Large *right) {
    if (left->count != right->count) return left->count < right->count;
    for (int place = left->count - 1; place >= 0; place--) {
        if (left->word[place] != right->word[place]) return left->word[place] < right->word[place];
    }
    return false;
}

static void subtract(Large *from, const Large *number) {
    int64_t borrow = 0;
    for (int place = 0; place < from->count; place++) {
        borrow += from->word[place];
        if (place < number->count) borrow -= number->word[place];
        from->word[place] = (uint32_t)borrow;
        borrow >>= 32;
    }
    while (from->count > 0 && from->word[from->count - 1] == 0) from->count--;
}

static double from_bits(uint64_t value) {
    union {
        uint64_t bits;
        double number;
    } both = {.bits = value};
    return both.number;
}

// The double nearest to a fraction, the even one of two; by long division of large numbers.
static double nearest(Large *above, Large *below) {
    int exponent = bits(above) - bits(below) - 54;
    if (exponent < 0) shift_left(above, -exponent);
    if (exponent > 0) shift_left(below, exponent);
    shift_left(below, 55);
    uint64_t quotient = 0;
    for (int bit = 55; bit >= 0; bit--) {
        if (!is_less(above, below)) {
            subtract(above, below);
            quotient |= (uint64_t)1 << bit;
        }
        halve(below);
    }
    int extra = 64 - __builtin_clzll(quotient) - 53;
    if (exponent + extra < -1074) extra = -1074 - exponent;
    if (extra > 62) return 0;
    uint64_t lost = quotient & (((uint64_t)1 << extra) - 1), half = (uint64_t)1 << (extra - 1);
    quotient >>= extra;
    exponent += extra;
    if (lost > half || (lost == half && (above->count > 0 || (quotient & 1) != 0))) quotient++;
    if (quotient == (uint64_t)1 << 53) quotient >>= 1, exponent++;
    if (quotient < (uint64_t)1 << 52) return from_bits(quotient);
    if (exponent + 1075 >= 2047) return from_bits((uint64_t)2047 << 52);
    return from_bits((uint64_t)(exponent + 1075) << 52 | (quotient & (((uint64_t)1 << 52) - 1)));
}

static double exact(const uint8_t *digits, int count, int power) {
    static Large above, below;
    uint64_t small = 0;
    above.count = below.count = 0;
    if (count == 0 || count + power < -330) return 0;
    if (count + power > 310) return from_bits((uint64_t)2047 << 52);
    if (count <= 15 && power >= -22 && power <= 22) {
        // Both are exact as doubles, so one operation rounds once.
        double scale = 1, number;
        for (int place = 0; place < count; place++) small = small * 10 + digits[place];
        for (int place = 0; place < (power < 0 ? -power : power); place++) scale *= 10;
        number = (double)small;
        return power < 0 ? number / scale : number * scale;
    }
    for (int place = 0; place < count; place++) multiply(&above, 10, digits[place]);
    multiply(&below, 1, 1);
    for (int place = 0; place < (power < 0 ? -power : power); place++) multiply(power < 0 ? &below : &above, 10, 0);
    return nearest(&above, &below);
}

static bool is_word(const char *text, const char *word) {
    while (*word != 0 && (*text | 0x20) == *word) text++, word++;
    return *word == 0 && *text == 0;
}

// Reads a decimal number, `inf`, `infinity` or `nan`; NULL for anything else, hexadecimal numbers too. Returns the end of it.
const char *_swift_stdlib_strtod_clocale(const char *text, double *number) {
    static uint8_t digits[DIGITS];
    int count = 0, power = 0, given = 0;
    bool isNegative = *text == '-', hasPoint = false;
    double magnitude;
    if (*text == '-' || *text == '+') text++;
    if (is_word(text, "inf") || is_word(text, "infinity") || is_word(text, "nan")) {
        magnitude = from_bits((*text | 0x20) == 'n' ? (uint64_t)0x7FF8 << 48 : (uint64_t)0x7FF0 << 48);
        text += strlen(text);
    } else {
        for (; (*text >= '0' && *text <= '9') || (*text == '.' && !hasPoint); text++) {
            if (*text == '.') {
                hasPoint = true;
                continue;
            }
            uint8_t digit = (uint8_t)(*text - '0');
            given = 1;
            if (count < DIGITS - 1) {
                if (count > 0 || digit != 0) digits[count++] = digit;
                if (hasPoint && power > -100000) power--;
            } else {
                if (!hasPoint && power < 100000) power++;
                if (digit != 0) digits[DIGITS - 2] |= 1;
            }
        }
        if (!given) return NULL;
        if ((*text | 0x20) == 'e') {
            const char *place = text + 1;
            bool isSmall = *place == '-';
            int exponent = 0;
            if (*place == '-' || *place == '+') place++;
            if (*place >= '0' && *place <= '9') {
                for (; *place >= '0' && *place <= '9'; place++) {
                    if (exponent < 100000) exponent = exponent * 10 + (*place - '0');
                }
                power += isSmall ? -exponent : exponent;
                text = place;
            }
        }
        magnitude = exact(digits, count, power);
    }
    *number = isNegative ? -magnitude : magnitude;
    return text;
}

double round(double number) {
    double whole = __builtin_trunc(number);
    double rest = number - whole;
    if (rest >= 0.5) return whole + 1;
    if (rest <= -0.5) return whole - 1;
    return whole == 0 ? __builtin_copysign(0.0, number) : whole;
}
