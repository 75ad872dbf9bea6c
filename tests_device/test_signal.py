"""The signal kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; lib/kernel_calls.py says what is in a call.
"""

import unittest

from kernel_calls import KernelCalls

CALLS = (
    (
        "signal_window_s16",
        1,
        "CAAAAAQAAAAKAAAA",
        (
            (
                "Aq1kQkpMRk34AcJFUe6p1jJ3092aLaX03BFf0ylbLsetUkuCG2JEVivIoj0lcu/yroD5wD7f66fGF1jjeubP"
                "yA=="
            ),
            "/38AgP9/AIA=",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "AIAAgP9/AID/PgCAAID/f/9//3//f/9//3//f/9//3//f/9//38AgACAAID/f/9/AID/fwCA/3//f/9/AID/"
                    "fw=="
                ),
            ),
        ),
    ),
    (
        "signal_window_s16",
        3,
        "CAAAAAMAAAADAAAA",
        ("T3ghwVnKyAXnrukaw1ge6APJNcVmBbMa0DRwT31eZY/bQm+7q4NIyaZKNKh/0l3J", "d2dHn8sr"),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "/3//fwCA/3//f/9//3//fwCAAIAAgP9//38AgP9/AIAAgACAAID/f/9/AID/fwCA",
            ),
        ),
    ),
    (
        "signal_window_s16",
        2,
        "AQAAAAgAAAAEAAAA",
        ("S8CXQH8qiIQ3XNkXP0yo8A==", "Uwm6rZR4q2LQ4INDtd2LlA=="),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AIAAgP9/AIAAgP9/AID/fw=="),),
    ),
    (
        "signal_scale_s16",
        0,
        "FwAAAA==",
        ("mpdRJhmQ62QX1Qwao8DX1v2QmgttM2npO10tCPYAK4PFYabkeyGkcOtWgkeEhA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "mpdRJhmQ62QX1Qwao8DX1v2QmgttM2npO10tCPYAK4PFYabkeyGkcOtWgkeEhA==",
            ),
            ("AAAAAA==", "AAAAAA=="),
        ),
    ),
    (
        "signal_scale_s16",
        3,
        "CQAAAA==",
        ("AQAAAAEAAQABAP////8BAAAA",),
        (("AAAAAAAAAAAAAAAAAAAAAAAA", "AEAAAABAAEAAQADAAMAAQAAA"), ("AAAAAA==", "DgAAAA==")),
    ),
    (
        "signal_scale_s16",
        2,
        "FgAAAA==",
        ("VwCYAMn/jP8u/8X/Cf8RAIH/VQDD/87/nf/qANj/2/4EAMcA3P7/AOn/4v4=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "wBUAJkDyAOOAy0DxQMJABEDgQBXA8IDzQOeAOgD2wLYAAcAxALfAP0D6gLg=",
            ),
            ("AAAAAA==", "BgAAAA=="),
        ),
    ),
    (
        "signal_rfft_s16",
        0,
        "AQAAAAwAAAAMAAAA/38AAABAJ5EBwCeRAYAAAADA2W4AQNluAcAnkSeRAMABgAAA",
        ("Qlja6ukXFd/2vULUy4KcDEp+brasdLdy",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "+wkAACEeMBkGAI7+GAtnExXp7AwiDA3wUxEAAA==",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_rfft_s16",
        1,
        (
            "AQAAAAsAAAASAAAA/38AAA1iuq06FvOBAcAnkbmHOdS5h8crAMDZbjoWDX4NYkZSOdS5h7qt850nkQDA84HG"
            "6Q=="
        ),
        ("Eut93pfpFGTmBvv79nlR1SwwmPhqlQ==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "MgIAAOgAL/WR83QGSQBw/eX6PgnO/bUCCQ+CCTX9fO1R+vMF0AAAAA==",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_rfft_s16",
        1,
        (
            "AQAAAAkAAAAeAAAA/38AAO508MulVeGgjidFhp/ytYABwCeRc5jEtM2CY+XNgp0ac5g8SwDA2W6f8kt/jie7"
            "eaVVH1/udBA0Y+XNgvDLEovEtHOY4aBbqieRAMBFhnLYtYCf8g=="
        ),
        ("OEGB9diK0Fow3GK52NjoNzt2",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "5gEAAB/+R/7d/JYEwwR+BiQH/v0A/pb79fq8BTMFqgr8C6ACywdN/OUEt/3ABmj8pQO09+v8Pfnf+67+hv0A"
                    "AA=="
                ),
            ),
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                None,
            ),
        ),
    ),
    (
        "signal_irfft_s16",
        1,
        (
            "AQAAABYAAAAUAAAA/38AAI1nPEuOJ7t5cti7eXOYPEsBgAAAc5jEtHLYRYaOJ0WGjWfEtHLYu3nEtI1nc5g8"
            "S0WGjicBgAAA"
        ),
        ("3D32WJvdfcox5wYBnWq46ttQ4+fBoGX/ovRWO/kEzryVskc+ARD7lAljzok=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "xfeIC0b6JPTS610JuBpKFaTbThct+NLwHgAU7tQW1fpG+brc1vNSAQ==",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_irfft_s16",
        3,
        "AQAAAAwAAAAKAAAA/38AAI4nu3lzmDxLc5jEtI4nRYbEtI1nRYaOJw==",
        ("ZF1seEOsdIZTx/NPIfLgXxGislpQme1j",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "cM0027wp1RpfLWnviQHF5UTV0xY="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_irfft_s16",
        1,
        "AQAAABIAAAAQAAAA/38AAIJagloAAP9/fqWCWgGAAAB+pX6lAAABgIJafqUFz0F2fqWCWr+J+zABgAAA",
        ("3GEMGM7q9LRKBn9DLRqKonNTpp1ljibz/M8xk8Imzg95gnVG",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "wfqSIT32Rt8yD5EWwQ8qAjcM1gNhxcYBogwL7QEEeuM=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_energy_s16",
        1,
        "DgAAAAAAAAAOAAAA",
        ("225JMcilTUaORw+lf4HX7obolbvFYryIe6s3auhv16I5H8mjTWcpv8RR9WtqniO70wqd40t4ZXQ=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "KvZ9OWmfGTOlaU40krWpP90qcBSptatd6iT5R9HS0VKCbgYlukEbOolWpEetKrk3MviaA9IVcm0=",
            ),
        ),
    ),
    (
        "signal_energy_s16",
        3,
        "CwAAAAAAAAALAAAA",
        ("JMF138LYlOzWJCy50WJ/YNrXjEz22FpMVEBQx/ZlXDSdkXCEe0Dg/y/3nJ8=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "iViSE5QofQd0guUYoi2ESjRSLx0InLkckJS3HHSJUTNJ6zxrGb89ELHhmCQ=",
            ),
        ),
    ),
    (
        "signal_energy_s16",
        1,
        "DwAAAAAAAAAPAAAA",
        ("zy2eM/uDsUUyLyxNHjebtGGXrJE+yMxG+esxbBTvhD0nVXpnhvt7+sVezsWJPiV5tymsYdHnOJCEY0WI",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "5cKaEnq8DU9U5fYfXT0SIlHeTVqUIbkfknlKL6CF5g8VUiZGPYEyAF31TzCqpJpIYewPLOHkFzOpvq5e",
            ),
        ),
    ),
    (
        "signal_filter_bank",
        1,
        "BAAAAA==",
        (
            (
                "JwAAAEcAAAB4sQgABwAAAEkbEgA8AAAA1+LKqriLOgGgfAoAdgEAACsAAAAOPysTAugBAEIoCQBZCQAAMwxo"
                "AQ=="
            ),
            "5S3+YBI48vWCqtG4U1S1khVG0QRmYaK1agwR/XckJ2MK6BeV6tabe7VxsfO1lQ==",
            "tPE78rHBbavO9Gm7Na6/nQD5ECyMrv6W2Zb8qbhxPFbRLeZ+IOETf4Ro0LQ7Tg==",
            "CAACAAYACQAEAA==",
            "AAAEAAoACgAQAA==",
            "BAAGAAAABgAGAA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "/ECXrnQoAADQBQ9thPv//2XJUEPvAAAANt/DcVXd//8=",
            ),
        ),
    ),
    (
        "signal_filter_bank",
        2,
        "BAAAAA==",
        (
            "oSxS5oYxAAABAAAABwAAAHIyHAAiDwAAe8QCABzsCwDq6xEBaLpvAsxyNABoAAAAm8w8AS7UDwA=",
            "+yZWk+KVzfHKslKRHYpucv+BuqZDcifXvhF43ybNDUKVGxPQRjBhgb+AWtds+HBmgBk=",
            "eHAXnKmbcGZG03FxJJlmjOI1QqCLjG1rY/mDy+HwP5iIvrC8IwLoDGDvDf0fSNXEH98=",
            "BgAAAAkABgAGAA==",
            "AAAFAAsADwAUAA==",
            "BQAGAAQABQAEAA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "zyLU3eOc//9Zq4h4ZmUAAETvWQ8cAQAA8lgq3KkAAAA=",
            ),
        ),
    ),
    (
        "signal_filter_bank",
        3,
        "BAAAAA==",
        (
            "AgAAAOedAACOBwAAnAIAALBAbwMOAAAAeAAAADoAAACh0wIATSQSBdRtAADKtgMA/yceATEmPQE=",
            "Fzh2ngSAEa67obxawVqU1GSjzW5pKVhic/Pf820AL7LQjNG61Sau4flT",
            "SSgt7zQTN3mCqdSTBf0V4hyP1W1jzf03wAbsL2jyrXsBTRg2nXXDoFzu",
            "AAACAAEACQAAAA==",
            "AAAFAAsADAAQAA==",
            "BQAGAAEABAAEAA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "59H1x0H+//9KQB14mf///2F1kX5p////+A1JMawAAAA=",
            ),
        ),
    ),
    (
        "signal_square_root",
        1,
        "BAAAAA==",
        ("mnhFlQAAAABBHgAAAAAAAAWcblsAAAAAvfo/4N4oBwA=", "IgAAAA=="),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "3zAAABYAAAA/JgAAhz+rAA=="),),
    ),
    (
        "signal_square_root",
        0,
        "CAAAAA==",
        (
            (
                "PlYBAAAAAAD/GL2aiQAAAAEkAAAAAAAAh4Hy5AQAAACFAwAAAAAAAOK10lUvaJYAo4jApFYCAABiDmrnGAAA"
                "AA=="
            ),
            "IgAAAA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "SgAAAMDuAgAYAAAAlo0AAAcAAAA65hAD5h0GAGI/AQA=",
            ),
        ),
    ),
    (
        "signal_square_root",
        0,
        "BgAAAA==",
        ("/xCACgwGAACFBAAAAAAAAA94CAAAAAAAB2gR7KoNAAAvAAAAAAAAAErJAAAAAAAA", "DgAAAA=="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "nQAAAAAAAAAAAAAA7AAAAAAAAAAAAAAA"),),
    ),
    (
        "signal_pcan",
        2,
        "BwAAAAsAAAA=",
        (
            "BwAAAFkEVwYm26UAU64AADqKRwEwhFpDLRnNBg==",
            "BAAAAFEAAAAbAAAAHdEVAlMAAAAIAAAAFSUAAA==",
            (
                "EQ5wa4DtZRChMXmd0L+8uGsjsJmoMP8pCrgiNT6iAU7C4YJNxK8FEtA4dwXsBee3emLIxNa+IyM4AkoXmGB8"
                "Pug4fVccgoJrBRqrfV/rMJp5WfKz/P0JSrmKRKxGTIUOOzI9/ch6ZDj0HoxwCZugMnOPts6CDc95rVOWVfqi"
                "TFO1aAgCAreIjhJsa3uYF0T0OXxrt7xbk0Undyjuuog9DHnW5zW1i+dx5li88dg6asSPCVgVWwh7yLkjIZ+s"
                "XpgetOAfJA7thLoK4qbXpKAjRETEpXlHsInNBxJVBIOFKi9hLW/pyk7BKsdGZmVdNnzD0F2O1WI75qwxXA=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "v38DAHaWGAJTXoEBSXgpA1ilGAHXlWYChnLyAg==",
            ),
        ),
    ),
    (
        "signal_pcan",
        1,
        "AgAAAAUAAAA=",
        (
            "FwAAALrHaQM=",
            "7AfK1YwJAAA=",
            (
                "lYxZsrwBEUensNa9qFKYaTre314BpBJyHqc5oys4oEHjm8VKt6xh+JFMwLWzl3aH7qXEIYGp3aSxw9ro8CR/"
                "A5jtFObA86tQ9c7lEyqYlBVdBB6AL1PwRM3JkpOLAHfMITd9biV0bsgjXvr6c4fr5qnnJJZ+457hUemXeLbJ"
                "1nYh8iy7StfKjkh91h4+ulySGtowkHI7aBF6gOnp7iIHOi2gyP/CQFRlCRLr1iY2vzMQ/gl3HQsBzieZpmWk"
                "eapwAdDX/XHct9HxwbDMgrcoqmNHYjWwP/YkXOPVw+z3HrHqT9HW3i7KUrMWJ1P4+drH9N9BqIP2r7JRvQ=="
            ),
        ),
        (("AAAAAAAAAAA=", "uf7fAlo/UAA="),),
    ),
    (
        "signal_pcan",
        1,
        "BgAAAAAAAAA=",
        (
            "5mMAAFrCjhYUv3MSU+e7ASYAAABNaE4B",
            "gIlhDnWUIggdAAAAKfoBAMLLLQ8AAAAA",
            (
                "AOyL1OsjSCZG0VatimTjhLSCw0OURzg3QWd1Hn4W6/yEwj8IugE/mSz9LzvDhh3pbrj2hUq06UYN8T9RK3Af"
                "2cIrGww5mePdA2UNrQKIWTDLHw/5rnavLwU/E8imHYuDPxjikcl9GrehowqVsNEdXvyIH69U3rS0NBFDigPZ"
                "tLgqbfgAwyXSWPeHVzast7qEVibYn4jVuvKbRksS7qC+KLV44a0chXpAdPMfapTnm3+iC7CsQg/jp3FqJy06"
                "C0siiqC+LuJrl2N9ZkjZ65BAkcIUQOv3vdhTCtBgHHcsSpp+j5TR+YAUB6AP8GOqM4wUrgY9pzSUzbaI+w=="
            ),
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "7qvRA5PnBgK3xW0Dr9y7AEju/wOwZ38D"),),
    ),
    (
        "signal_log",
        0,
        "BgAAAAQAAACHAAAA",
        ("nKsAADkfKQuGAAAAIc7CCrleDwAUAAAA",),
        (("AAAAAAAAAAAAAAAA", "GQeCCwwEfQvBCAsD"),),
    ),
    (
        "signal_log",
        0,
        "BQAAAAEAAABGAgAA",
        ("BwAAACmDDQAWABYA5wAAACIJAAA=",),
        (("AAAAAAAAAAAAAA==", "AAa1INEh8w02Ew=="),),
    ),
    ("signal_log", 0, "AwAAAAIAAAA1CAAA", ("C2RvQajFFmhYBQAA",), (("AAAAAAAA", "/3//f6RG"),)),
    (
        "signal_subtract",
        1,
        "BAAAAJQGAABsCQAAvQMAAEMMAAAAAAAAQA0AAAMAAAAMAAAA",
        ("4zgAAHJ8PFNc3wMAeE8GAA==",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "Gy8AAA4X7kT4NAMAzzkFAA=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", "GrsAAJuO9COkvAwAicsLAA=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_subtract",
        1,
        "BAAAAO8CAAARHQAA0Q4AAC8RAAAAAAAAIRcAAAwAAAANAAAA",
        ("YQIWAHEBAABjMyYA2SsEAA==",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "aOgPAAoBAABUnBsA0QMDAA=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", "R33QCKCtCgC2XxgJFNXmHg=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_subtract",
        2,
        "BAAAAHECAACPBQAA1AYAACwBAAABAAAAXgUAAAYAAAALAAAA",
        ("AQAAAAQAAAD0CgAAbTqRAA==",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAIAAACcBwAA8m5hAA=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", "EwAAANoAAADt1QAAghf9Hg=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_framer_s16",
        1,
        "AQAAAAwAAAAGAAAAAwAAAAMAAAA=",
        ("GcHb1r4+ETRMtKKeMeDh06DcsBnZlNXo",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAGcHb1r4+GcHb1r4+ETRMtKKeETRMtKKeMeDh06DcMeDh06DcsBnZlNXo",
            ),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_framer_s16",
        3,
        "AQAAAAQAAAAGAAAABAAAAAIAAAA=",
        ("AID/f/9/AIA=",),
        (
            ("AAAAAAAAAAAAAAAA", "AAAAAACA/3//fwCA"),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_framer_s16",
        3,
        "AQAAAAwAAAAHAAAAAwAAAAQAAAA=",
        ("zPP+rowe2JmPRiJk1cZDmPM5AnIykBVG",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAAAAADM8/6ujB4AAMzz/q6MHtiZj0YiZIwe2JmPRiJk1cZDmPM5ImTVxkOY8zkCcjKQFUY=",
            ),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_stacker_s16",
        3,
        "AwAAAAQAAAADAAAAAQAAAA==",
        ("q5QnxEuY",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "q5QnxEuYq5QnxEuYq5QnxEuYq5QnxEuY"),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_stacker_s16",
        0,
        "BAAAAAQAAAADAAAAAQAAAA==",
        ("nandyGslk30=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "nandyGslk32dqd3IayWTfZ2p3chrJZN9nandyGslk30=",
            ),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_stacker_s16",
        0,
        "BgAAAAQAAAADAAAAAQAAAA==",
        ("u0XhuAf7gFQEnlMJ",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "u0XhuAf7gFQEnlMJu0XhuAf7gFQEnlMJu0XhuAf7gFQEnlMJu0XhuAf7gFQEnlMJ",
            ),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_delay_s16",
        3,
        "BQAAAAkAAAAIAAAA",
        (
            (
                "KiYrVTvDtiRJFivfTUiydeXxeYjQqqWk1pl0gGopA12sL1cFa/+wayqi6FdvavCUz/ljejYQOM91ZRPC38K+"
                "XWp8aj3VWen2+J5XNbYWj2ZT5u2d1jEAIUqC"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "AAAAAAAAAAAAAAAAAAAAAComAAAAAAAAAAAAAAAAAAAAAHmIAAAAAAAAAAAAAAAAAAAAAGv/AAAAAAAAAAAA"
                    "AAAAAAAAADjPAAAAAAAAAAAAAAAAAAAAAPie"
                ),
            ),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                None,
            ),
        ),
    ),
    (
        "signal_delay_s16",
        2,
        "DwAAAAEAAAACAAAA",
        ("dptgsCCIn+TBYDYFBSE2KvUd4mEnKyMhOscGmwf2",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            ),
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                None,
            ),
        ),
    ),
    (
        "signal_delay_s16",
        3,
        "AQAAAAUAAAAKAAAA",
        ("7FPRv7uR+FHTBg==",),
        (("AAAAAAAAAAAAAA==", "AAAAAAAAAAAAAA=="), ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", None)),
    ),
    (
        "signal_overlap_s16",
        2,
        "AQAAAAIAAAAJAAAABwAAAA==",
        ("GK5r6Zkwv1HttoUmdRAgf6JuKTPzIGz4a1c0CNPxIEr6vfto",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "GK5r6Zkwv1HttoUmdRD/f/9/bPhrVzQI0/EgSg==",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_overlap_s16",
        3,
        "AQAAAAQAAAACAAAAAQAAAA==",
        ("48ULfHrrQBtDlTsIqcBiOg==",),
        (("AAAAAAAAAAA=", "48WFZ4Ow5Mg="), ("AAAAAA==", None)),
    ),
    (
        "signal_overlap_s16",
        2,
        "AQAAAAEAAAAEAAAAAwAAAA==",
        ("Iei47jw1uDw=",),
        (("AAAAAAAA", "Iei47jw1"), ("AAAAAAAAAAA=", None)),
    ),
    (
        "signal_overlap_f32",
        1,
        "AgAAAAQAAAABAAAAAQAAAA==",
        ("LCkVQD1njb/3bMA/+gIwP++hEcBxvwnAnPgHwNqv7z8=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "LCkVQD1njb/3bMA/+gIwP++hEcBxvwnAnPgHwNqv7z8=",
            ),
            ("AAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_overlap_f32",
        2,
        "AwAAAAIAAAADAAAAAQAAAA==",
        (
            (
                "X4FMQP9GWEBujkzAyg9/QFvfAEA/PHhAvRTkP4cuB0BtKn4/oahvQKAnHsAek60/tzmoP9HksD9+fEBAKSCo"
                "vul9WsD9gOM/"
            ),
        ),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "X4FMQGSr60C9FOQ/lGu7QLc5qD/H3IY/"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_overlap_f32",
        3,
        "AwAAAAIAAAAEAAAAAgAAAA==",
        (
            (
                "1u9GQPxKcUD3Gw/A7hBCwM61GsD+3Fs/OEdBQGuICsDligrAtJgRv/GlC0D2XuU/z+IZQAZ6x78b4KU/zyx0"
                "wDBHMsCKX8K/5L0zv4017D4XfRvAxNiHv/J0dr/hzJo/"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "1u9GQPxKcUDi6JTArhkLwOWKCsC0mBG/YMSSQIAnbz4wRzLAil/Cv5BsSMDClhm/",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_rfft_s32",
        1,
        "AQAAAAEAAAAGAAAA////fwAAAAABAADAXxQmkQAAAMCh69luXxQmkQAAAMA=",
        ("jIyqpw==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "bRdH8QAAAABtF0fxAAAAAG0XR/EAAAAAbRdH8QAAAAA=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_rfft_s32",
        1,
        "AQAAAAgAAAAIAAAA////fwAAAAAAAAAAAQAAgAEAAIAAAAAAAAAAAP///39nhn2lZ4Z9pQEAAIAAAAAA",
        ("q5wxDeU63iW/LqNOl12qNsZToFpFZZ9HLpqDhDq5kNE=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "Ci4WFgAAAAAnv2bq/DHI4PBklRLVrlfzE5M9Ah4XUBNMAKj4AAAAAA==",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_rfft_s32",
        1,
        "AwAAAAUAAAAGAAAA////fwAAAAABAADAXxQmkQAAAMCh69luXxQmkQAAAMA=",
        ("X8JvM7TJ2YMgQC39C8uTinyhBZOu/qZ5FaNdKJlWyeDEPYaQwxqKmpL+qmopv+HEuakMiuRaGp3IkaiI",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "y16tzQAAAACOPB0bg+eYAvUzqgh71D0hiYIzHgAAAAAmuE/yAAAAAPRORjXQzwjwCnNjCcofUASIwgMKAAAA"
                    "ALG45M8AAAAA6tAbMSoLVQgF+v4Zxda7CAGwkAQAAAAA"
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_irfft_s32",
        0,
        "AQAAAAYAAAAEAAAA////fwAAAAABAACAAAAAAAEAAIAAAAAA",
        ("T6QEIb4YY33uBqJZuiP9IBIyqh3vG5tS",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "Dbl8PLIKWPAjstribC5VEQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_irfft_s32",
        1,
        (
            "AgAAAAwAAAAKAAAA////fwAAAABu3o0nTDi8eZIhcpgRjDxLkiFymO9zw7Ru3o0ntMdDhu9zw7Ru3o1ntMdD"
            "hm7ejSc="
        ),
        (
            (
                "tGG2tJwfBB+FY44MYvMBHiTCgGkISpZebK8dZQckY8TdUdUTAzBLbRshBMfIzI7bjNuwdWkUvRYhgKdQAZFH"
                "zdxuRjAzFXuWeHp0WKwsryi44isqlCeqReT7xhg4uEuY"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "dq4sPAUlPOaGluXpHDuG52WVjTpFoIAAnS1A7dd0SxRqOf3vDqtKFPrXjijj2yMXOUgzDkJjMAK67pDbKg6P"
                    "+USK4fbQsaMYi1IHvrDw7QI="
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_irfft_s32",
        2,
        (
            "AQAAAA4AAAAMAAAA////fwAAAAAAAABAoevZbgEAAMCh69luAQAAgAAAAAAAAADAXxQmkQAAAEBfFCaRAQAA"
            "wKHr2W5fFCaRAAAAQAEAAIAAAAAA"
        ),
        ("nrJf7GCunbkaZe13cxP5UnCQ1DiRbpk3uj8szSjsTkAMlxodlGwzP0ac08GNApX52ZINJrFOvJ8=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "jCwDEXH+ivXEZtr7yPyH9FU5F9+3CEXj2ha0DlOWK+NaCxf7ugqd+OOzdhPpagg6",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_rfft_f32",
        3,
        "AwAAAAEAAAAEAAAAAACAPwAAAIAAAIC/MjENpQAAgL8yMQ2l",
        ("wVjkvz6XQEAkd4m+",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "wVjkvwAAAADBWOS/AAAAgMFY5L8AAAAAPpdAQAAAAAA+l0BAAAAAgD6XQEAAAAAAJHeJvgAAAAAkd4m+AAAA"
                    "gCR3ib4AAAAA"
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_rfft_f32",
        1,
        (
            "AQAAAAcAAAAMAAAAAACAPwAAAIAAAAA/17NdvwAAAL/Xs12/AACAvzIxDaUAAAC/17NdPwAAAD/Xs10/AAAA"
            "v9ezXb/Xs12/AAAAvwAAgL8yMQ2l"
        ),
        ("27wAv0m/iL+UkZO/DBiPPvjyDUDtdnq/82YVQA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "F4+QPwAAAAA/OJPA8Mk2vgA0fLsW0T9AYJYIP2LgFEBXhCZAMtg1wM07jsDyR9U/JD6VQAAAAAA=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_rfft_f32",
        3,
        (
            "AQAAAAkAAAASAAAAAACAPwAAAIB9G0Q/u40kv9TQMT5cHHy/AAAAv9ezXb+yj3C/RB2vvrKPcL9EHa8+AAAA"
            "v9ezXT/U0DE+XBx8P30bRD+7jSQ/RB2vvrKPcL+7jSS/fRtEv9ezXb8AAAC/XBx8v9TQMb4="
        ),
        ("VK7OvzOqP757rBhA9rRqQOwgCkAwsYS/32NvwCUmBL5BGJY/",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAA="
                ),
                (
                    "2D0rQAAAAADst1JA3Ag1wLofvr8KxBHB5OlIwScK67+EwyrAQCsPQaQ6GkAkqHu/CKh3wMqiFj/AtBA/rkkC"
                    "QPiuFL+jAJi/sAH6vwAAAAA="
                ),
            ),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                None,
            ),
        ),
    ),
    (
        "signal_irfft_f32",
        3,
        "AgAAAAgAAAAGAAAAAACAPwAAAAAAAAC/17NdPwAAAL/Xs12/17NdvwAAAD8=",
        (
            (
                "ODY/wA0VD7415SbABDL/vveTWEA4feU/AdxIQIpdGT+BwlrAhkssvu+PGr4cCElAGG2Vvy1ZaECjk3PA66Vr"
                "QA=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "vFmRPjksGcDNow4/v+p5PxkFRL8lr9K/aFzSv2VB3L9t0Fe/oGKMvoURkL+XFQxA",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_irfft_f32",
        3,
        "AgAAAAgAAAAGAAAAAACAPwAAAAAAAAC/17NdPwAAAL/Xs12/17NdvwAAAD8=",
        (
            (
                "U78CQICKxLzUOkm/gQ2xv1/uDUBiPwG//KJQwMue3T9nRnPAMHEYv3XWEj9fyj/AZNNdwN1MDT83MWzAEW9S"
                "QA=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "OXqMPgWhbT8dZEC+fUnxP2jrMb97vSW+3J0NwCAnrj9zCIQ+u7euvwM+5b+VklC9",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_irfft_f32",
        1,
        (
            "AQAAABIAAAAQAAAAAACAPwAAAADzBDU/8wQ1PzIxjSQAAIA/8wQ1v/MENT8AAIC/MjENJfMENb/zBDW/yslT"
            "pQAAgL/zBDU/8wQ1vxXvw75eg2w/8wQ1v/MENT9eg2y/Fe/DPgAAgL8yMQ0l"
        ),
        (
            (
                "DOI9QGNkij9dg/I/g8otQOZAOUCl1FjAFBA8QNYfTkCox2VAAFCpvvY6eD8fgX/AzcJ6wP/XA8CHfby/C0FR"
                "P2P4pT9KLQA/"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "p3WQP5f40D8cnJC/vJoRv9n3wD/ahai/1HFYv+0twr4gmTw9lodTPypujD/XQug++CM3PjkzD7+Qchg+IiI/"
                    "Pw=="
                ),
            ),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                None,
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "signal_window_s16": (True, True, False),
    "signal_scale_s16": (True, False, False),
    "signal_rfft_s16": (True, False, False),
    "signal_irfft_s16": (True, False, False),
    "signal_energy_s16": (True, False),
    "signal_filter_bank": (True, True, True, True, True, True, False),
    "signal_square_root": (False, True, False),
    "signal_pcan": (True, True, True, False),
    "signal_log": (True, False),
    "signal_subtract": (True, False, False, False),
    "signal_framer_s16": (True, False, False, False),
    "signal_stacker_s16": (True, False, False, False),
    "signal_delay_s16": (True, False, False),
    "signal_overlap_s16": (True, False, False),
    "signal_overlap_f32": (True, True, True),
    "signal_rfft_s32": (True, False, False),
    "signal_irfft_s32": (True, False, False),
    "signal_rfft_f32": (True, False, False),
    "signal_irfft_f32": (True, False, False),
}


class KernelTest(KernelCalls, unittest.TestCase):
    calls = CALLS
    raw = RAW
    native = (
        "signal_window_s16",
        "signal_scale_s16",
        "signal_rfft_s16",
        "signal_irfft_s16",
        "signal_energy_s16",
        "signal_filter_bank",
        "signal_square_root",
        "signal_pcan",
        "signal_log",
        "signal_subtract",
        "signal_framer_s16",
        "signal_stacker_s16",
        "signal_delay_s16",
        "signal_overlap_s16",
        "signal_overlap_f32",
        "signal_rfft_s32",
        "signal_irfft_s32",
        "signal_rfft_f32",
        "signal_irfft_f32",
    )


if __name__ == "__main__":
    unittest.main()
