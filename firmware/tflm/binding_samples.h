// What front ends have in common: states that one call has at a time; samples, of sound.
// Included once, after binding.h, by modtflm.c and ../natmod/natmod.c, which define before:
//   claims_begin(), claims_end(state)   between them nobody else claims
//   TFLM_NO_SOUND                       where there are only pictures

// A buffer of `size` bytes at least, whose address is a multiple of 4.
static mp_buffer_info_t get_words(
    mp_obj_t words_in, size_t size, mp_uint_t flags, mp_rom_error_text_t name) {
    mp_buffer_info_t words;
    mp_get_buffer_raise(words_in, &words, flags);
    if (words.len < size || (uintptr_t)words.buf % sizeof(uint32_t) != 0) {
        mp_raise_ValueError(name);
    }
    return words;
}

// Tests and sets in one step: an interrupt or another core may be about to do the same.
static bool claim(uint32_t *is_busy) {
    const mp_uint_t state = claims_begin();
    const bool was_busy = *is_busy != 0;
    *is_busy = 1;
    claims_end(state);
    return !was_busy;
}

#ifndef TFLM_NO_SOUND
// audio_claim(state): false where somebody has it; else the first byte gives it back, set to 0.
static mp_obj_t audio_claim(mp_obj_t state_in) {
    return mp_obj_new_bool(claim(get_words(state_in, sizeof(uint32_t), MP_BUFFER_WRITE,
        MP_ERROR_TEXT("state")).buf));
}
static MP_DEFINE_CONST_FUN_OBJ_1(audio_claim_obj, audio_claim);

typedef struct {
    const uint8_t *bytes;
    int32_t count;
} samples_t;

static samples_t get_samples(mp_obj_t samples_in) {
    mp_buffer_info_t info;
    mp_get_buffer_raise(samples_in, &info, MP_BUFFER_READ);
    const char code = (char)info.typecode;
    if (code != 'h' && code != 'B' && code != 'b' && code != BYTEARRAY_TYPECODE) {
        mp_raise_TypeError(MP_ERROR_TEXT("samples: int16 expected"));
    }
    if (info.len % sizeof(int16_t) != 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("samples: an odd number of bytes"));
    }
    if (info.len / sizeof(int16_t) > MP_SMALL_INT_MAX / 2) {
        mp_raise_ValueError(MP_ERROR_TEXT("samples: too many"));
    }
    return (samples_t) {info.buf, (int32_t)(info.len / sizeof(int16_t))};
}
#endif
