"""The matmul kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("batch_matmul_s8", "batch_matmul_s16", "batch_matmul_f32")

    # fmt: off
    calls = (
        "batch_matmul_s8 3 4,6,4,0,0,128,128,-128,1197621595,-6,0 Jx7cLVv2Np4VB0qwlVnCFsPBMQDzxMB"
        "8 iKpJG7IQlChQkzHgDxubLTTZ0V5BqWmT > *16:f39/f39/f39/f39/f39/fw== *24",
        "batch_matmul_s8 1 4,1,6,1,0,-127,0,-12,1491405012,-7,3,3,1,0,2,0,1,1,0,0 ObznbBkbG/PDc98"
        "r 6+aW2218DgG1YthL > *144:/P4cAsvFChBkG4GABQlLE5qO9vf/+Onn7/QQzwPY5fNDjB6l6PMyoxW28/T86v"
        "jsAAIvCLiv/wIuCLmx/wIuCLmxBAhFEKGW7PMevgrK7PMdvwrL7PMdvwrL6fMtqhK7CQ9gGoWA9fb79u3sBgtQFJ"
        "WI/gAkBcK75vNBkB2n8/T57vfv6PM1nxez7vQWxwbS *8",
        "batch_matmul_s8 2 6,6,6,1,0,-19,-125,-3,1714944834,-9,1,2,1,0 27VTuk7o11nYLLI5kU68eBDBDz"
        "lWHpOZkCmbfSSMpVl0TN4V3eZibg1dUsSF2nS1eY/nL7GkPpEVJhlXmzYG/kxiGWL6f05G piXFcz6azJ2lVkG5O"
        "pKmu5MfAnlocppRp0IDOTUpOXxM7HQE > *72:ZlZuUElc7dni1tnuEjMpEBD+3tLTxs7tHRcTDy4XTiE2JFYmEt"
        "Tq5tX6NU1IF2IuFTUpGRQZ4/zo4OnX1PrvAQ/d3TUXDgX3 *44",
        "batch_matmul_s16 0 1,2,6,1,1,0,0,0,1820734262,-16,1,3,0,1 bbMtzQ== xqtWa3npZLvRKzMfLt4du"
        "12Mb9JhUl8+JZZsbzzsXzPcTRHMJ+svNDBmLOhlQqlIgXRHTt2poXZbBZqETBGMzbvXdVNLukJp > *36:SwNDEa"
        "PvLBT/JJzgFwhe/P/0gfwY6u/iR9XgAWoTGwQq/Pb/",
        "batch_matmul_s16 1 1,13,2,0,1,0,0,0,1477435662,-16,0 ~3DYozj1dgJySkRhPCLO7jwyENNJv1pC4eX"
        "Y= ~X/clhwkQjUn6mytzia18SWBDbd1dar7O2RIz/PqMaLDwlqjLd+p88Lb5/VKOru/TwBQ3qw== > *4:tSFi+w"
        "==",
        "batch_matmul_s16 3 1,4,3,0,0,0,0,0,1309345520,-16,3,2,1,1,1,0,0,1,0,0 ~+gyzrHpVn7OgRW8Le"
        "cluwQ== ~5iz8swCRawn5UglUn1NPtmpLAcU4/UNymriZuGxBxY5MDfKrDZUHSFXk2JjBXd5u > *12:Rhux3nfm"
        "Vw4y3aL7",
        "batch_matmul_f32 2 2,3,6,0,1,3,1,0,0,2,1,0,1,0,0 ~uXWpPxER5j/Y1Ye/rlcxQD0hnL+eAjpAgWiVPV"
        "p2CsB2JXPAuh5sQJN1yD5ZfXY/ ~y3wbwCU1UEB7728+K9ZZwEa5IEA/1hA/5NIvQLNxd0Cryvo/aLM4QBZFMEC5"
        "BnLA4OxFwHLU6b+3nXxAAmpiwLS9ZsAvWI+/ > ~*96:hncYQAe/F79EHQhBdIxMQWcQOcEmmx/B2E4gwUmbLcE8"
        "dQlBGlHLwB8vpEDUjwrBF7EBwcyW+sBOunnBb+cJQXpONMGmvjxB9NjuwPZ4MMEGk1hBL1oBQeYwBcFLq3jB",
        "batch_matmul_f32 1 5,5,2,1,0,1,1,0,0 ~DjN7QGw737+p3Nk/oz7wPzQvQkCnT849nTHSP8RaFj+lwWVAUj"
        "1gQEZPSb8Ikqc/Z1DYv5HJoz9Frr4/HHWQvwiZLcBzwzbAQ5UYv3N02792zpa/GS4UQELffL6RJEs/JgDXPw== ~"
        "AdN3wFzF9b/rCQzAOSEvwG9JYb8Muz9A5fxLwCCpD8Dp0zPAUds4wA== > ~*40:hDj6wOdnh8AXu4RAtmYLQG8O"
        "WkDWITTA6qGEwfzEKMED2p/BbEI/wQ==",
        "batch_matmul_f32 3 2,1,5,1,0,0 ~ZRWPP216uz8= ~3cxPQKN42L//IzvAonjsvy2DMUA= > ~*40:mkloQP"
        "X68b9+MVHAJisEwDhuRkAGLphApYcewMoMicA1LS3Atv+BQA==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
