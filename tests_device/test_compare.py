"""The compare kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("compare", "compare_s8", "logical_not", "compare_s16")

    # fmt: off
    calls = (
        "compare 2 3,1,1,4,1,1 j9QkZAAAAAAAAIB/AAAAAA== AAAAALBsHCIAAIB/lP/tlQ== > *4:AAEAAA==",
        "compare 0 0,13,1,6,1,1 AQEAAAAA AAEBAAAB > *6:AQABAAAB",
        "compare 0 2,2,1,4,0,1 4eE/Ar7E6ao= ywoOjUbfEp8AAAAAAQAAAAAAAAAAAAAAywoOjUbfEp8= > *4:*4",
        "compare_s8 3 4,-98,1315644544,-6,-18,1276027392,-5,1,60,1,1 gqkT3ntLBXWe5s/T9EKBRuY0P/EL"
        "rSv4IdNPIZTSiyYEX84QZfYsOAGtUfhdrtUNNdDvkYakTE2LctO3 nGP2Tgf/QLmZLD77DSjAOXgCrar98vyfhqh"
        "PuxSyXJ4kFmWwK0XBZaQCB3S/2SgTfxk2W5SPu7dtxaMw > *60:AQAAAAEBAAEBAAAAAAAAAAAAAQEAAAABAQEA"
        "AQABAAEAAAABAAABAAEAAQABAAAAAAAAAAEBAQEAAQEA",
        "compare_s8 0 13,0,2087936384,-4,0,1595157504,-9,1,1,0,0 Og== sw== > *1:AQ==",
        "compare_s8 1 1,-127,1428657024,-11,-127,1096991488,-10,2,6,0,18,18,1,1 nOm5awfxvbmjoqKDy"
        "qKm4hgr fVkpBTQPzVSMPoclbe1jXpJTBNGBoo/mItW56oH8l8mFzfDDpOZUCsjtdpq9nvOQg/cg4VDJcooO7m2t"
        "DsNfod1ufdwF1jr0jqYKk3ngzfzE3D0xx4YR1bXMbzkKUuV9GqOjVNfwAGslMiqK > *108:AQEBAAAAAAEAAQAB"
        "AQABAQABAQAAAAAAAQAAAAABAAAAAAAAAAABAAAAAQAAAAAAAAEBAAEAAQABAAEAAQABAAABAQABAAAAAAABAAEA"
        "AAAAAAEBAAABAAAAAQEBAAABAQAAAQABAAEBAQAA",
        "logical_not 2 30 AQEBAAEAAQABAQABAQEAAAEBAQAAAAAAAQABAQAA > *30:AAAAAQABAAEAAAEAAAABAQAA"
        "AAEBAQEBAAEAAAEB",
        "logical_not 1 9 AQAAAQABAAEB > *9:AAEBAAEAAQAA",
        "logical_not 2 27 AAAAAAABAAAAAAAAAAAAAQAAAAAAAAAAAQAA > *27:AQEBAQEAAQEBAQEBAQEBAAEBAQEB"
        "AQEBAAEB",
        "compare_s16 0 0,14825960,0,9013754,0,1,5,1,0 /3/fdP//AIABAA== 33Q= > *5:*5",
        "compare_s16 3 7,9708958,0,16777215,0,3,2,0,0,7,1,1,1,0,1 ~/3///znEOcT///PL//8= ~88vzy/PL"
        "/3///wCA//8= > *14:AQEBAQEBAQEBAQEBAQE=",
        "compare_s16 0 6,8388608,0,16777215,1,3,2,5,10,2,0,5,5,1,1 ////fwAAxjcAgP//AIABAMY3AAA= A"
        "QD/fwAA/3///wAAAID/f8Y3ytgBAACAAQD/f8rY/38AAP9/ytgAgA== > *20:AAABAAAAAQAAAQABAAABAAAAAQ"
        "E=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
