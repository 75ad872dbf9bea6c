"""The deconv kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("transpose_conv_s8", "transpose_conv_s16", "transpose_conv_f32")

    # fmt: off
    calls = (
        "transpose_conv_s8 0 1,6,3,2,1,1,6,7,1,1,3,0,0,128,-13,-128,127,1050446588,1059286754,0,4"
        " loGNW/YbBooZshKHAaU0lMjnqTRsMeVX+eZZwcLNkTTItmEr dhc= 0gEAAA== TC8UPA== > *42:APX1EfX1Q"
        "Tv19Uj19UA79fVT9fUkHPX1f/X1Pj319Wr19R4Q9fUf9fV5 *16",
        "transpose_conv_s8 0 1,6,1,9,2,1,12,2,1,2,2,0,0,-4,-128,-128,127,1002914362,1035147457,0,"
        "4 f4CAf39/gH9/f4CAgH+AgIB/f3+AgH+Af4CAgH+AgH+AgH9/gICAgH9/gH9/gIB/gH9/f3+A YNKuhhESzs/BQ"
        "sgVqk3hyzKO ac7//w== zUHvPA== > *24:gICAgMuAl4C6gJqAgICAgIqAgICAgKmA *16",
        "transpose_conv_s8 3 1,1,7,2,5,3,5,9,1,2,1,0,0,-26,65,65,92,1020540750,1046990717,0,4 7t1"
        "oqDV/yCCb26RfKcA= ufvUFzKZvNE0xISEThxqlwdvNp346mhabg/k4O/c ~gVsAAA== ~2SlPPQ== > *45:XFx"
        "cXFxcXFxcXFxcXFxcXFxcXFxcQVxcQVxcXFxcXFxcXFxcXFxcXFxcXFxc *16",
        "transpose_conv_s16 3 1,4,1,4,1,4,7,1,3,2,2,0,1,0,0,-32768,32767,965490107,927097463,4,2 "
        "lXYJ2R3mhULpSPruKJBJ1KHJRbMSj1KOo0/B9DEBUVE= Sv4w8s+NZ59bmyn+z/AuBgayEYTMEzEO3+zLKQgf4p9"
        "27BOtaQGNtHytzHPoUp9H ~8E4plq9o ~WkXfODkWhzgH+ac3 > *42:heYT9dMEMgDY/wwAVuqr8A8LMgDY/wwA"
        "8BpJ918HMgDY/wwAtOYm+/0A *48",
        "transpose_conv_s16 3 1,4,3,3,3,1,8,8,1,2,3,0,0,0,0,0,32767,941664663,853457252,0,8 p6NHQ"
        "RraP7N65H94En5t5GfIRfnMv+/i6HhCthrHXqdtaLVk/mWvvI21+qsbNH24jwL34ipABu5DbQ6UeqBj0crUd8Gw9"
        "gwt ejZIfGFv3t5T ~15X///////8= ~ABR1Nw== > *128:AAAAAAAAAAAAAAAA/38AAAAAAAAAAFgXAAAAAP9/"
        "AAAAAAAAAAD/fwAAAAAAAAAAAAAAAAAAlx4AAAAA/38AABhIAAAAAAAAAAAAAP9/AAAAAAAAAAAAAAAAAAB6YQAA"
        "AAAAAAAAAAAAAAAAkBoAAAAAAAAAAAAAAAAAAAAAAAA= *16",
        "transpose_conv_s16 2 2,1,1,2,2,3,1,2,9,1,2,0,0,0,0,0,32767,936546166,931340524,0,2 wbyPB"
        "fmVZNE= zNyYAV4dj36UL2wp8BuocLXtAizC/bF695GQKpmfddQJyYyYLhkOL4WgWA4TsXdUKTmsyKXTVpyCM/fy"
        "V+GMzBw5a+NatHmEp1eLrgNgh0HzHx6FeXkqHGfqJEP+hrZsq+UhJj+MH7Wim0hh ~UVhmJlNQQdTh+URMr5++nJ"
        "S0 ~wOVMOw== > *72:/hBZBlgAAAAAAAAA/h8AAJAblSMHIWMnAADEGhgmuiQAAAAAjCRkAisfAAAAAAAAiRoAA"
        "C8zkTfUFDEyAADJOUxK/FAAAAAA *144",
        "transpose_conv_f32 1 1,1,3,3,1,1,1,3,5,2,1,0,0,0,0,-8388609,2139095039,0,0,0,0 ~jyplwDss"
        "rbx8qcY+2UtGwJccakBsQ6K/N/quvtGNAMCrgLM/ ~mA5gwKzCXsAs0y7Aa+hywNY/oz+XuYi/zXYWQE7Hdr++lJ"
        "0+qD52wKQt4rsdL2PAMOfGv2uHjD2FanbA ~kqkgwP6J4b9Xx4q/MV59wPMSZ0A= > ~*60:6J8QQfswNkGXzRXB"
        "bg4HQRS99UBAu26/EiOAQeuORMFI/kZB3+lYQZRh7D9AypDArOL1PtR188AOprK/",
        "transpose_conv_f32 0 2,1,6,1,1,4,2,6,1,2,1,0,1,0,0,-8388609,2139095039,0,0,0,0 wLQIQBWBs"
        "7+I8hXAs1v9P5SKlbw1sHS/6fMqQBDIfb571/4/FfN0wGZCMT9x5YU/ 4wepPwwM4L9NFVnA5+VSwA== RELIvw="
        "= > *96:B/jkwGIvF8FKkTdAGXvwQHPd5L+pRMvARELIv0RCyL9EQsi/RELIv0RCyL9EQsi/FifSwMj68cBnhZDB"
        "AKjmPVvWoECnxttARELIv0RCyL9EQsi/RELIv0RCyL9EQsi/",
        "transpose_conv_f32 2 1,4,1,3,1,1,4,1,4,1,1,0,0,0,0,0,1086324736,0,0,0,0 ~qFmzv761Lb1Y/Sl"
        "AXS2Fvxst7b7gwFVAXEwyQGcVSj8WAG/Ac4BkwHPVkr9cYgxA ~f8O0v9wpJcCtWw7AeXpEQGgZWD9lqVs/2QjVv"
        "6f1ccDHGT2+RSAuwHwNUT6EIjRA - > ~*64:AAAAAAAAAABuHgBAAADAQAAAAAAAAAAApG83QAAAwEAEchVAAAD"
        "AQAAAAAAAAAAAeOVHQAAAAAAAAMBAAADAQA==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
