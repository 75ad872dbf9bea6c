"""The detection kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("detection",)

    # fmt: off
    calls = (
        "detection 0 1,6,5,1,0,1,1,0,1050253722,1090600948,1089710542,1074089477,1078173335 xW1nv"
        "1BwLb/MZnM/1zKVPr8nBb6LnE4/ q6oqP6uqKj+rqqo+q6oqPwAAgD8= +CxHPD0eJz9MXM8/fGjBPw== > *16:"
        "Gk+5v1oboL6EAo4/XrqsPw== *4:AABAQA== *4:AACAPw== *4:AACAPw== *28",
        "detection 2 4,4,2,0,0,1,1,0,1008981770,1089253400,1080694471,1075529626,1077263748 ~5znl"
        "vKnHOb/A1LM+XYKrvkOaA781q3e/gOk1PcYOLTyDT5g9+2U8P2gHe78SfB0+dyYev1QZCT+LUW2/02VjPw== ~z/"
        "czPycxaD9cj0I+okU2P4cWOT8/NV4/lkMLP99PzT4= ~Q0Z7P2vBmT4uWAA/JFELP+gooUG2oHs/kmn1P3sdlD/x"
        "NSJCxa44P0gl9D/InJc/LjRxQnEDED8Uu34/j5+iPw== > *16:7p4wP2i9Sr2AeqI/mknePg== *4:AACAPw== "
        "*4:JzFoPw== *4:AACAPw== *100",
        "detection 2 1,5,4,1,1,6,100,1051820432,1065353216,1088378173,1087752741,1081713226,10831"
        "61204 ~EBCAvkgkLL/h2J6+DWeaPrCJ+j4= ~q6qqPquqKj+rqio/q6oqPw== ~XmuIPmZIeT+tGsU/vomFPg== "
        "> *96:Zuf/vg/cTj+dHWw//SGLP2bn/74P3E4/nR1sP/0hiz9m5/++D9xOP50dbD/9IYs/AAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA *24:AAAAAAAAgD8AAABAAAAAAAAAAAAAAAAA *24:"
        "q6oqP6uqKj+rqio/AAAAAAAAAAAAAAAA *4:AABAQA== *68",
    )
    # fmt: on


if __name__ == "__main__":
    main()
