"""The elementwise kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    ("logistic_s8", 0, "AgAAANT///8eAAAA////fxoAAAA=", ("aZA=",), (("AAA=", "f4A="),)),
    (
        "logistic_s8",
        0,
        "GQAAAAAAAAAeAAAAAAAAQBoAAAA=",
        ("oA98AUASJeE9vrv2DfZ/IiayPGBGf0XJew==",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "gHp/EH99f4B/gICTdpN/f3+Af39/f3+Afw=="),),
    ),
    (
        "logistic_s8",
        3,
        "CgAAAJn///94AAAAAAAAQBgAAAA=",
        ("X1KPggWR6t63Dg==",),
        (("AAAAAAAAAAAAAA==", "f3/ZsX/hfn1efw=="),),
    ),
    (
        "tanh_s8",
        3,
        "MgAAAID///8AHgAAAAAAQBIAAAA=",
        ("ioSQJPHKKVYSzy8RnGRYCSTFP/gUaizI8mjunn/D4MDZHlL8Xc+D8MC7OAtjhrGqTFE=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AQECFA4JFRoSChYSAxwbERQJGA8SHRUJDh0OBB8IDAgLFBoPGwoADggHFxEcAQYFGRo=",
            ),
        ),
    ),
    (
        "tanh_s8",
        0,
        "IwAAAMX////gAQAAvaMKWRYAAAA=",
        ("ARHJY6MX2yUKly4L8m63vS7qHBLdnUUMcPgnZEmFq6zmJFg=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "bncLf7B5OXx0n310YH/a6n1Venc9pn91f2d8f3+PvsFPfH8=",
            ),
        ),
    ),
    (
        "tanh_s8",
        0,
        "GQAAAAAAAAA8AAAAAAAAQBkAAAA=",
        ("AGCAcpGTwG5PZ2+4w5DMregjj47ohtUsJg==",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "AH+Af4CAgH9/f3+AgICAgIF/gICBgIB/fw=="),),
    ),
    (
        "relu_s8",
        1,
        "DwAAAAAAAAD1////////f/j///+I////fwAAAA==",
        ("ZSNEllCFrP+b1jNfipAn",),
        (("AAAAAAAAAAAAAAAAAAAA", "9fX19fX19fX19fX19fX1"),),
    ),
    (
        "relu_s8",
        1,
        "DwAAAAAAAAD7////AAAAQAQAAACG////fwAAAA==",
        ("SYL0lRl8iey5LoMsUfUk",),
        (("AAAAAAAAAAAAAAAAAAAA", "f4abhn9/hoaGf4Z/f6N/"),),
    ),
    (
        "relu_s8",
        1,
        "OQAAAID///9/AAAA////fwQAAADs////HwAAAA==",
        ("gH9/gH+AgH+Af3+Af39/gH9/f4B/gH9/f3+Af4B/gH+Af3+AgH+AgIB/f3+Af39/f4B/gIB/gICA",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "Hx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8f",
            ),
        ),
    ),
    (
        "relu6_s8",
        3,
        "QwAAANb////W////",
        (
            (
                "A0PmH0XoGscHuIOGgakbOYFi0jp+RiXxGuMGidPdEs8UNOzpxM1MnwqGEksLkoH78rtyofi00M4koqtwKfW0"
                "TtdRfg=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAA=="
                ),
                (
                    "1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tbW"
                    "1tbW1g=="
                ),
            ),
        ),
    ),
    (
        "relu6_s8",
        1,
        "TQAAAID///8VAAAA",
        (
            (
                "zN2uusgje7EpchszxRqZ65mWhZSbujUcy1MZrLz2Hk/kVSkAMoLGvz26VBIUuYgkqsCyOr7M2GKWJ0Lwrv20"
                "7L0ZDvIK4ZYh4+rwRrA="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "zN2uusgVFbEVFRUVxRWZ65mWhZSbuhUVyxUVrLz2FRXkFRUAFYLGvxW6FRIUuYgVqsCyFb7M2BWWFRXwrv20"
                    "7L0VDvIK4ZYV4+rwFbA="
                ),
            ),
        ),
    ),
    (
        "relu6_s8",
        0,
        "DAAAAAAAAABmAAAA",
        ("+c3HDdlCgQPAdydr",),
        (("AAAAAAAAAAAAAAAA", "AAAADQBCAAMAZidm"),),
    ),
    (
        "leaky_relu_s8",
        1,
        "MwAAAAAAAAB/AAAA////f/r///8w9HihAwAAAA==",
        ("gIB/f39/gH9/gIB/gH+Af4B/f4CAf4B/gH9/f3+Af4B/f4CAgH+AgIB/f3+Af4B/gH9/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/",
            ),
        ),
    ),
    (
        "leaky_relu_s8",
        2,
        "NgAAAH8AAAB/AAAA////f/3///////9/AgAAAA==",
        ("C4bia7deES3qYuZmdz8afNGMZeENnRTOso67q7408QjHbOQGA0EatN1twW7t/b2ciFdU1f7y",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "gICAL4D7gICAC4AbX4CAc4CAF4CAgICAgICAgICAgICAM4CAgIeAgIA3gDuAgICAgN/TgICA",
            ),
        ),
    ),
    (
        "leaky_relu_s8",
        0,
        "IgAAABAAAAB/AAAAAAAAQP7////a8gavAwAAAA==",
        ("MIQvFjU7V1y2i7jTEJKGB6HwvmocYgHZujTm2ANu4lxs0w==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/fw==",
            ),
        ),
    ),
    ("relu_f32", 2, "AgAAAA==", ("L8YxQHQhCT8=",), (("AAAAAAAAAAA=", "L8YxQHQhCT8="),)),
    ("relu_f32", 2, "AQAAAA==", ("ZCLtPw==",), (("AAAAAA==", "ZCLtPw=="),)),
    (
        "relu_f32",
        0,
        "DgAAAA==",
        ("AACAfymI/D8AAACAAACA////f38AAID/sHd9P0ZbY0DUtJo///9/f4rSA0EN8ozAAACAf55UX8A=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AACAfymI/D8AAACAAAAAAP//f38AAAAAsHd9P0ZbY0DUtJo///9/f4rSA0EAAAAAAACAfwAAAAA=",
            ),
        ),
    ),
    (
        "lookup_s8",
        2,
        "BQAAAA==",
        (
            "3Jy78q8=",
            (
                "cH3YFlGgxQ7Jl1wQRP/5bpIGvQCseIeA0k9i5vhnLPlSzXvwr8e2rehDAU5iHZj3utLuTpTal8pQYHIGA8v8"
                "pO/IPNQ6NFiI0LBAV+KghxlfCRzd1LTvpWAkQH47iTRWNJAc5LkVdBD9M3HDkl+3+14OD2QEY1fK+d2ogRCE"
                "/5lNa+I5gGbTbtVvZC2R3DdesYrzTPvk3zrN/FvicTmS8XjZ5PI+Kjq3DisH5Y+PY0RdaXjQGj+iIzTf+27V"
                "wPbBpoqKRgczYyXicuXzN9J1+7yTUGC86P4uPnzhE9dGHi+pWWuZCLW2iGrjt8UgN/iCXbivzrvakX8VQAO7"
                "yEc98w=="
            ),
        ),
        (("AAAAAAA=", "13Fur0Q="),),
    ),
    (
        "lookup_s8",
        0,
        "HwAAAA==",
        (
            "OqH21NBMvRyzCYi17kfbfOuLL00F2nFeUwQGXA4v1w==",
            (
                "QnFzuukvYNL532CPqeyi+RmygmKVw8zunwcIACEyQ/jyJBnh9el+zQ+DWktDfkuMFN7bXxqZrX/mE1skhFtN"
                "kxldrs+5HSmWgAa9f9jdHhExZnTj/NsW3BkdWReEkur+j+YKtbGKDRz8pEJRprVyHt1RdqkcjqF7mkd+RP8Q"
                "rUb1v5PZwBKzC6m6Gkc2XeiE5xHgYuVuJVX9M8H1jY9B5xFriM7XlEm/Ohxj/yCRTRv2Gvarxp/EcHkgFY42"
                "gjsrHdxSRzDazLGEAstipYm6XZrjhfCwhgkCEKujtngMMDxONBlvbdXuPttZ/AIeDMMcJl2WCf/idkHf33rS"
                "cZH/cw=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "W2t2sJrYgiGr36mfw5a2/wJHjN0vo1Hq4+lghKKMAg==",
            ),
        ),
    ),
    (
        "lookup_s8",
        3,
        "HgAAAA==",
        (
            "f4CAgH9/gH9/gICAf39/gH9/gIB/f4B/f3+Af4CA",
            (
                "gIB/gICAf4B/f4CAf39/f4CAgH9/gH9/gICAf39/f4B/gH9/gH+AgH9/gIB/gICAgICAf3+Af4B/f39/f39/"
                "f4CAgH9/gICAf39/gH9/f3+AgICAgICAf3+Af39/f39/gIB/gIB/gH+AgICAf3+AgH9/gIB/gICAgH9/gICA"
                "f39/f3+Af39/f4CAgICAf4CAf4B/gICAf3+Af3+AgH9/gH+AgIB/f3+Af4B/gIB/f4B/f4CAgH+Af39/f4CA"
                "f39/f39/gICAf4CAgH+Af39/gH+Af39/gIB/f39/gIB/f3+Af39/f3+Af39/gICAf4CAf4B/gIB/gH9/f3+A"
                "f3+Afw=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/",
            ),
        ),
    ),
    (
        "relu_s16",
        1,
        "MAAAAAAAAAAAAAAA7WPjRgAAAAAAAAAA/38AAA==",
        (
            (
                "qVKRlO2yHw6+Kzwmlc4GlbiYYhL6y+HmOs8MKJwCdODcIc3/G4cZ37akuEpC8PBbv7YkeA8a+IHbEwRhqDQA"
                "BF8H6QPxauXtdvB28NRoT35bI3KHkWpEl/m4pvKCVaxm"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "xy0AAAAA0gc6GC0VAAAAAAAALgoAAAAAAAAuFnIBAADAEgAAAAAAAAAAYSkAAOsyAACJQm4OAAD/Crs1KR03"
                    "AhUEKgI6OwAAAAAAAA469EWVEwAABTsAAAAAAABbL9w4"
                ),
            ),
        ),
    ),
    (
        "relu_s16",
        2,
        "FAAAAAAAAAAAAAAAp7VobQAAAAAAAAAA/38AAA==",
        ("3WPTzBv9lVZ7P782swtUnJySTFs9BjBKGSZrrmPNt2zY4GFQGo7FdQ==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "XFUAAAAAAkpDNssuAAoAAAAACU5VBWo/kCAAAAAA7VwAALREAACqZA==",
            ),
        ),
    ),
    (
        "relu_s16",
        0,
        "BQAAAAAAAAAAAAAAhBg3Xf////8AAAAA/38AAA==",
        ("Kh7BbMdBgmxdRw==",),
        (("AAAAAAAAAAAAAA==", "/AqaJ/QXgyf8GQ=="),),
    ),
    (
        "relu6_s16",
        3,
        "BwAAAAAAAAAAPwAA",
        ("/38AgP9/AID/fwCAAIA=",),
        (("AAAAAAAAAAAAAAAAAAA=", "AD8AAAA/AAAAPwAAAAA="),),
    ),
    (
        "relu6_s16",
        1,
        "GAAAAAAAAAAFGwAA",
        ("LTqbSr+kfLLEE6wyG2ll34xGND9wtHIUtpSEX4Clr5WRBdByVPWWDZ0fDkOlqGV/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "BRsFGwAAAADEEwUbBRsAAAUbBRsAAHIUAAAFGwAAAACRBQUbAACWDQUbBRsAAAUb",
            ),
        ),
    ),
    (
        "relu6_s16",
        2,
        "CQAAAAAAAAD/fwAA",
        ("AIAAgP9//3//f/9//38AgP9/",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAP9//3//f/9//38AAP9/"),),
    ),
    (
        "leaky_relu_s16",
        1,
        "BgAAAAAAAAAAAAAAYYf9aQAAAABDddVD+v///w==",
        ("2kzLDTNETQ1nEy3F",),
        (("AAAAAAAAAAAAAAAA", "oz9sC3k4BAsREIP/"),),
    ),
    (
        "leaky_relu_s16",
        3,
        "EgAAAAAAAAAAAAAAGYXrUfv///99i9to9P///w==",
        ("nydusrZvEJqeBKGiVE38tIbBIf4ekeHtHXwSV+owvh35f2+i",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "ywD8/zwC+/8YAPv/jAH8//3/AAD6////ewK+AfoAmACPAvv/",
            ),
        ),
    ),
    (
        "leaky_relu_s16",
        2,
        "BAAAAAAAAAAAAAAA38F6Wv////8lVNBz+P///w==",
        ("rl3FJEs9n40=",),
        (("AAAAAAAAAAA=", "HCH/DKoVmf8="),),
    ),
    (
        "logistic_s16",
        3,
        "CQAAAH5LAAANAAAA",
        ("AIAAgP9/AIAAgP9/AID/f/9/",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "PQA9AMN/PQA9AMN/PQDDf8N/"),),
    ),
    (
        "logistic_s16",
        0,
        "EAAAAABgAAAMAAAA",
        ("TgcwwV4m6CJhT6KruoYtq7jEg9aOGt25wbXPGJWFS7Y=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "WFsNAPR+ZH7/fwEAAQABABQAtwCIewUAAwB9egEAAwA=",
            ),
        ),
    ),
    ("logistic_s16", 1, "AQAAAElFAAALAAAA", ("AIA=",), (("AAA=", "AQA="),)),
    (
        "tanh_s16",
        3,
        "HgAAAABgAAALAAAA",
        ("xQg+KIZuAZMVL6iT/NeE/9iV956H0h0zjWCZ49GGQUY2/eK6mkqqbQoICmqKtBtm7J2FM7pkbEgLGG1X",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "2Xz/f/9/AYD/fwGAAYCT8AGAAYABgP9//38BgAGA/3/esgGA/3//f3x7/38BgP9/AYD/f/9//3//f/9/",
            ),
        ),
    ),
    (
        "tanh_s16",
        3,
        "BQAAAIh7AAAVAAAA",
        ("Fq4oEO7K7z/VGQ==",),
        (("AAAAAAAAAAAAAA==", "tfylAN39kwILAQ=="),),
    ),
    (
        "tanh_s16",
        0,
        "MgAAAIhlAAAOAAAA",
        (
            (
                "ECaf/+TIqaa1vD7ec+l+lVZYkAz4aYf4aGNqGtstlQT/5s+6aVbmhiHSfCg9fPY90pb+sUQEODtYjuWrLZgz"
                "GHhOIiUqUxy5BSvfbT/5R5m5/pT5VwIzo4vT2AgMYKs+GzMuyw=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                (
                    "3Wxl/oiGsoD2gtOYEK85gEJ/SjLEfwPhpH/4WTZ0PRMmqZ6CKH8WgMeLhG/uf897PoB4gewR/nokgPuARYD7"
                    "VJN+wGv0fleC6nHSf+XjSoCY+jzl4AmOgN+MZCSOfwB8jneRhw=="
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "logistic_s8": (False, False),
    "tanh_s8": (False, False),
    "relu_s8": (False, False),
    "relu6_s8": (False, False),
    "leaky_relu_s8": (False, False),
    "relu_f32": (True, True),
    "lookup_s8": (False, False, False),
    "relu_s16": (True, False),
    "relu6_s16": (True, False),
    "leaky_relu_s16": (True, False),
    "logistic_s16": (True, False),
    "tanh_s16": (True, False),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW
    native = ("relu_s16", "relu6_s16", "leaky_relu_s16", "logistic_s16", "tanh_s16")


if __name__ == "__main__":
    unittest.main()
