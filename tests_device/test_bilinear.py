"""The bilinear kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "resize_bilinear_s8",
        1,
        "AQAAAAUAAAABAAAAAwAAAAUAAAABAAAAAAQAAAAEAAAAAAAAAAAAAA==",
        ("3dxZ9hoiSOc/yUMFK4ck",),
        (("AAAAAAAAAAAAAAAAAAAA", "3dxZ9hoiSOc/yUMFK4ck"),),
    ),
    (
        "resize_bilinear_s8",
        3,
        "AgAAAAEAAAAHAAAABAAAAAIAAAAJAAAAAAAAAAADAAAAAAAAAAAAAA==",
        ("X1uyiymY6ftARmxfSY0ts5yeFBSXykRiOxVPL4C+1b209QkogtP1uV5thJg++JVZsFjfyLntRqk=",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "X1uyizfJ29817ystQhhcNEmNLbPHmhr8mbQsO8DdR1U7FU8vX1uyizfJ29817ystQhhcNEmNLbPHmhr8mbQs"
                    "O8DdR1U7FU8vgL7Vvafn/A2b5P/wufnZsV5thJhGFZEp9yi6EbI9+cC57UapgL7Vvafn/A2b5P/wufnZsV5t"
                    "hJhGFZEp9yi6EbI9+cC57Uap"
                ),
            ),
        ),
    ),
    (
        "resize_bilinear_s8",
        3,
        "AQAAAAIAAAADAAAAAgAAAAsAAAABAAAAugAAAAAMAABd/v//AAQAAA==",
        ("1JcOa3cMDbnlwtZn",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "DmsOaw5rCFQBNfoX8vjr2eXC5cLlwg=="),),
    ),
    (
        "resize_bilinear_f32",
        1,
        "AgAAAAUAAAABAAAAAQAAAAMAAAAGAAAAAQAAAAAAAAA=",
        ("0CgNwLKSPsAl498+S+nAP5hFnT9aQPg+2TVRQI0foz8uZAvAvmcpQA==",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "0CgNwNAoDcDQKA3A0CgNwNAoDcDQKA3AJePfPiXj3z4l498+JePfPiXj3z4l498+mEWdP5hFnT+YRZ0/mEWd"
                    "P5hFnT+YRZ0/WkD4PlpA+D5aQPg+WkD4PlpA+D5aQPg+jR+jP40foz+NH6M/jR+jP40foz+NH6M/vmcpQL5n"
                    "KUC+ZylAvmcpQL5nKUC+ZylA"
                ),
            ),
        ),
    ),
    (
        "resize_bilinear_f32",
        0,
        "AQAAAAEAAAAEAAAAAwAAAAEAAAAEAAAAAQAAAAAAAAA=",
        ("bMlSQJuQ1r6IHZK/vO+HPjoD9D/SZy/AnCUoP0tpyz+j2TpA2+95wKue5L/t9ANA",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "bMlSQJuQ1r6IHZK/vO+HPjoD9D/SZy/AnCUoP0tpyz+j2TpA2+95wKue5L/t9ANA",
            ),
        ),
    ),
    (
        "resize_bilinear_f32",
        0,
        "AQAAAAEAAAACAAAAAgAAAAIAAAAJAAAAAAAAAAAAAAA=",
        ("cp4cwOy8OUAinL0//PaFPg==",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "cp4cwOy8OUBxfsm/Ii8UQP1/M7+xQt0/sPMvPhwnkj/pvIU/EhcOPyKcvT/89oU+Ipy9P/z2hT4inL0//PaF"
                    "PiKcvT/89oU+cp4cwOy8OUBxfsm/Iy8UQP5/M7+xQt0/sPMvPhwnkj/pvIU/EhcOPyKcvT/89oU+Ipy9P/z2"
                    "hT4inL0//PaFPiKcvT/89oU+"
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {"resize_bilinear_s8": (False, False), "resize_bilinear_f32": (True, True)}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("resize_bilinear_f32",)


if __name__ == "__main__":
    main()
