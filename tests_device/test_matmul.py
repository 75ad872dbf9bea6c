"""The matmul kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; KernelCalls of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main

CALLS = (
    (
        "batch_matmul_s8",
        3,
        "BAAAAAYAAAAEAAAAAAAAAAAAAACAAAAAgAAAAID///9bQWJH+v///wAAAAA=",
        ("Jx7cLVv2Np4VB0qwlVnCFsPBMQDzxMB8", "iKpJG7IQlChQkzHgDxubLTTZ0V5BqWmT"),
        (
            ("AAAAAAAAAAAAAAAAAAAAAA==", "f39/f39/f39/f39/f39/fw=="),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", None),
        ),
    ),
    (
        "batch_matmul_s8",
        2,
        "BgAAAAYAAAAGAAAAAQAAAAAAAADt////g/////3///9C+zdm9////wEAAAACAAAAAQAAAAAAAAA=",
        (
            (
                "27VTuk7o11nYLLI5kU68eBDBDzlWHpOZkCmbfSSMpVl0TN4V3eZibg1dUsSF2nS1eY/nL7GkPpEVJhlXmzYG"
                "/kxiGWL6f05G"
            ),
            "piXFcz6azJ2lVkG5OpKmu5MfAnlocppRp0IDOTUpOXxM7HQE",
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAA"
                ),
                (
                    "ZlZuUElc7dni1tnuEjMpEBD+3tLTxs7tHRcTDy4XTiE2JFYmEtTq5tX6NU1IF2IuFTUpGRQZ4/zo4OnX1Prv"
                    "AQ/d3TUXDgX3"
                ),
            ),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None),
        ),
    ),
    (
        "batch_matmul_s8",
        0,
        "AQAAAAUAAAACAAAAAAAAAAEAAAAAAAAAAAAAAEkAAAC/mapO+P///wAAAAA=",
        ("yVUHAlg=", "2d9Pd48jBRRawQ=="),
        (("AAA=", "MTk="), ("", None)),
    ),
    (
        "batch_matmul_s16",
        0,
        "AQAAAAIAAAAGAAAAAQAAAAEAAAAAAAAAAAAAAAAAAAA2M4Zs8P///wEAAAADAAAAAAAAAAEAAAA=",
        (
            "bbMtzQ==",
            (
                "xqtWa3npZLvRKzMfLt4du12Mb9JhUl8+JZZsbzzsXzPcTRHMJ+svNDBmLOhlQqlIgXRHTt2poXZbBZqETBGM"
                "zbvXdVNLukJp"
            ),
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "SwNDEaPvLBT/JJzgFwhe/P/0gfwY6u/iR9XgAWoTGwQq/Pb/",
            ),
        ),
    ),
    (
        "batch_matmul_s16",
        1,
        "AQAAAA0AAAACAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAO4Q9Y8P///wAAAAA=",
        (
            "3DYozj1dgJySkRhPCLO7jwyENNJv1pC4eXY=",
            "X/clhwkQjUn6mytzia18SWBDbd1dar7O2RIz/PqMaLDwlqjLd+p88Lb5/VKOru/TwBQ3qw==",
        ),
        (("AAAAAA==", "tSFi+w=="),),
    ),
    (
        "batch_matmul_s16",
        3,
        (
            "AQAAAAQAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwBgtO8P///wMAAAACAAAAAQAAAAEAAAABAAAAAAAA"
            "AAAAAAABAAAAAAAAAAAAAAA="
        ),
        (
            "+gyzrHpVn7OgRW8LecluwQ==",
            "5iz8swCRawn5UglUn1NPtmpLAcU4/UNymriZuGxBxY5MDfKrDZUHSFXk2JjBXd5u",
        ),
        (("AAAAAAAAAAAAAAAA", "Rhux3nfmVw4y3aL7"),),
    ),
    (
        "batch_matmul_f32",
        2,
        "AgAAAAMAAAAGAAAAAAAAAAEAAAADAAAAAQAAAAAAAAAAAAAAAgAAAAEAAAAAAAAAAQAAAAAAAAAAAAAA",
        (
            "uXWpPxER5j/Y1Ye/rlcxQD0hnL+eAjpAgWiVPVp2CsB2JXPAuh5sQJN1yD5ZfXY/",
            (
                "y3wbwCU1UEB7728+K9ZZwEa5IEA/1hA/5NIvQLNxd0Cryvo/aLM4QBZFMEC5BnLA4OxFwHLU6b+3nXxAAmpi"
                "wLS9ZsAvWI+/"
            ),
        ),
        (
            (
                (
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "hncYQAe/F79EHQhBdIxMQWcQOcEmmx/B2E4gwUmbLcE8dQlBGlHLwB8vpEDUjwrBF7EBwcyW+sBOunnBb+cJ"
                    "QXpONMGmvjxB9NjuwPZ4MMEGk1hBL1oBQeYwBcFLq3jB"
                ),
            ),
        ),
    ),
    (
        "batch_matmul_f32",
        1,
        "BQAAAAUAAAACAAAAAQAAAAAAAAABAAAAAQAAAAAAAAAAAAAA",
        (
            (
                "DjN7QGw737+p3Nk/oz7wPzQvQkCnT849nTHSP8RaFj+lwWVAUj1gQEZPSb8Ikqc/Z1DYv5HJoz9Frr4/HHWQ"
                "vwiZLcBzwzbAQ5UYv3N02792zpa/GS4UQELffL6RJEs/JgDXPw=="
            ),
            "AdN3wFzF9b/rCQzAOSEvwG9JYb8Muz9A5fxLwCCpD8Dp0zPAUds4wA==",
        ),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "hDj6wOdnh8AXu4RAtmYLQG8OWkDWITTA6qGEwfzEKMED2p/BbEI/wQ==",
            ),
        ),
    ),
    (
        "batch_matmul_f32",
        3,
        "AgAAAAEAAAAFAAAAAQAAAAAAAAAAAAAA",
        ("ZRWPP216uz8=", "3cxPQKN42L//IzvAonjsvy2DMUA="),
        (
            (
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                "mkloQPX68b9+MVHAJisEwDhuRkAGLphApYcewMoMicA1LS3Atv+BQA==",
            ),
        ),
    ),
)

# By kernel: for each argument, whether it may lie anywhere.
RAW = {
    "batch_matmul_s8": (False, False, False, False),
    "batch_matmul_s16": (True, True, False),
    "batch_matmul_f32": (True, True, True),
}


class KernelTest(KernelCalls, TestCase):
    calls = CALLS
    raw = RAW
    native = ("batch_matmul_s8", "batch_matmul_s16", "batch_matmul_f32")


if __name__ == "__main__":
    main()
