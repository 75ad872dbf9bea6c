"""Small tables of tflm.mel for tests_device/test_mel.py, which has them as text."""

from tflm_host.model import edge_impulse, front_ends
from tflm_host.model.log_mel import LogMel
from tflm_host.model.mel_file import NARROW, WIDE, mel_file

BLOCK = {"num_filters": 6, "fft_length": 64, "scale": 1 / 24, "zero_point": 3}


def tables():
    """Return {name: bytes}: each kind, both transforms, radices 2 to 5, steps above the window."""
    mel = LogMel(scale=0.5, zero_point=40, n_fft=64, n_mels=8)
    odd = LogMel(scale=0.5, zero_point=40, n_fft=60, n_mels=5, win_length=50, htk=True, norm=None)
    loud = edge_impulse.Block(frame_length=0.005, frame_stride=0.01, **BLOCK)
    short = edge_impulse.Block(frame_length=0.003, frame_stride=0.002, **BLOCK)
    return {
        "narrow": mel_file(front_ends.log_mel(mel, 32), NARROW),
        "wide": mel_file(front_ends.log_mel(odd, 25, fine=True), WIDE),
        "mfcc": mel_file(front_ends.mfcc(mel, 64, 5, 22), WIDE),
        "ei-mfe": mel_file(edge_impulse.mfe(loud), WIDE),
        "ei-mfcc": mel_file(edge_impulse.mfcc(short, 4, 7), WIDE),
    }
