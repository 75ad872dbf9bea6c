"""The signal kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "signal_window_s16",
        0,
        "CAAAAAQAAAAMAAAA",
        (
            (
                "/38AgACAAIAAgP9//38pWwCA/38AgACARFYAgACA/3//f/9//3//f/9/AIAAgACAz8gAgP9//38AgACA/3//"
                "fw=="
            ),
            "/3//f/9/AIA=",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "/38AgACA/38AgP9//38AgACA/38AgP9//38AgACAAID/f/9//38AgP9/AIAAgP9/AIAAgP9/AIAAgACA/38A"
                    "gA=="
                ),
            ),
        ),
    ),
    (
        "signal_window_s16",
        1,
        "BQAAAAEAAAALAAAA",
        ("cIQrkS/CZX8S4A==", "akE="),
        (("AAAAAAAAAAAAAA==", "AIAAgACA/38AgA=="),),
    ),
    (
        "signal_window_s16",
        2,
        "BgAAAAIAAAAPAAAA",
        ("eDgDibY1mMAVcYAWBAjrV+pmmwhCCfLj", "AID/fw=="),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "iMcDiUrKmMDrjn8W/PfqVxaZmgi+9vLj"),),
    ),
    (
        "signal_scale_s16",
        1,
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
        2,
        "IgAAAA==",
        (
            (
                "2/4AgMcAAID/AOn//38iAGz/AIAAgLf/hwCQAL4A1f6zAAv/AIB2/w7/YwB6AEIAZP+1AMX/IAHU//9/7P9g"
                "AP9/qQA="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAA="
                ),
                (
                    "2/4AgMcAAID/AOn//38iAGz/AIAAgLf/hwCQAL4A1f6zAAv/AIB2/w7/YwB6AEIAZP+1AMX/IAHU//9/7P9g"
                    "AP9/qQA="
                ),
            ),
            ("AAAAAA==", "AAAAAA=="),
        ),
    ),
    (
        "signal_scale_s16",
        0,
        "EgAAAA==",
        ("//8FAAAA/f/8/wEAAQD+/wMAAgAFAAMAAgD9//z//f8DAP3/",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "APAAUAAAANAAwAAQABAA4AAwACAAUAAwACAA0ADAANAAMADQ",
            ),
            ("AAAAAA==", "DAAAAA=="),
        ),
    ),
    (
        "signal_rfft_s16",
        2,
        "AgAAAAEAAAAKAAAA/38AAI4nRYZzmMS0c5g8S44nu3nEtHOYRYZy2A==",
        ("eAoJpw==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "DAEAAAwBAAAMAQAADAEAAAwBAAAMAQAAG/cAABv3AAAb9wAAG/cAABv3AAAb9wAA",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_rfft_s16",
        3,
        "AQAAAAIAAAAQAAAA/38AAIJafqUAAAGAfqV+pQGAAAB+pYJaAAD/f4JagloFz7+JfqV+pb+JBc8BgAAA",
        ("/3//fw==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "/g8AAGIP8PymDVj6Dgud+P8HAfjvBJ34VwJY+pwA8PwAAAAA",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_rfft_s16",
        2,
        "AQAAAAMAAAAMAAAA/38AAABAJ5EBwCeRAYAAAADA2W4AQNluAcAnkSeRAMABgAAA",
        ("/3//fwCA",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "qgoAAJEO5wNUFQAAVRVW9akKh+0Y/G7xVvUAAA==",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_irfft_s16",
        3,
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
        1,
        "AwAAAA4AAAAMAAAA/38AAABA2W4BwNluAYAAAADAJ5EAQCeRAcDZbieRAEABgAAA",
        (
            (
                "qhs1NZN9Wm5h55ynbS+GecztPwWG4ICvMbOAlY0BMQC7mPbNqTnsTv7j0ukvhWPKPrkmGyaK20TvYqcu5HNj"
                "yRQG1WwQ5HKsGa7GvjEZLWIeXTI/"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "Wgxw6VQWuQNt+xzkMN3mPqQD0w9/6D4Uysk/Fuzp/uvVI+8mHg1tFE7nwuvl+VcS5ADnGFQOpdy/H1ELLtsj"
                    "6mrBAQd5FOcQ"
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_irfft_s16",
        1,
        (
            "AQAAACIAAAAgAAAA/38AAEF2+zCCWoJa+zBBdgAA/38Fz0F2fqWCWr+J+zABgAAAv4kFz36lfqUFz7+JAAAB"
            "gPswv4mCWn6lQXYFzwfniX0Fz0F25Lhtan6lglqTlRxHv4n7MHeC+RgBgAAA"
        ),
        (
            (
                "AIAAgP9/AID/f/9//38AgP9/AIAAgACA/38AgACA/38AgACA/38AgP9/AID/f/9/AID/f/9/AIAAgACAAID/"
                "fwCA/38="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AA=="
                ),
                (
                    "/hf0H+QcX/sB6FoHuQkUCgHYRfioEPXgnh4F6Qj6rSAA+Pz3GvPx+QHoNCiFM/7/AfgL/Vb/f9xg8SkauuiB"
                    "4g=="
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
    (
        "signal_energy_s16",
        3,
        "DgAAAAAAAAAOAAAA",
        ("224AgACA/3//fwCA/3//fwCAlbsAgACA/3//f+hv/3//fwCATWcAgMRR/3//fwCA0wr/f/9/AIA=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "We8AcAEA/38BAP9/AgD+f7kESVIAAACAAgD+f0EC6nABAP9/KQ2vaRGeHFoBAP9/6il0QAEA/38=",
            ),
        ),
    ),
    ("signal_energy_s16", 0, "AQAAAAAAAAABAAAA", ("dfjSDg==",), (("AAAAAA==", "vYkUAQ=="),)),
    (
        "signal_energy_s16",
        1,
        "DQAAAAAAAAANAAAA",
        ("AIAAgP9//38AgACAAID/fwCAAIAAgP9//38AgP9/AIAAgACA/3//f/9//38AgACAAIAAgA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "AAAAgAIA/n8AAACAAQD/fwAAAIABAP9/AQD/fwEA/38AAACAAgD+fwIA/n8AAACAAAAAgA==",
            ),
        ),
    ),
    (
        "signal_filter_bank",
        2,
        "BAAAAA==",
        (
            (
                "MwxoAf8DAAD37RUMAwAAABbViw253vQNYzUBAAQAAACyDAAAAAAAAITLhlsAAAAABWEIa0YCAABpAgAAmJWb"
                "AA=="
            ),
            "5S3+YBI48vWCqtG4U1S1khVG0QQAgKK1agwR/XckJ2MK6BeV6tabe7VxsfO1lQ==",
            "AIAAgACA/3//fwCAAID/f/9/AIAAgP9//38AgP9//38AgP9/AID/fwCA/3//fw==",
            "CAACAAYACQAEAA==",
            "AAAEAAoACgAQAA==",
            "BAAGAAAABgAGAA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "M9d3mrTM///t/W78PwYAAGZfWnEv5P//DCtzAybx//8=",
            ),
        ),
    ),
    (
        "signal_filter_bank",
        0,
        "AQAAAA==",
        (
            "8AIAAA8GAAD+AAAA6gAAAFqGAQDB3gAAieYAAOSriQDkBwAAhjEAAA==",
            "AIAAgA==",
            "AIBmjA==",
            "CQADAA==",
            "AAAAAA==",
            "AAABAA==",
        ),
        (("AAAAAAAAAAA=", "AACL//////8="),),
    ),
    (
        "signal_filter_bank",
        2,
        "BQAAAA==",
        (
            "WwIAADLYAgBLoPjwRGgBAAMAAAAhAAAAa0U/APo0AAC46hEAcyUAAAAAAADHIEwAwA8UAA==",
            "/38AgACAfh0AgACAAID/f/9/AIAAgACAmu8AgP9//3//f/9/AIAAgP9/",
            "AID/fwCAAICfsv9/AID/f/9//38AgP9//39tYv9/AIAAgACA/38AgFGf",
            "BAAEAAYACAAGAAQA",
            "AAAFAAkACwAPABMA",
            "BQAEAAIABAAEAAEA",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "wj1alfr///+YhbH///////x9TqA8AAAA8Wmet1cAAACNWilg1////w==",
            ),
        ),
    ),
    (
        "signal_square_root",
        2,
        "BAAAAA==",
        ("mnhFlQAAAABBHgAAAAAAAAWcblsAAAAAvfo/4N4oBwA=", "////fw=="),
        (("AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAAAA=="),),
    ),
    (
        "signal_square_root",
        3,
        "CQAAAA==",
        (
            (
                "5bXSVS9olgAGAAAAAAAAAGUOaucYAAAAevQHoRpwAACDrJ3e488AACZ7ITBW8ccAGxgAAAAAAADlHAAAAAAA"
                "AJUHAAAAAAAA"
            ),
            "IgAAAA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "OuYQAwAAAABiPwEAB1oqAG+sOQCR94gDEwAAABUAAAALAAAA",
            ),
        ),
    ),
    (
        "signal_square_root",
        2,
        "CQAAAA==",
        (
            (
                "twDzUnwRvQAQAwAAAAAAADgyrQAAAAAAbsk8YpKjAACzf9SLQBo2D8h+yQMAAAAAUY4VHMmJAwCOT0HGLuwM"
                "AAoAAAAAAAAA"
            ),
            "IgAAAA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "dQNwAwcAAABKAwAAdygzAJHGmQ/IBwAAlWJ4ADUR5gAAAAAA",
            ),
        ),
    ),
    (
        "signal_pcan",
        1,
        "BwAAABAAAAA=",
        (
            "AAAAAAwAAACioX0AJQAAAJ9AAAAObhoP1CtPAQ==",
            "170IAJQ8hQKnGOkFijoAABwAAACRuzIAAQAAAA==",
            (
                "EQ5wa4DtZRChMXmd0L//f2sjsJmoMP8pAIAiNT6iAU7C4QCAxK8FEtA4dwUAgP9/emLIxNa+IyP/fwCA/398"
                "Pug4fVccgv9/AICrff9/AIB5WfKz/38JSgCARKxGTIUOOzI9/f9/ZDj0HoxwCZugMgCAAICCDc95rVOWVfqi"
                "TFP/fwCAAIAAgACAa3uYF0T0OXxrt7xbAIAndyjuAID/f3nW5zW1i+dx5lgAgNg6asT/f1gV/397yACAIZ+s"
                "XpgetOAAgA7thLoAgP9/pKAjRETEpXlHsACABxL/f4OFKi8AgACAyk4AgMdGAIBdNnzD0F0AgGI75qwxXA=="
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "AAAAAL8vAACw8YUCv5MAAIt7AgEJrbMBZzICAA==",
            ),
        ),
    ),
    (
        "signal_pcan",
        2,
        "BgAAAAkAAAA=",
        (
            "ahwUAhPWAADSgXEA9a8BAA8AAADGN88A",
            "TzygqAEAAABaAAAAqTIAAOcZCQCYiP4L",
            (
                "E8imHYuDPxjikcl9GrehowqVsNEdXvyIH69U3rS0NBFDigPZtLgqbfgAwyXSWPeHVzast7qEVibYn4jVuvKb"
                "RksS7qC+KLV44a0chXpAdPMfapTnm3+iC7CsQg/jp3FqJy06C0siiqC+LuJrl2N9ZkjZ65BAkcIUQOv3vdhT"
                "CtBgHHcsSpp+j5TR+YAUB6AP8GOqM4wUrgY9pzSUzbaI+xSLzf/MRyRih3HOybhGdr9MzbFG4mYYZkldaKF4"
                "ByBZ5JCJg47MAd+6Wh+hMfaAp0/tQP2s1EO+r4+/qgIqSwRn8/vqtYgoXEwiTXccZxyfw/TBuCa2u2bAHA=="
            ),
        ),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "LJE0AFUxAADEeCsASO3pAwAAAABXeOMC"),),
    ),
    (
        "signal_pcan",
        0,
        "AwAAABQAAAA=",
        (
            "LAAAANZ/lvzXWhsA",
            "CwAAAH4Z8QWKAQAA",
            (
                "S11pAuL+VlhJgpr0JdALOJ2Z53JLs3vCI/PDkXeT02l+QQNSG6JKxMCG9Vx1hSlwINGSs4Y/z5AY/qXVAf6E"
                "ahwiXWSLTNkeGj6/kyqgXjDj4jvMs4ofjN7PFXA4Dhq0HbIfkVOg6d7g+Yux1qpxFm8Bz5VCbm4jhU76WIUs"
                "4onhw3bxFZpiDGRJ0yLyESokdAj297TdCdDbVszqo6CHxcKpSAa9UsA0lHt9+8FGUiq46FPUTTbPgWH9N3NY"
                "2mtpyKEAWZM02DPbTl+O5QrikToQAlFOXTN1MUnfMjQXEsAb6Asj8of0w8mxZcT6YfKrrQ9RMDKEPR/pYA=="
            ),
        ),
        (("AAAAAAAAAAAAAAAA", "vwoAAIlnlgF+AQAA"),),
    ),
    (
        "signal_log",
        2,
        "BgAAAAQAAACHAAAA",
        ("nKsAADkfKQuGAAAAIc7CCrleDwAUAAAA",),
        (("AAAAAAAAAAAAAAAA", "GQeCCwwEfQvBCAsD"),),
    ),
    ("signal_log", 1, "AgAAAAAAAAC4BwAA", ("AQAAAAAAAAA=",), (("AAAAAA==", "AAAAAA=="),)),
    (
        "signal_log",
        0,
        "DAAAAAIAAAA1CAAA",
        ("C2RvQajFFmhYBQAABwAAAC94GAY3BAAAuh8AAOoDAAADAAAALgAAAP////8AAAAA",),
        (("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "/3//f6RGWRv/f65ERVUXRGUUzSr/fwAA"),),
    ),
    (
        "signal_subtract",
        0,
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
        3,
        "CwAAALwCAABEAQAAwAIAAEABAAAAAAAA4gIAAAcAAAAKAAAA",
        ("AAAAAH8AAAAmII0Tz0W7Bhw5GQABAAAABAAAAPQKAABtOpEAJPI1ACSzMwA=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAFsAAACrNRcOz/fZBKgtEgAAAAAAAgAAAOQHAACbqmgAAuEmAJtCJQA=",
            ),
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAKgrAAD9fLyHKP9fQBIFnwhYAAAAXgEAAODDAwBBeKMxYDyLEs66qxE=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_subtract",
        1,
        "CAAAAHkBAACHBgAAdQYAAIsBAAAAAAAA7AIAAAUAAAALAAAA",
        ("AAAAgAEAAAABAAAAAAAAgAAAAID/////AAAAgP////8=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AADALgAAAAAAAAAAAADALgAAwC7//39dAADALv//f10=",
            ),
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAABkAAAAFAAAAAAAAAAAAAADm/5/OAAAAAOb/n84=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_framer_s16",
        1,
        "AgAAABgAAAAGAAAABgAAAAAAAAA=",
        (
            (
                "LJT5YzdeRq6bBzFaKXmWqrutZFmox3yodNmGSCrf6ZIEBYfsG1KO/vWEDYdZeq4nOgwyRqsnHSmvJrCvzxoC"
                "wX0ofR3RbN8h2WryWk+FraW3QTSWwd2/pUu3dEZo24zw"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "LJT5YzdeRq6bBzFaKXmWqrutZFmox3yodNmGSCrf6ZIEBYfsG1KO/vWEDYdZeq4nOgwyRqsnHSmvJrCvzxoC"
                    "wX0ofR3RbN8h2WryWk+FraW3QTSWwd2/pUu3dEZo24zw"
                ),
            ),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_framer_s16",
        0,
        "AQAAAAYAAAAMAAAABgAAAAYAAAA=",
        ("wUGFvfWBXqblICa6",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAwUGFvfWBXqblICa6"),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_framer_s16",
        2,
        "AwAAAAYAAAAGAAAABgAAAAAAAAA=",
        ("AlhiLN0S3LfMoicC1l7Hc/B3Jk+TQ757xMjRXu8fwZWZgoGE",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AlhiLN0S3LfMoicC1l7Hc/B3Jk+TQ757xMjRXu8fwZWZgoGE",
            ),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
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
        "AgAAAAQAAAADAAAAAQAAAA==",
        ("/3//fw==",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "/3//f/9//3//f/9//3//fw=="),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_stacker_s16",
        1,
        "AgAAAAQAAAADAAAAAQAAAA==",
        ("Uwn/fw==",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "Uwn/f1MJ/39TCf9/Uwn/fw=="),
            ("AA==", "AQ=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_delay_s16",
        1,
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
        0,
        "BQAAAAIAAAADAAAA",
        ("dptgsCCIn+TBYP9/BSE2KvUd4mE=",),
        (
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "signal_delay_s16",
        3,
        "BwAAAAUAAAAIAAAA",
        (
            (
                "59dQQviZ+/PfQP9/q0wzIJAu8KOMNVyMxy5VMUXtsfCrqDYDg4j2lnwGha0ymv9/ZLRP+E6TlecdvPT3jZCO"
                "BdR4VQZV4A=="
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAA=="
                ),
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAA=="
                ),
            ),
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
                ),
                None,
            ),
        ),
    ),
    (
        "signal_overlap_s16",
        2,
        "AwAAAAIAAAADAAAAAQAAAA==",
        ("k44br83SAIARNgCAtXf/fwCAcIGIs/9/QrFkFj073Bw3agCA",),
        (("AAAAAAAAAAAAAAAA", "k44AgLV3bwFCsUAz"), ("AAAAAAAAAAAAAAAAAAAAAAAA", None)),
    ),
    (
        "signal_overlap_s16",
        1,
        "AgAAAAIAAAABAAAAAQAAAA==",
        ("AIAAgP9//38=",),
        (("AAAAAAAAAAA=", "AIAAgP9//38="), ("AAAAAA==", None)),
    ),
    (
        "signal_overlap_s16",
        0,
        "AQAAAAEAAAAIAAAABAAAAA==",
        ("ObQ8Sr8zF9iAXdl78Ty9qQ==",),
        (("AAAAAAAAAAA=", "ObQ8Sr8zF9g="), ("AAAAAAAAAAAAAAAAAAAAAA==", None)),
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
        3,
        "AgAAAAQAAAAEAAAA////fwAAAAABAACAAAAAAAEAAIAAAAAA",
        ("////f////3////9/////fwAAAID///9/AAAAgP///38=",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "/P//fwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAIAAAAAA",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_rfft_s32",
        2,
        (
            "AgAAAAMAAAAKAAAA////fwAAAABu3o0ntMdDhpIhcpjvc8O0kiFymBGMPEtu3o0nTDi8ee9zw7SSIXKYtMdD"
            "hpIhctg="
        ),
        ("////fwAAAID///9/////f////3////9/",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "zczMDAAAAABlZmYG+qFZ++o5ff4GXqYEZmZmBgl6shOuXxwbCXqyE2VmZiYAAAAAZWZmJgAAAACuXxwb94VN"
                    "7GZmZgb3hU3s6jl9/vqhWftlZmYGBl6mBM3MzAwAAAAA"
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", None),
        ),
    ),
    (
        "signal_rfft_s32",
        3,
        (
            "AQAAAA8AAAAQAAAA////fwAAAACZeYJaZ4Z9pQAAAAABAACAZ4Z9pWeGfaUBAACAAAAAAGeGfaWZeYJaAAAA"
            "AP///3+ZeYJamXmCWrM6BM/EUL6JZ4Z9pWeGfaXEUL6JszoEzwEAAIAAAAAA"
        ),
        ("v3KzVKlDPAKDDeEusWnK0jzW/X3qc/bO8fzxo+vSBGTJz7c6pawGDN4+TnnRUt2bHcqUWaB1P6eQeIKa",),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "4HBMCgAAAAB23PD3s0X5+H/FDQ0jCYTt2E7TAR2TMwIPogUYWTvjBPm61Qj53ef3x07t6fxjuxp2AuUDl9PH"
                    "97bDZx8AAAAA"
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
    (
        "signal_irfft_s32",
        3,
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
        "AQAAAAoAAAAIAAAA////fwAAAAAAAAAA////fwEAAIAAAAAAAAAAAAEAAIBnhn2lmXmCWgEAAIAAAAAA",
        ("PV7uatEaWHWqbeTBbDfclEpfE560x2wljSej4cT2KQ8frGBQYjTFCA==",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "b57Qx9pAnARNeXgu/N+LItHTDPbUx1Dvo5lR8WbwzfY=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "signal_irfft_s32",
        2,
        "AgAAAAYAAAAEAAAA////fwAAAAABAACAAAAAAAEAAIAAAAAA",
        ("U6Y5fAAAAIArq0pwGKRk4Hq9F2r///9/////f////3/97FNtbZnHmz5x6CHcqxZ0",),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "iK65MSooVhRgA2/BQsy69M0SJB/4FqJJ0yXQsWiwaeU=",
            ),
            ("AAAAAAAAAAAAAAAAAAAAAA==", None),
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


class KernelTest(KernelCalls, TestCase):
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
    main()
