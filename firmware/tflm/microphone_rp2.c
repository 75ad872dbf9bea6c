// What AdcMicrophone of mp_modules/tflm/sources.py calls: the ADC of RP2040 and RP2350, 16,000 times
// a second, and DMA that writes to a ring.
//
// A soft reset leaves DMA running, which would write to the next program's heap. So it
// ends with the object, by its finaliser.
#include "hardware/adc.h"
#include "hardware/dma.h"
#include "hardware/timer.h"
#include "py/mperrno.h"
#include "py/runtime.h"

#include "audio/microphone.h"

enum {
    RATE = 16000,
    DIVIDER = 48000000 / RATE,  // of the ADC's clock
    LONGEST = RATE * 10,  // samples of a ring
};

typedef struct {
    mp_obj_base_t base;
    tflm_ring_t ring;
    uint64_t last;  // microseconds, of the ring's head
    int data, again;  // channels: one fills the ring, the other starts it again; -1: closed
} adc_t;

// There is one ADC: a new object takes it from the one before.
MP_REGISTER_ROOT_POINTER(void *tflm_adc);

static mp_obj_t adc_close(mp_obj_t self_in) {
    adc_t *self = MP_OBJ_TO_PTR(self_in);
    if (self->data >= 0) {
        adc_run(false);
        dma_channel_cleanup(self->again);
        dma_channel_cleanup(self->data);
        dma_channel_unclaim(self->again);
        dma_channel_unclaim(self->data);
        self->data = -1;
        MP_STATE_PORT(tflm_adc) = NULL;
    }
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(adc_close_obj, adc_close);

static void start(adc_t *self) {
    adc_run(false);
    adc_fifo_drain();
    adc_fifo_setup(true, true, 1, false, false);
    adc_hw->div = (DIVIDER - 1) << ADC_DIV_INT_LSB;

    dma_channel_config config = dma_channel_get_default_config(self->data);
    channel_config_set_transfer_data_size(&config, DMA_SIZE_16);
    channel_config_set_read_increment(&config, false);
    channel_config_set_write_increment(&config, true);
    channel_config_set_dreq(&config, DREQ_ADC);
    channel_config_set_chain_to(&config, self->again);
    channel_config_set_irq_quiet(&config, true);
    dma_channel_configure(self->data, &config, NULL, &adc_hw->fifo, self->ring.size, false);

    config = dma_channel_get_default_config(self->again);
    channel_config_set_read_increment(&config, false);
    channel_config_set_irq_quiet(&config, true);
    dma_channel_configure(self->again, &config, &dma_hw->ch[self->data].al2_write_addr_trig,
        &self->ring.samples, 1, true);
    self->last = time_us_64();
    adc_run(true);
}

// Adc(size): a ring of so many samples of the pin that was read last.
static mp_obj_t adc_make(
    const mp_obj_type_t *type, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    mp_arg_check_num(n_args, n_kw, 1, 1, false);
    const mp_int_t size = mp_obj_get_int(args[0]);
    if (size < 2 * TFLM_RING_MARGIN || size > LONGEST) {
        mp_raise_ValueError(MP_ERROR_TEXT("buffer: 1 to 9999 ms expected"));
    }
    if (MP_STATE_PORT(tflm_adc) != NULL) {
        adc_close(MP_OBJ_FROM_PTR(MP_STATE_PORT(tflm_adc)));
    }
    adc_t *self = mp_obj_malloc_with_finaliser(adc_t, type);
    self->data = -1;
    self->ring = (tflm_ring_t) {.size = (uint32_t)size, .mean = TFLM_MEAN_UNKNOWN};
    self->ring.samples = m_new(uint16_t, size);
    const int data = dma_claim_unused_channel(false);
    self->again = dma_claim_unused_channel(false);
    if (self->again < 0) {
        if (data >= 0) {
            dma_channel_unclaim(data);
        }
        mp_raise_OSError(MP_EBUSY);
    }
    self->data = data;
    MP_STATE_PORT(tflm_adc) = self;
    start(self);
    return MP_OBJ_FROM_PTR(self);
}

static void advance(adc_t *self) {
    if (self->data < 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("the microphone is closed"));
    }
    const uint32_t size = self->ring.size;
    const uint32_t head = (size - dma_hw->ch[self->data].transfer_count) % size;
    const uint64_t now = time_us_64();
    tflm_ring_advance(&self->ring, head, (uint32_t)((now - self->last) * (RATE / 1000) / 1000));
    self->last = now;
}

// read(buffer): waits until it is full; returns its bytes.
static mp_obj_t adc_read_into(mp_obj_t self_in, mp_obj_t buffer_in) {
    adc_t *self = MP_OBJ_TO_PTR(self_in);
    mp_buffer_info_t buffer;
    mp_get_buffer_raise(buffer_in, &buffer, MP_BUFFER_WRITE);
    const uint32_t count = buffer.len / sizeof(int16_t);
    uint32_t done = 0;
    for (;;) {
        advance(self);
        done += tflm_ring_read(&self->ring, (uint8_t *)buffer.buf + 2 * done, count - done);
        if (done == count) {
            return MP_OBJ_NEW_SMALL_INT(2 * count);
        }
        mp_event_wait_ms(1);
    }
}
static MP_DEFINE_CONST_FUN_OBJ_2(adc_read_into_obj, adc_read_into);

// lost(): samples since the call before.
static mp_obj_t adc_lost(mp_obj_t self_in) {
    adc_t *self = MP_OBJ_TO_PTR(self_in);
    const uint32_t lost = self->ring.lost;
    self->ring.lost = 0;
    return mp_obj_new_int_from_uint(lost);
}
static MP_DEFINE_CONST_FUN_OBJ_1(adc_lost_obj, adc_lost);

// skip(): leaves out what waits; it is not lost.
static mp_obj_t adc_skip(mp_obj_t self_in) {
    adc_t *self = MP_OBJ_TO_PTR(self_in);
    const uint32_t lost = self->ring.lost;
    advance(self);
    self->ring.at = self->ring.head;
    self->ring.lost = lost;
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(adc_skip_obj, adc_skip);

static const mp_rom_map_elem_t adc_table[] = {
    { MP_ROM_QSTR(MP_QSTR___del__), MP_ROM_PTR(&adc_close_obj) },
    { MP_ROM_QSTR(MP_QSTR_close), MP_ROM_PTR(&adc_close_obj) },
    { MP_ROM_QSTR(MP_QSTR_lost), MP_ROM_PTR(&adc_lost_obj) },
    { MP_ROM_QSTR(MP_QSTR_read), MP_ROM_PTR(&adc_read_into_obj) },
    { MP_ROM_QSTR(MP_QSTR_skip), MP_ROM_PTR(&adc_skip_obj) },
};
static MP_DEFINE_CONST_DICT(adc_dict, adc_table);

MP_DEFINE_CONST_OBJ_TYPE(tflm_adc_type, MP_QSTR_Adc, MP_TYPE_FLAG_NONE, make_new, adc_make,
    locals_dict, &adc_dict);
