"""The svdf kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("svdf_f32",)

    # fmt: off
    calls = (
        "svdf_s8 0 2,3,8,4,1,-127,34,-128,1073741824,-4,1073741824,-2 1BG4C63v gIB/gH9/gH+Af39/gH"
        "+Af4B/gH+Af4B/ YSeNOwO6+528ufJPuwOVwpphdA0NUSyW1MRoPU3LeRM= - > f39/f4CAf39/gH9/f4CAf4CA"
        "f3+Af4CAf4B/gH9/gH9/gH+Af4B/gH+AgH9/gIB/gIB/gIB/gH+AgIB/gIB/gA==:f39/oYB/f6KAf3+hgIB/ooB"
        "/f6F/gICigH+AoX+Af6KAf4ChgH+AooCAf6GAgH+igH+AoX+Af6KAgH+hgH+Aog== *16:gH+Af3+AgH+Af39/f3"
        "9/gA== *64 *64",
        "svdf_s8 1 1,3,4,1,1,0,127,-128,1073741824,-9,1073741824,-3 gH+A BIBwgrXyx5T3PCwQ WABJtQ="
        "= ~7CQtREBVqK230SoMMTIpoA== > f4B/gA==:YYd6ew== *4:f4B/gA== *16 *16",
        "svdf_s8 0 2,5,3,5,1,-127,127,-128,1107957927,3,1073741824,-10 7pthhtmJzhoxlA== 1kevLDNM/"
        "RXIWAm01lSq +aqhxJY7bbBFSeoPZaVE jwAAAEX////A//// > pAUBahbaX2o1UXJmYWguErNSDozmCEPP25Sh"
        "Y+jd:BQFqFv9fajVR/2ZhaC7+s1IOjP8IQ8/b/6Fj6N3+ *6:kICAloCA *24 *24",
        "svdf_s16 1 1,2,2,6,2,128,0,-128,1958274118,3,1073741824,-22 r2Q= pE4UHA== ~jSoqwUueNzCde"
        "i79cxgIy0thfOeqgTGK ~cg3//w== > UCA2XYpbTRNDZKGCa9Xi2SjD5txiJtZu:Nl2KW00TQ2Shgv9/4tkow+b"
        "cYibWbv9/ *1:Gw== *8 *4",
        "svdf_s16 2 1,19,2,5,2,0,0,56,1955573664,3,2147483647,-22 D8Yh241z+CucXk1uI/7RITZOrA== f4"
        "B/f4CAgH+Af39/f4B/f39/f4B/gH9/f4B/f4B/gH9/f3+Af4A= ~71lFfDpxBFgewvuXT16ooyOq4yk= ~yv///w"
        "== > wmVA5+SIZ3oFlNlC1fi1CQNkHjI=:QOfkiGd6BZT/f9X4tQkDZB4yAIA= *1:fw== *8 *4",
        "svdf_s16 0 2,6,4,3,1,-127,0,0,1701002407,3,2060032400,-9 EIcbpunl1FLw+1WM yM7/yyi2gG7Zg4"
        "ZI/0y5plgtNlh+NkRa zHgBh/aUOSS5HJxHQz72MyDKk9V46FlF xw+oKmBrAeKTaUIx54Rfzw== > f4CAgIB/g"
        "IB/f4B/f4CAgICAgIB/f4B/f4B/gIB/gH+Af39/gICAf3+Af4B/gH+A:gICAf/9/f3+Af/9/gICAgACAf3+AfwCA"
        "f4CAf/9/gH9/f/9/gH9/gMxmf4B/gACA *8:f39/gH9/f4A= *32 *32",
        "svdf_f32 1 2,5,3,4,1,4 ~sDavP60lHUDa6Dc+VZxYwC4oWL+80Ys+gyjPv8VyhT7CjWO/8efZPw== ~RWLcPb"
        "n0ED61ElO/tR9lP/eLX7+6Ggy/JBlUP+QIoz6yvlQ/EBM5v28vWz/AR1a/rmE3v0AeB72gMLw+ ~t8t9P1W4AL/P"
        "wCY/u0pMPvUYvD7Zx1a/wjsVP8xotb5xfLs+F8o/v+12gL7aRK4+ ~QT5GvzAgGr4Mj9c+ > *96 *24:qmNSv0u"
        "cHD6fthI84Ghdv1i8Rz/E1U4/",
        "svdf_f32 2 1,4,6,3,3,0 ~CZlewElkr79FqltA7ZkMwA== ~SVAavfYRPb+t6d++6Wp2v1Xha7/SISU/369Kvy"
        "W4b72JgKu8HlURvyv0Xb+JFCE9rIADvyqdhL4ICOI+2YsvvyMtMz+ChOI+s2a6vrNVfT/ipcu+O8b1PrIfS79Rtw"
        "Y+ ~Q736PvhxA7++X2w/KO+UvmG5wr559yK+4Y4tP68g0j6erhe/I+kJv9ueRb9LGhw/xp8ev6J6yD6Rbq49B7zM"
        "Ps0G2T7z+yo/ ~zmlOPpJgED4= > *72 *8:oExLQP0Tmz8=",
        "svdf_f32 2 3,3,3,1,3,1 ~mzxHv5qsG7+Ggyi+KXNywGOslL+L/7O/1i+0vgElW8Bq9ps/ ~9Povv2Kdej93w1"
        "O/HjAOPY/JBb5frRy/oCUPv7n+mL1kPH4/ ~cOv1Pi6A4D3RpiW9 ~VSskPw== > *36 *12:coEuP4j4+z8AAAA"
        "A",
    )
    # fmt: on


if __name__ == "__main__":
    main()
