// What AdcMicrophone and PdmMicrophone of mp_modules/tflm/sources.py call: the ADC of RP2040 and
// RP2350, 16,000 times a second, or a state machine of PIO, and DMA that writes to a ring.
//
// A soft reset leaves DMA running, which would write to the next program's heap. So it
// ends with the object, by its finaliser.
#include "hardware/adc.h"
#include "hardware/clocks.h"
#include "hardware/dma.h"
#include "hardware/pio.h"
#include "hardware/timer.h"
#include "py/mphal.h"
#include "py/runtime.h"

#include "audio/microphone.h"
#include "audio/pdm.h"

enum {
    ADC_RATE = 16000,
    DIVIDER = 48000000 / ADC_RATE,  // of the ADC's clock
    LONGEST = 9999,  // milliseconds of a ring
    CLOCKS = 2 * 8 * TFLM_PDM_BYTES,  // instructions of PIO, a sample
    SETTLES = 16,  // of a second, this part is left out: a PDM microphone's clock has just begun
};

// Both kinds of microphone.
typedef struct {
    mp_obj_base_t base;
    tflm_ring_t ring;
    uint64_t last;  // microseconds, of the ring's head
    uint32_t rate;  // samples a second
    uint32_t transfers;  // of DMA, a sample
    int data, again;  // channels: one fills the ring, the other starts it again; -1: closed
    tflm_pdm_t *pdm;  // NULL: an ADC
    PIO pio;  // of PDM
    uint sm, offset;
} microphone_t;

// There is one ADC: a new object takes it from the one before.
MP_REGISTER_ROOT_POINTER(void *tflm_adc);

// Bits are read while the clock is low, a moment before it rises: two cycles of the chip pass
// between a pin and PIO.
static const uint16_t pdm_code[] = {
    0xA042,  // nop        side 0
    0x5001,  // in pins, 1 side 1
};
static const pio_program_t pdm_program = {
    .instructions = pdm_code,
    .length = 2,
    .origin = -1,
};

static void release_channels(microphone_t *self) {
    dma_channel_cleanup(self->again);
    dma_channel_cleanup(self->data);
    dma_channel_unclaim(self->again);
    dma_channel_unclaim(self->data);
    self->data = -1;
}

static mp_obj_t microphone_deinit(mp_obj_t self_in) {
    microphone_t *self = MP_OBJ_TO_PTR(self_in);
    if (self->data >= 0) {
        if (self->pdm) {
            pio_sm_set_enabled(self->pio, self->sm, false);
            pio_remove_program_and_unclaim_sm(&pdm_program, self->pio, self->sm, self->offset);
        } else {
            adc_run(false);
            MP_STATE_PORT(tflm_adc) = NULL;
        }
        release_channels(self);
    }
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(microphone_deinit_obj, microphone_deinit);

// A closed microphone with a ring of so many samples, `bytes` each.
static microphone_t *make(const mp_obj_type_t *type, uint32_t rate, mp_int_t ms, size_t bytes) {
    if (ms < 1 || ms > LONGEST) {
        mp_raise_ValueError(MP_ERROR_TEXT("buffer: 1 to 9999 ms expected"));
    }
    microphone_t *self = mp_obj_malloc_with_finaliser(microphone_t, type);
    self->data = -1;
    self->pdm = NULL;
    self->rate = rate;
    const uint32_t size = rate * (uint32_t)ms / 1000 + TFLM_RING_MARGIN;
    self->ring = (tflm_ring_t) {.size = size, .mean = TFLM_MEAN_UNKNOWN};
    self->ring.samples = m_new(uint8_t, size * bytes);
    return self;
}

// Claims both channels, or raises OSError.
static void claim_channels(microphone_t *self) {
    const int data = dma_claim_unused_channel(false);
    self->again = dma_claim_unused_channel(false);
    if (self->again < 0) {
        if (data >= 0) {
            dma_channel_unclaim(data);
        }
        mp_raise_msg(&mp_type_OSError, MP_ERROR_TEXT("two channels of DMA are needed"));
    }
    self->data = data;
}

// Lets DMA fill the ring, over and over, from the FIFO at `source`.
static void fill_ring(microphone_t *self, const volatile void *source, uint dreq,
    enum dma_channel_transfer_size size, uint32_t transfers) {
    self->transfers = transfers;
    dma_channel_config config = dma_channel_get_default_config(self->data);
    channel_config_set_transfer_data_size(&config, size);
    channel_config_set_read_increment(&config, false);
    channel_config_set_write_increment(&config, true);
    channel_config_set_dreq(&config, dreq);
    channel_config_set_chain_to(&config, self->again);
    channel_config_set_irq_quiet(&config, true);
    dma_channel_configure(
        self->data, &config, NULL, source, self->ring.size * transfers, false);

    config = dma_channel_get_default_config(self->again);
    channel_config_set_read_increment(&config, false);
    channel_config_set_irq_quiet(&config, true);
    dma_channel_configure(self->again, &config, &dma_hw->ch[self->data].al2_write_addr_trig,
        &self->ring.samples, 1, true);
    self->last = time_us_64();
}

// Adc(pin, ms): a ring of so many milliseconds.
static mp_obj_t adc_make(
    const mp_obj_type_t *type, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    mp_arg_check_num(n_args, n_kw, 2, 2, false);
    const uint pin = mp_hal_get_pin_obj(args[0]);
    if (pin < ADC_BASE_PIN || pin >= ADC_BASE_PIN + NUM_ADC_CHANNELS - 1) {
        mp_raise_ValueError(MP_ERROR_TEXT("Pin doesn't have ADC capabilities"));
    }
    if (MP_STATE_PORT(tflm_adc) != NULL) {
        microphone_deinit(MP_OBJ_FROM_PTR(MP_STATE_PORT(tflm_adc)));
    }
    microphone_t *self = make(type, ADC_RATE, mp_obj_get_int(args[1]), sizeof(uint16_t));
    claim_channels(self);
    MP_STATE_PORT(tflm_adc) = self;
    if (!(adc_hw->cs & ADC_CS_EN_BITS)) {
        adc_init();
    }
    adc_gpio_init(pin);
    adc_select_input(pin - ADC_BASE_PIN);
    adc_fifo_drain();
    adc_fifo_setup(true, true, 1, false, false);
    adc_hw->div = (DIVIDER - 1) << ADC_DIV_INT_LSB;
    fill_ring(self, &adc_hw->fifo, DREQ_ADC, DMA_SIZE_16, 1);
    adc_run(true);
    return MP_OBJ_FROM_PTR(self);
}

// Takes a state machine of PIO whose clock is at one pin, and which reads the other one.
static void start_pio(microphone_t *self, uint clk, uint data) {
    const uint32_t divider = (uint32_t)(
        ((uint64_t)clock_get_hz(clk_sys) * 256 + CLOCKS * self->rate / 2) / (CLOCKS * self->rate));
    pio_sm_config config = pio_get_default_sm_config();
    sm_config_set_clkdiv_int_frac(&config, (uint16_t)(divider >> 8), (uint8_t)divider);
    sm_config_set_sideset(&config, 1, false, false);
    sm_config_set_sideset_pins(&config, clk);
    sm_config_set_in_pins(&config, data);
    sm_config_set_in_shift(&config, true, true, 32);
    sm_config_set_fifo_join(&config, PIO_FIFO_JOIN_RX);
    sm_config_set_wrap(&config, self->offset, self->offset + pdm_program.length - 1);
    pio_sm_init(self->pio, self->sm, self->offset, &config);
    pio_sm_set_consecutive_pindirs(self->pio, self->sm, clk, 1, true);
    pio_sm_set_consecutive_pindirs(self->pio, self->sm, data, 1, false);
    pio_gpio_init(self->pio, data);
    pio_gpio_init(self->pio, clk);
}

// Pdm(data, clk, rate, gain, ms): a ring of so many milliseconds.
static mp_obj_t pdm_make(
    const mp_obj_type_t *type, size_t n_args, size_t n_kw, const mp_obj_t *args) {
    mp_arg_check_num(n_args, n_kw, 5, 5, false);
    const uint data = mp_hal_get_pin_obj(args[0]), clk = mp_hal_get_pin_obj(args[1]);
    const mp_int_t rate = mp_obj_get_int(args[2]), gain = mp_obj_get_int(args[3]);
    if (clk == data) {
        mp_raise_ValueError(MP_ERROR_TEXT("clk and data are one pin"));
    }
    if (rate < 8000 || rate > 48000) {
        mp_raise_ValueError(MP_ERROR_TEXT("rate: 8000 to 48000 samples a second expected"));
    }
    if (gain < 1 || gain > TFLM_PDM_MOST_GAIN) {
        mp_raise_ValueError(MP_ERROR_TEXT("gain: 1 to 64 expected"));
    }
    microphone_t *self = make(type, (uint32_t)rate, mp_obj_get_int(args[4]), TFLM_PDM_BYTES);
    tflm_pdm_t *pdm = m_new(tflm_pdm_t, 1);
    tflm_pdm_begin(pdm, (uint32_t)gain, (uint32_t)rate / SETTLES);
    claim_channels(self);
    const uint first = MIN(clk, data), count = MAX(clk, data) + 1 - first;
    if (!pio_claim_free_sm_and_add_program_for_gpio_range(
            &pdm_program, &self->pio, &self->sm, &self->offset, first, count, true)) {
        release_channels(self);
        mp_raise_msg(&mp_type_OSError, MP_ERROR_TEXT("PIO has no free state machine"));
    }
    self->pdm = pdm;
    start_pio(self, clk, data);
    fill_ring(self, &self->pio->rxf[self->sm], pio_get_dreq(self->pio, self->sm, false), DMA_SIZE_32,
        TFLM_PDM_BYTES / sizeof(uint32_t));
    pio_sm_set_enabled(self->pio, self->sm, true);
    return MP_OBJ_FROM_PTR(self);
}

static void advance(microphone_t *self) {
    if (self->data < 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("the microphone is closed"));
    }
    const uint32_t size = self->ring.size, left = dma_hw->ch[self->data].transfer_count;
    const uint32_t head = (size - (left + self->transfers - 1) / self->transfers) % size;
    const uint64_t now = time_us_64();
    const uint32_t elapsed = (uint32_t)((now - self->last) * self->rate / 1000000);
    tflm_ring_advance(&self->ring, head, elapsed);
    self->last = now;
}

// read(buffer): waits until it is full; returns its bytes.
static mp_obj_t microphone_read(mp_obj_t self_in, mp_obj_t buffer_in) {
    microphone_t *self = MP_OBJ_TO_PTR(self_in);
    mp_buffer_info_t buffer;
    mp_get_buffer_raise(buffer_in, &buffer, MP_BUFFER_WRITE);
    const uint32_t count = buffer.len / sizeof(int16_t);
    uint32_t done = 0;
    for (;;) {
        advance(self);
        uint8_t *to = (uint8_t *)buffer.buf + 2 * done;
        done += self->pdm ? tflm_pdm_read(self->pdm, &self->ring, to, count - done)
                          : tflm_ring_read(&self->ring, to, count - done);
        if (done == count) {
            return MP_OBJ_NEW_SMALL_INT(2 * count);
        }
        mp_event_wait_ms(1);
    }
}
static MP_DEFINE_CONST_FUN_OBJ_2(microphone_read_obj, microphone_read);

// lost(): samples so far.
static mp_obj_t microphone_lost(mp_obj_t self_in) {
    microphone_t *self = MP_OBJ_TO_PTR(self_in);
    return mp_obj_new_int_from_uint(self->ring.lost);
}
static MP_DEFINE_CONST_FUN_OBJ_1(microphone_lost_obj, microphone_lost);

// skip(): leaves out what waits; it is not lost. Waits for the first sample, if there was none.
static mp_obj_t microphone_skip(mp_obj_t self_in) {
    microphone_t *self = MP_OBJ_TO_PTR(self_in);
    const uint32_t lost = self->ring.lost;
    advance(self);
    while (self->pdm && self->pdm->settle) {
        tflm_pdm_read(self->pdm, &self->ring, NULL, 0);
        mp_event_wait_ms(1);
        advance(self);
    }
    self->ring.at = self->ring.head;
    self->ring.lost = lost;
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(microphone_skip_obj, microphone_skip);

static const mp_rom_map_elem_t microphone_table[] = {
    { MP_ROM_QSTR(MP_QSTR___del__), MP_ROM_PTR(&microphone_deinit_obj) },
    { MP_ROM_QSTR(MP_QSTR_deinit), MP_ROM_PTR(&microphone_deinit_obj) },
    { MP_ROM_QSTR(MP_QSTR_lost), MP_ROM_PTR(&microphone_lost_obj) },
    { MP_ROM_QSTR(MP_QSTR_read), MP_ROM_PTR(&microphone_read_obj) },
    { MP_ROM_QSTR(MP_QSTR_skip), MP_ROM_PTR(&microphone_skip_obj) },
};
static MP_DEFINE_CONST_DICT(microphone_dict, microphone_table);

MP_DEFINE_CONST_OBJ_TYPE(tflm_adc_type, MP_QSTR_Adc, MP_TYPE_FLAG_NONE, make_new, adc_make,
    locals_dict, &microphone_dict);
MP_DEFINE_CONST_OBJ_TYPE(tflm_pdm_type, MP_QSTR_Pdm, MP_TYPE_FLAG_NONE, make_new, pdm_make,
    locals_dict, &microphone_dict);
