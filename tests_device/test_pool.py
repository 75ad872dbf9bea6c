"""The pool kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "average_pool_2d_s8",
        1,
        "AQAAAAIAAAAHAAAAAQAAAAMAAAACAAAAAQAAAAQAAAADAAAAAgAAAAAAAAAAAAAA5v///38AAAA=",
        ("RiObUILK9Tthya7W8rI=",),
        (("AAAAAA==", "Qebm5g=="),),
    ),
    (
        "average_pool_2d_s8",
        3,
        "AQAAAAYAAAAEAAAABAAAAAMAAAADAAAAAwAAAAEAAAACAAAAAgAAAAAAAAAAAAAA7P///x8AAAA=",
        (
            (
                "G1bEizzLa11BwxjREaD+MkTyaHzyQ3AoMvB8fXc05V7vnIsnBJ34jH6fuLH7QtbBdiskskVda2wlbmt8tLx4"
                "zeBGSwJa8/X8Y8A33Xr37FnhEFWI1XCFvQ2qcckqRqJa"
            ),
        ),
        (("AAAAAAAAAAAAAAAA", "H+wYBx/6E/wQBh/s"),),
    ),
    (
        "average_pool_2d_s8",
        0,
        "AQAAAAQAAAABAAAAAgAAAAEAAAABAAAAAgAAAAEAAAACAAAAAgAAAAAAAAAAAAAAgP///38AAAA=",
        ("x90cigOGZA0=",),
        (("AAAAAA==", "x90Dhg=="),),
    ),
    (
        "max_pool_2d_s8",
        0,
        "AgAAAAcAAAAEAAAABAAAAAMAAAADAAAAAwAAAAIAAAACAAAAAwAAAAAAAAABAAAA7P///x8AAAA=",
        (
            (
                "111nwJWlEnb4PccOuxpT5gQZ/y69MRaqFv7cI+yepRDIl/sknsgZ3cvDSRHlmU4DZRvwtuQeXv+G8GB3HHs5"
                "Ns5VEYtzK5dOEx32wFEknpfQnGeT52WL/JuLbnOoVaOT7qbn+hLNJoqZGgmrJ1m79Ou0+ypcZI8fr0y3Z8cD"
                "Fhj5ENNliI0QJHukf3PBZOihAwpgPVExPqrMOSNgGnq+HWqsdHMUIexuLq5AE7KcmkFBP5krQoIr45wWv/b7"
                "X4Rxnc7x+f24f/e+qUMD1HPKjLLcGuN1Q1VqcFQi8+tkfRI="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "BB8fHxYfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8f",
            ),
        ),
    ),
    (
        "max_pool_2d_s8",
        3,
        "AQAAAAMAAAABAAAAAwAAAAIAAAADAAAAAgAAAAEAAAABAAAAAgAAAAAAAAABAAAAgP///38AAAA=",
        ("tJgk/v/JqWu8",),
        (("AAAAAAAA", "/v8k/mvJ"),),
    ),
    (
        "max_pool_2d_s8",
        0,
        "AgAAAAIAAAAFAAAABAAAAAMAAAABAAAAAQAAAAUAAAADAAAAAQAAAAAAAAAAAAAAgP///38AAAA=",
        (
            (
                "mpLSnrg/R697TUysMgmPsdZtGV8KzplxMW+CZeb3dnJYunwk7LqcGh4dQKxpvx70qkqZ+ea2Q6pEbs4i2NJU"
                "PaQmQY6WzrLVAoeiiPI/j7o="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "Cs7ScTFvR2V7TXZyWAl8JOxtGV8eHVQ9aSZB9KpKsvkCtkOqRG7OIg==",
            ),
        ),
    ),
    (
        "average_pool_2d_f32",
        1,
        "AQAAAAgAAAABAAAAAgAAAAEAAAABAAAACAAAAAEAAAABAAAAAwAAAAAAAAAAAAAA//9/////f38=",
        (
            (
                "W6Cxv+soy79eXWdA0T56QBokCj5Vp1c/mHKtvz797T/VupO/SH1mwM9cyr/ZBkK/Co6iPCV//797AWXASZIQ"
                "QA=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "W6Cxv+soy79eXWdA0T56QBokCj5Vp1c/mHKtvz797T/VupO/SH1mwM9cyr/ZBkK/Co6iPCV//797AWXASZIQ"
                    "QA=="
                ),
            ),
        ),
    ),
    (
        "average_pool_2d_f32",
        0,
        "AgAAAAIAAAADAAAABAAAAAEAAAABAAAAAgAAAAEAAAABAAAAAwAAAAAAAAAAAAAAAACAvwAAgD8=",
        (
            (
                "WVSoP6lB/r87qybA5G6UvLtUWUBqAjHAE3wbQC3nG0DcIaW/R6lKwDHrh7+ajGTAW0esPhsnYb+kLnI9uGkZ"
                "wN9IXsBnwXu9DmylPwYnjT+FghtAKkgcwCdioj9L7H/As5tDQCQiSEC6DDM/aap+QMV8P0AYN1/AIUqqPlqe"
                "yr+KLUS/c9/Sv/cyZ74Cqi7AOjSpv6u0K8CFmqe/HiMaQIMAwL/nm8Y/m+Nzv0QqTcD/r28/FZFKQCE4KUDD"
                "PndA"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "AACAPwAAgL8AAIC/5G6UvFtHrD4bJ2G/pC5yPQAAgL8AAIA/AACAP7oMMz8AAIA/AACAvwAAgL8AAIC/AACA"
                    "Pw=="
                ),
            ),
        ),
    ),
    (
        "average_pool_2d_f32",
        0,
        "AQAAAAIAAAACAAAABwAAAAIAAAABAAAAAQAAAAEAAAADAAAAAgAAAAAAAAAAAAAA//9/////f38=",
        (
            (
                "y/1sv7L4DECVznQ+5pflvix1mL8FNbi/bFSxv2VoWD91D0/AfDIZQINkDECc24W/kYh0wH1WBkBRm8m/z5yk"
                "P68b4T/QFBnA8TAHQLT0aT8YLXNAUEcRvwi/jr5HaUNAnM2FvylSqT6QtBjAMOO2vw=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "Gw2gvxpH3z+CtX8/zce1v2zZ6z5WdYa+4oKaPw==",
            ),
        ),
    ),
    (
        "max_pool_2d_f32",
        0,
        "AgAAAAIAAAACAAAAAQAAAAEAAAACAAAAAQAAAAIAAAADAAAAAQAAAAAAAAAAAAAAAAAAAAAAwEA=",
        ("sRWuPvH2YsBu+Ny+b0VGwAXWTcD8y96/Kly+P+RrX8A=",),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "sRWuPgAAAAAAAAAAAAAAAA=="),),
    ),
    (
        "max_pool_2d_f32",
        0,
        "AgAAAAIAAAAHAAAAAQAAAAEAAAAEAAAAAQAAAAQAAAADAAAAAgAAAAAAAAABAAAA//9/////f38=",
        (
            (
                "pKC9v/brHr9vqcE/fX4EQM7OK0Ab6+y/5kMMQFSpQ8AJENq9ZXwFwNE5ScAY4O2+okHUvx0HCsCdGQBAVlV9"
                "wIS7O0B8rbU/+UKVP27N8j6HdyZAM+4aQEAdZUAz4URAoplJQL6PM8A22ArA1/roPw=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "b6nBP87OK0DOzitA5kMMQIS7O0CEuztAh3cmQId3JkA=",
            ),
        ),
    ),
    (
        "max_pool_2d_f32",
        3,
        "AQAAAAEAAAAFAAAABwAAAAEAAAAEAAAAAQAAAAIAAAACAAAAAQAAAAAAAAAAAAAA//9/////f38=",
        (
            (
                "Bh1xQKckLT+xvUnAx7HjPltUdECD8vY/3mIPQCFAPUB2Q37AD5kxQAcsXECn313Af2crwMThxT+iCiHAtpF6"
                "QMl8dsBM8zbAzgD4v7vHez81U7y/Mob0P26jPsBMoVJA+65lwNVRJT+60nBAG6W5PueG5L/hFQlAuLcIQD5b"
                "UkApoHhA2US/PoUCVkA="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "Bh1xQLaRekBMoVJAByxcQFtUdEC60nBA3mIPQCFAPUC2kXpATKFSQAcsXEApoHhAutJwQIUCVkA=",
            ),
        ),
    ),
    (
        "average_pool_2d_s16",
        2,
        "AwAAAAQAAAABAAAABwAAAAIAAAABAAAAAQAAAAEAAAADAAAAAgAAAAAAAAAAAAAAAAAAAKclAAA=",
        (
            (
                "MOz/ZXka+RnDb3XqUkGPTQl7LLn5SR1RotQAE+5K3uxwDTgs+DDd87sESX2YqrZomhMbd2nYiOzhkXep7g3J"
                "80I9yjRYvGwdE1dBlyeHuMsL9O2T3NsYbG+cTCGEgefevfAqUhYSXgibElnquxovtd2hOZKlyG2vCPmahfex"
                "iUXN+WIjWkmhR4UqUUTP+YuRJF2TIVNI5VtAZ5TQ/90snpaAut6IsyoL"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "4BynJQAApyWnJQAApyUAAEUAAAAAAH0EaxQAAAAAAAAAAAAAVSAAAAAA",
            ),
        ),
    ),
    (
        "average_pool_2d_s16",
        3,
        "AgAAAAEAAAACAAAACAAAAAEAAAABAAAAAQAAAAIAAAACAAAAAQAAAAAAAAAAAAAAAID///9/AAA=",
        (
            (
                "Gi6m0/Ag+irOTAmCG0r37us0GXCSGURhv53RYzR2E/BF5wauThuwkZCemZQjoVC8vsz9vNoWP6YHMjXc8nth"
                "wA=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "Gi6m0/Ag+irOTAmCG0r37us0GXCSGURhv53RYzR2E/BF5wauThuwkZCemZQjoVC8vsz9vNoWP6YHMjXc8nth"
                    "wA=="
                ),
            ),
        ),
    ),
    (
        "average_pool_2d_s16",
        1,
        "AwAAAAIAAAADAAAAAwAAAAEAAAACAAAAAQAAAAIAAAADAAAAAgAAAAAAAAAAAAAAAID///9/AAA=",
        (
            (
                "MRYFj3aksFu01kr/eC+qhmYNzV/W+tIMhJZUWMnfLg7J4fP5H8P0zYEqUua2JAnnXRKHZC33yRqiL95jJl5r"
                "FRfQG8bcyxF65F5996Cgfxsm4qUNw82VtLgQOi67NGMpW/EpTzDFIHK8Gvpu"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "8TjcsuDReC+qhmYNuNRV+cUIXRKHZC33Mj3R7CLXw82VtLgQ",
            ),
        ),
    ),
    (
        "max_pool_2d_s16",
        0,
        "AQAAAAEAAAAFAAAAAQAAAAEAAAACAAAAAQAAAAIAAAACAAAAAwAAAAAAAAAAAAAAsfH//08OAAA=",
        ("0+pWdVARq1aYIQ==",),
        (("AAAAAA==", "Tw5PDg=="),),
    ),
    (
        "max_pool_2d_s16",
        1,
        "AQAAAAgAAAADAAAAAgAAAAUAAAADAAAABAAAAAEAAAACAAAAAwAAAAEAAAAAAAAAAAAAAHkjAAA=",
        (
            (
                "3jP7rN49bsJ+yoPkE+YHZcibiirxymT2OJN+Qq8tnP9twOSUN6ieOTSpHxiNN68T9d1X8tCWN1NSWS6GHSAz"
                "vtwyx5QGjYCjEqDJOsXsIs/aenod4DMXCn/M1Xbm64/G"
            ),
        ),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "eSN5I3kjeSN5I3kjeSN5Iw=="),),
    ),
    (
        "max_pool_2d_s16",
        3,
        "AwAAAAkAAAABAAAAAQAAAAIAAAABAAAAAwAAAAEAAAADAAAAAQAAAAAAAAAAAAAAAID///9/AAA=",
        ("epv4tubPXo8RPExignqr/w/HJn3iUWhU7I3Bt2uhb4mt/Sp4v/6Asx4xzgMJ9jUlq/OAbHTc",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "+LYRPIJ6Jn3Bt639v/7OA4Bs"),),
    ),
    (
        "l2_pool_2d_f32",
        3,
        "AgAAAAIAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAACAAAAAwAAAAAAAAAAAAAAAAAAAAAAwEA=",
        ("m7CTPzkQfb+pceC/wQKkPg==",),
        (("AAAAAAAAAAA=", "m7CTP6lx4D8="),),
    ),
    (
        "l2_pool_2d_f32",
        2,
        "AgAAAAQAAAACAAAAAgAAAAMAAAABAAAAAgAAAAEAAAADAAAAAwAAAAEAAAAAAAAA//9/////f38=",
        (
            (
                "o0KrP52vyr+ZWRtApMJYP60WFT329Ys+FT0+wA0+fD9IxGfAQHM3QEuhq77YSFFA+mxBQO0XD0Bs1F4/6CJD"
                "QBcsWkA78TY/ZEsfwCBAXkAGgwfAMLP3v9sO2j+wFek/6LCZPk8nEcBL40s/0e9vwDf7/r/iBnm/KXpVP5Cb"
                "Y0A="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "yklyP8pwkT9zdVVAlYMkQIWbNUAZtro/pVW2P9tc3z8=",
            ),
        ),
    ),
    (
        "l2_pool_2d_f32",
        1,
        "AQAAAAYAAAAEAAAAAQAAAAMAAAABAAAABAAAAAQAAAABAAAAAQAAAAAAAAAAAAAA//9/////f38=",
        (
            (
                "isAfwAYFX0CIRp0/+HgQQBnWKEDxvsq+luNSv3qdUMDBahzAWMHsv93nL8CsOQdAta0mQHZ6K8CF7EzABGYg"
                "wFtHHEB2ykNAgO08v63Bd0AfOek/g/5mQNHhuT9SKmhA"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "78AhQOiBEkBsq+Y/sQImQBgRJEDNYPI/+t0eQMfQKkCa3R9A8hMlQFNKHkCjbztAPBoUQIrpSEBmvgRAyc1Y"
                    "QA=="
                ),
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "average_pool_2d_s8": (False, False),
    "max_pool_2d_s8": (False, False),
    "average_pool_2d_f32": (True, True),
    "max_pool_2d_f32": (True, True),
    "average_pool_2d_s16": (True, False),
    "max_pool_2d_s16": (True, False),
    "l2_pool_2d_f32": (True, True),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = (
        "average_pool_2d_f32",
        "max_pool_2d_f32",
        "average_pool_2d_s16",
        "max_pool_2d_s16",
        "l2_pool_2d_f32",
    )


if __name__ == "__main__":
    main()
