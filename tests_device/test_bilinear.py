"""The bilinear kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("resize_bilinear_f32", "resize_bilinear_s16")

    # fmt: off
    calls = (
        "resize_bilinear_s8 1 1,5,1,3,5,1,1024,1024,0,0 3dxZ9hoiSOc/yUMFK4ck > *15:3dxZ9hoiSOc/yU"
        "MFK4ck",
        "resize_bilinear_s8 1 1,1,2,9,5,4,205,512,-410,-256 hlEezlZAnRtWdmKNHtZCpvtc > *180:hlEez"
        "lZAnRtWwlX64jZBnxNYOl6xCvZCpANbdmKNHtZCpvtchlEezlZAnRtWwlX64jZBnxNYOl6xCvZCpANbdmKNHtZCp"
        "vtchlEezlZAnRtWwlX64jZBnxNYOl6xCvZCpANbdmKNHtZCpvtchlEezlZAnRtWwlX64jZBnxNYOl6xCvZCpANbd"
        "mKNHtZCpvtchlEezlZAnRtWwlX64jZBnxNYOl6xCvZCpANbdmKNHtZCpvtc",
        "resize_bilinear_s8 3 2,1,7,4,2,9,0,768,0,0 X1uyiymY6ftARmxfSY0ts5yeFBSXykRiOxVPL4C+1b209"
        "QkogtP1uV5thJg++JVZsFjfyLntRqk= > *144:X1uyizfJ29817ystQhhcNEmNLbPHmhr8mbQsO8DdR1U7FU8vX"
        "1uyizfJ29817ystQhhcNEmNLbPHmhr8mbQsO8DdR1U7FU8vgL7Vvafn/A2b5P/wufnZsV5thJhGFZEp9yi6EbI9+"
        "cC57UapgL7Vvafn/A2b5P/wufnZsV5thJhGFZEp9yi6EbI9+cC57Uap",
        "resize_bilinear_f32 1 1,2,1,2,5,6,0,0 ~kIAmQAArOcDYsj+/3PmPPw== > ~*240:kIAmQAArOcCQgCZA"
        "ACs5wJCAJkAAKznAkIAmQAArOcCQgCZAACs5wJCAJkAAKznAgnahP3WcpL+CdqE/dZykv4J2oT90nKS/gnahP3ac"
        "pL+CdqE/dZykv4J2oT91nKS/0EGhvVp0pD7RQaG9WnSkPs5Bob1adKQ+0EGhvVp0pD7QQaG9WnSkPtBBob1ZdKQ+"
        "2LI/v9z5jz/Xsj+/3PmPP9eyP7/b+Y8/2LI/v9v5jz/Xsj+/3PmPP9iyP7/c+Y8/2LI/v9z5jz/Ysj+/3PmPP9ey"
        "P7/c+Y8/2LI/v9z5jz/Ysj+/3PmPP9iyP7/c+Y8/",
        "resize_bilinear_f32 1 2,5,1,1,3,6,1,0 ~0CgNwLKSPsAl498+S+nAP5hFnT9aQPg+2TVRQI0foz8uZAvAv"
        "mcpQA== > ~*144:0CgNwNAoDcDQKA3A0CgNwNAoDcDQKA3AJePfPiXj3z4l498+JePfPiXj3z4l498+mEWdP5hF"
        "nT+YRZ0/mEWdP5hFnT+YRZ0/WkD4PlpA+D5aQPg+WkD4PlpA+D5aQPg+jR+jP40foz+NH6M/jR+jP40foz+NH6M/"
        "vmcpQL5nKUC+ZylAvmcpQL5nKUC+ZylA",
        "resize_bilinear_f32 0 1,1,4,3,1,4,1,0 bMlSQJuQ1r6IHZK/vO+HPjoD9D/SZy/AnCUoP0tpyz+j2TpA2+"
        "95wKue5L/t9ANA > *48:bMlSQJuQ1r6IHZK/vO+HPjoD9D/SZy/AnCUoP0tpyz+j2TpA2+95wKue5L/t9ANA",
        "resize_bilinear_s16 1 1,1,2,7,1,4,1024,512,0,0 ~trHHteGlokmFu/e1fXebdMtl0rJrm3KirtzApA=="
        " > *56:trHHteGlokmFu/e1fXcpE8kNWayG8vuuUskfDpt0y2XSsmubcqKu3MCkm3TLZdKya5tyoq7cwKQ=",
        "resize_bilinear_s16 0 1,6,1,3,5,1,1229,1024,0,0 xRGkERmXUNT1PZCHavgoXgf/hOaveDfdwu9M+/mK"
        "uD/Gg3x8 > *30:xRGkERmXittnRHufP/HHaH3xEexhLdKryi+Wm19M",
        "resize_bilinear_s16 0 1,1,6,4,12,2,85,3072,0,0 /3//f/9//3//fwCAAID/fwCAAID/fwCA/38AgP9/A"
        "ID/f/9/AIAAgP9/AID/fwCA > *192:/3//f/9//3//fwCA/38AgP9//3//f/9//38AgP9/AID/f/9//3//f/9/A"
        "ID/fwCA/3//f/9//3//fwCA/38AgP9//3//f/9//38AgP9/AID/f/9//3//f/9/AID/fwCA/3//f/9//3//fwCA/"
        "38AgP9//3//f/9//38AgP9/AID/f/9//3//f/9/AID/fwCA/3//f/9//3//fwCA/38AgP9//3//f/9//38AgP9/A"
        "ID/f/9//3//f/9/AID/fwCA",
    )
    # fmt: on


if __name__ == "__main__":
    main()
