"""The svdf kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "svdf_s8",
        1,
        "AQAAAAMAAAAEAAAAAQAAAAEAAAAAAAAAfwAAAID///8AAABA9////wAAAED9////",
        ("gH+A", "BIBwgrXyx5T3PCwQ", "WABJtQ==", "7CQtREBVqK230SoMMTIpoA=="),
        (
            ("f4B/gA==", "YYd6ew=="),
            ("AAAAAA==", "f4B/gA=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "svdf_s8",
        0,
        "AgAAAAUAAAADAAAABQAAAAEAAACB////fwAAAID///+nGApCAwAAAAAAAED2////",
        ("7pthhtmJzhoxlA==", "1kevLDNM/RXIWAm01lSq", "+aqhxJY7bbBFSeoPZaVE", "jwAAAEX////A////"),
        (
            (
                "pAUBahbaX2o1UXJmYWguErNSDozmCEPP25ShY+jd",
                "BQFqFv9fajVR/2ZhaC7+s1IOjP8IQ8/b/6Fj6N3+",
            ),
            ("AAAAAAAA", "kICAloCA"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "svdf_s8",
        0,
        "AQAAAAoAAAABAAAAEQAAAAEAAACAAAAAfwAAAAAAAAD///9//P///////3/y////",
        ("3bVzkHxfaLsufA==", "f4CAgIB/gH+Afw==", "Nx13jRtr0lDgfdxBPUkDmZQ=", "aN8EAA=="),
        (
            ("Ayay6ENWP+gii82Z47bfrdc=", "JrLoQ1Y/6CKLzZnjtt+t1/8="),
            ("AA==", "EQ=="),
            ("AAAAAA==", None),
            ("AAAAAA==", None),
        ),
    ),
    (
        "svdf_s16",
        1,
        "AQAAAAIAAAACAAAABgAAAAIAAACAAAAAAAAAAID///9G5Lh0AwAAAAAAAEDq////",
        ("r2Q=", "pE4UHA==", "jSoqwUueNzCdei79cxgIy0thfOeqgTGK", "cg3//w=="),
        (
            ("UCA2XYpbTRNDZKGCa9Xi2SjD5txiJtZu", "Nl2KW00TQ2Shgv9/4tkow+bcYibWbv9/"),
            ("AA==", "Gw=="),
            ("AAAAAAAAAAA=", None),
            ("AAAAAA==", None),
        ),
    ),
    (
        "svdf_s16",
        2,
        "AQAAABMAAAACAAAABQAAAAIAAAAAAAAAAAAAADgAAACgr490AwAAAP///3/q////",
        (
            "D8Yh241z+CucXk1uI/7RITZOrA==",
            "f4B/f4CAgH+Af39/f4B/f39/f4B/gH9/f4B/f4B/gH9/f3+Af4A=",
            "71lFfDpxBFgewvuXT16ooyOq4yk=",
            "yv///w==",
        ),
        (
            ("wmVA5+SIZ3oFlNlC1fi1CQNkHjI=", "QOfkiGd6BZT/f9X4tQkDZB4yAIA="),
            ("AA==", "fw=="),
            ("AAAAAAAAAAA=", None),
            ("AAAAAA==", None),
        ),
    ),
    (
        "svdf_s16",
        0,
        "AgAAAAYAAAAEAAAAAwAAAAEAAACB////AAAAAAAAAACnPGNlAwAAAJCZyXr3////",
        (
            "EIcbpunl1FLw+1WM",
            "yM7/yyi2gG7Zg4ZI/0y5plgtNlh+NkRa",
            "zHgBh/aUOSS5HJxHQz72MyDKk9V46FlF",
            "xw+oKmBrAeKTaUIx54Rfzw==",
        ),
        (
            (
                "f4CAgIB/gIB/f4B/f4CAgICAgIB/f4B/f4B/gIB/gH+Af39/gICAf3+Af4B/gH+A",
                "gICAf/9/f3+Af/9/gICAgACAf3+AfwCAf4CAf/9/gH9/f/9/gH9/gMxmf4B/gACA",
            ),
            ("AAAAAAAAAAA=", "f39/gH9/f4A="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "svdf_f32",
        1,
        "AgAAAAUAAAADAAAABAAAAAEAAAAEAAAA",
        (
            "sDavP60lHUDa6Dc+VZxYwC4oWL+80Ys+gyjPv8VyhT7CjWO/8efZPw==",
            "RWLcPbn0ED61ElO/tR9lP/eLX7+6Ggy/JBlUP+QIoz6yvlQ/EBM5v28vWz/AR1a/rmE3v0AeB72gMLw+",
            "t8t9P1W4AL/PwCY/u0pMPvUYvD7Zx1a/wjsVP8xotb5xfLs+F8o/v+12gL7aRK4+",
            "QT5GvzAgGr4Mj9c+",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                None,
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "qmNSv0ucHD6fthI84Ghdv1i8Rz/E1U4/"),
        ),
    ),
    (
        "svdf_f32",
        2,
        "AQAAAAQAAAAGAAAAAwAAAAMAAAAAAAAA",
        (
            "CZlewElkr79FqltA7ZkMwA==",
            (
                "SVAavfYRPb+t6d++6Wp2v1Xha7/SISU/369KvyW4b72JgKu8HlURvyv0Xb+JFCE9rIADvyqdhL4ICOI+2Ysv"
                "vyMtMz+ChOI+s2a6vrNVfT/ipcu+O8b1PrIfS79RtwY+"
            ),
            (
                "Q736PvhxA7++X2w/KO+UvmG5wr559yK+4Y4tP68g0j6erhe/I+kJv9ueRb9LGhw/xp8ev6J6yD6Rbq49B7zM"
                "Ps0G2T7z+yo/"
            ),
            "zmlOPpJgED4=",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                None,
            ),
            ("AAAAAAAAAAA=", "oExLQP0Tmz8="),
        ),
    ),
    (
        "svdf_f32",
        2,
        "AwAAAAMAAAADAAAAAQAAAAMAAAABAAAA",
        (
            "mzxHv5qsG7+Ggyi+KXNywGOslL+L/7O/1i+0vgElW8Bq9ps/",
            "9Povv2Kdej93w1O/HjAOPY/JBb5frRy/oCUPv7n+mL1kPH4/",
            "cOv1Pi6A4D3RpiW9",
            "VSskPw==",
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
            ("AAAAAAAAAAAAAAAA", "coEuP4j4+z8AAAAA"),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "svdf_s8": (False, False, False, True, False, False, False, False),
    "svdf_s16": (False, False, True, True, False, False, False, False),
    "svdf_f32": (True, True, True, True, False, False),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("svdf_f32",)


if __name__ == "__main__":
    main()
