"""The broadcast kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = (
        "add_s16",
        "sub_s16",
        "mul_s16",
        "add_s32",
        "sub_s32",
        "mul_s32",
        "pairs_f32",
        "prelu_s8",
        "prelu_s16",
        "extreme",
        "div_s8",
        "div_s32",
        "squared_difference_s32",
        "squared_difference_s8",
        "squared_difference_s16",
        "floor_div_s32",
        "floor_mod_s32",
    )

    # fmt: off
    calls = (
        "add_s8 2 20,128,1748855284,0,0,2147483647,-3,68,1425581309,-10,-23,127,3,3,3,0,3,1,0,1,1"
        ",1 MbKJHSZ8eM/f Wg== > *9:f39/f39/f39/",
        "add_s8 1 20,-110,1073741824,-8,0,1608759757,-8,106,1862223366,-15,-20,31,2,7,0,7,7,0,1 g"
        "A== ccQmedIoGSdgKvVi6V8B86C9xe+aO4E+uYcDhQtW+QzWTliOXtZfURs2e2NJFZ/NRw== > *49:Hx8fHx8fH"
        "x8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHw==",
        "add_s8 0 20,-117,1073741824,0,-75,1073741824,0,0,2147483647,-10,-103,127,3,5,7,0,1,7,7,7"
        ",1,1 HDJDJyEimzuamHAc4UndjiZliAeKB9nac+Vcil+VKMY1dJc= O0WCg+rRDg== > *35:mZmZmZmZmZmZmZm"
        "ZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZk=",
        "sub_s8 2 20,128,2147483647,-7,2,2147483647,-8,127,1073741824,-10,-23,127,4,1,15,15,1,15,"
        "15,5,3,3,3,1,1 UZAwVNtbXUlIEER1e1xp QZu6vVcsAt/nef/bAJ0C > *15:f39/f39/f39/f39/f39/",
        "sub_s8 1 20,-127,2147483647,0,-30,1900347108,0,49,1596720062,-10,-20,31,2,5,1,1,1,1,1 f3"
        "9/f38= gICAf4A= > *5:Hx8f7B8=",
        "sub_s8 1 20,128,1073741824,0,0,2147483647,-2,-128,2116796190,-13,-20,31,3,2,6,0,3,2,2,2,"
        "1,1 f39/f4CAf39/gH9/ naMeQ08Y > *12:Hx8fH+zsHx8f7B8f",
        "mul_s8 3 -127,0,127,2147483647,2,-9,127,2,5,3,3,3,1,1 RiWNTxzGO2JEjf8P8SoU S33264NKqjhwx"
        "4sm0HdO > *15:9/d/f3/3f/f3f3/3f/f3",
        "mul_s8 2 128,0,127,2147483647,2,-85,127,2,5,0,0,3,1,1 xxwl eCht > *15:f39/f39/f39/f39/f3"
        "9/",
        "mul_s8 3 -127,-127,72,1748370784,-14,-128,127,1,5,1,1 sT4Ru04= axlD73w= > *5:SEhISUg=",
        "add_f32 3 0,2139095040,1,1,1,1 ~3qiHPw== ~OL9kPw== > ~*4:egj6Pw==",
        "add_f32 3 0,2139095040,1,3,0,1 ~//9/fw== ~y99+QFkEYD+lMAW/ > ~*12://9/f///f3///39/",
        "add_f32 0 -1082130432,1065353216,3,3,7,1,7,1,0,1,1,1 51J/Pp32RsC9r6NAgfQfQATNdsAAAIB/HKj"
        "xvy297b+UuaS/DHnSPXalyL8M2C1A4rC0wHhSyT8mNZ3AUfq6PzeLuLrHHHQ/jBCZwDv5/L8jopVA 48ksQIHJLk"
        "AwVkFA > *84:AACAP9Bl0b4AAIA/AACAPwAAgL8AAIA/VNdPP6qrXz8AAIA/AACAPwAAgD8AAIA/AACAvwAAgD8"
        "AAIC/AACAPwAAgD8AAIA/AACAvwAAgD8AAIA/",
        "maximum_s8 1 1,5,0,1 ow== vtN9seA= > *5:vtN9seA=",
        "maximum_s8 3 2,3,6,0,6,1,1 wzAekmQNoQms+tmeh/CjBnvv OVDygr7W > *18:OVAekmQNOVDy+tnWOVDyB"
        "nvv",
        "maximum_s8 2 1,4,1,0 Muc2nA== xw== > *4:Muc2xw==",
        "minimum_s8 3 2,20,4,0,4,1,1 ELMg4PKSfpb5o+dd6b5DvGBV59a3NlaBjQwpx4+INM6/PthgJBnsR7HzZeKk"
        "4+LcC/V1cvQZxEcvfhJ9yFNnfRjwtM2u1rA1QNS12xH9IUQ= +1TUWw== > *80:+7PU4PKS1Jb5o9Rb6b7UvPtU"
        "1Na3NtSBjQzUx4+I1M6/PtRb+xnUR7Hz1OKk49Tc+/XUW/QZxEf7VNRbyFPUW/vwtM2u1rA1+9S12/v91EQ=",
        "minimum_s8 0 3,6,6,3,6,1,0,3,0,1 KptqkfehNA6Yw3qI1/0Nz9ozYRZz3V+9eIPletwWrLlvC+pv EXn/p4"
        "tdg7iF9rHGOHTbqSYN > *108:ESr/m5ubEWr/kZGR9/f3oaGhp4s0p4sOmIuYp4vDp4tdiIiIg7iFg7iFg7iFg7"
        "iFg7iFg7iF9rHG9rHG9rHG3bHG9rHGvbG9OHTbg4OD5eXbOHTb3NzbFhbbqaysqbm5qSYNqQsLqerqqSYN",
        "minimum_s8 2 1,1,0,0 fw== sQ== > *1:sQ==",
        "add_s16 1 15,0,1964206126,-2,0,1073741824,0,0,1293992751,-15,-32768,32767,1,32,1,1 ~q1bM"
        "k6rLflMBKasOtaV8jDOIrl27P3/1NLHV0F7T1WBLhYDCwx6BAghkB3XKWdJC7UoZwO0+c1nY7SgPf+hsPg== ~yS"
        "DIa6KJpHQVz7jWoHEiHDhsnCqaUh6/0o3uOY62Jv3sVE/o+TnPCU9wS7mMGRrrEpi7/YN6ISxnBCba10Qmrw== >"
        " *64:0hWQESHVpS7p9pX1yxWP+BkQvxmrIQHrvtL0CrnjfAyuCGPwtBVNA58v0voRFOkCA+uD9pUtnxnT/q/2gBE"
        "+8A==",
        "add_s16 3 15,0,1073741824,0,0,1904997881,-4,0,1607646343,-15,-1018,1018,1,5,0,1 ~QFc= ~3"
        "dIc7DSxu5j3GA== > *10:+gP6A/oD+gP6Aw==",
        "add_s16 2 15,0,1893039016,-2,0,1073741824,0,0,1231800099,-14,-32768,32767,2,4,4,1,4,1,0 "
        "~DoY+ZTLyRSWMkW2vEmor65TKm+06PNjArrtdvEvhr1g= ~XPa31IkjrW8= > *32:pNsRFPv25AM/y83S/QHo4e"
        "AGvA+cI2oEyS71Lks4elY=",
        "sub_s16 3 15,0,1073741824,0,0,1233381488,-4,0,1920010260,-16,-389,389,1,30,1,1 ~NIW+mTjo"
        "iKQVyt4Bx+aSSLhD+qeRklFoxXbL77QTWFGRD18pMX3pnsk5MoKcuRHkjQHkytQD5DoiW+qH ~AID/fwCA/3//fw"
        "CAAIAAgACA/3//fwCAAID/fwCA/38AgP9/AID/fwCA/38AgP9//38AgACAAID/fwCA > *60:e/57/nv+e/57/oU"
        "Be/6FAYUBe/57/oUBhQF7/oUBhQGFAYUBhQF7/oUBe/57/nv+e/57/oUBhQGFAXv+",
        "sub_s16 3 15,0,2027383253,-1,0,1073741824,0,0,1887243725,-15,0,32767,1,36,1,1 ~I4YFhLu94"
        "7MwqXc9R0WM6TI8NREw5K0T0j7cV+kqQzaepwtKHQyr5emlzRfIOf9VwNl7EUHPWE/4F0Nec3jttl72j4mKXe4p "
        "~ME/CLi/cm9kHHKsZfZQWpx22EDOtIlY3wmiewU8dfTALJyDA6e8eM9VT0ObOAlKo+MUNGEvG7wT6CT2aVgIe8ju"
        "i38w9W7Sw > *72:AAAAAAAAAAAAADgO+0vBHXA5AAAAAAAAAADcP+wENAEAAMg6GAwAAAAA8RS9FjRKogkAACMF"
        "vx6PBdFT8TAAADUlAAAAAD00",
        "sub_s16 0 15,0,1073741824,0,0,1240245796,-2,0,1647941440,-15,0,5662,2,2,4,1,4,1,0 qYKA/6"
        "RY7iXK+9RhiVJR6g== yJv9sA== > *16:AADqCh4WHhYjBx4WHhZvAA==",
        "mul_s16 2 0,0,0,1784436978,-14,0,32767,1,6,1,1 ~UCF/iXi7b4hiEUhR ~oQ/R3zdK8iadffzk > *12"
        ":wgaEMQAAAABZHAAA",
        "mul_s16 3 0,0,0,1129919344,-13,-32768,32767,2,3,1,0,6,0,1 ~hfv9aOzW ~jPMitdP9WEf00sK+ > "
        "*36:6wCEBSkAvvpSA84EgeoAgD78KXs9smCPaQiRMngB0M9tHhEs",
        "mul_s16 0 0,0,0,1455442963,-13,-170,170,1,10,1,1 Ghv3TtMJhePSyRW9uT7PmcieCSM= OVfmtAhylz"
        "tGEMal1dYlBDQ8qHM= > *20:qgBW/6oAVv9W/6oAVv9W/1b/qgA=",
        "add_s32 2 -2147483648,2147483647,1,6,1,1 ~GHHQDSv80WQQXymLXV8IPDm3sI1QUPbz ~imH2JgJ8B/KG"
        "2bkYye3WBJAms/p9fnGp > *24:otLGNC142VaWOOOjJk3fQMndY4jNzmed",
        "add_s32 1 -2147483648,2147483647,1,3,1,1 ~7M1HQWcSZaiUwNje ~Gq7e2tUYvL9HUR2y > *12:BnwmH"
        "DwrIWjbEfaQ",
        "add_s32 3 -2147483648,2147483647,1,2,1,0 ~7+/F9Lgtujg= ~bz48EA== > *8:Xi4CBSds9kg=",
        "sub_s32 2 0,6,1,20,1,1 ~ED+bJnlOfdZZbEH/ud2JGgFaw2Qy92J6mjI/hkw/DGa3vpe4rzXuhrsK1aeMKpco"
        "Kc3W+xA4p9OkA8yMq0dCSfD7Z0dZfKZHV7G32sljZv4= ~pQdZa4/lQqZissab1r00Or3vIqd9iK0FXwRskeYnv1"
        "Zs68EJ3oJh+152FIIie+a5ORJkGBDVYXeieU3NZF2Agoib0CgxuIq/jBzRgq9D8aI= > *80:AAAAAAYAAAAGAAA"
        "AAAAAAAAAAAAGAAAAAAAAAAYAAAAAAAAAAAAAAAYAAAAGAAAAAAAAAAYAAAAAAAAAAAAAAAYAAAAAAAAABgAAAAY"
        "AAAA=",
        "sub_s32 2 0,2147483647,1,25,0,1 ~lpMQeA== ~ySmfZhxeSbdb7APRsZki7KiTfuNpJX0N2bcV3ObTrNW5Y"
        "HpEEgNTITyyW0+bMuldlVgCGuQNdLnTLOXugS2IOiyBfuLVCNwt33Fp00IYGOvH0pyFB3tyYq2PPj0ZUQrQWIuHn"
        "Q== > *100:zWlxEQAAAAAAAAAAAAAAAAAAAAAtbpNqAAAAAAAAAADdMpYzhJC9VlrhtCj7YCcaATsOXgAAAAAAA"
        "AAAFWaIPQAAAADBijRKAAAAAAAAAAAAAAAAjxieFekD0joAAAAAAAAAAA==",
        "sub_s32 1 -2147483648,2147483647,1,1,0,0 ~2wOWSg== ~I27wmg== > *4:uJWlrw==",
        "mul_s32 0 -2147483648,2147483647,1,6,0,1 ozOFHQ== S9v2zioLhndUIw/da305BYMdaHdEOUrw > *24"
        ":wZHUYb55ZF18OlGjISwuD2njOvFMAv88",
        "mul_s32 0 -2147483648,2147483647,2,3,2,0,2,1,1 H9eKESxoE/JhSSAUZ1RMa5iE2ihr7NwU Ci7JxPjs"
        "r/U= > *24:NvlqRaB66bjKS5t3yLcplfB9tFeoqxzk",
        "mul_s32 2 0,6,1,3,1,1 ~X2GNOJRPH9TukZ/G ~6VS3j04MlhIkEPRt > *12:AAAAAAYAAAAGAAAA",
        "pairs_f32 0 1,-8388609,2139095039,1,2,1,1 97UaP5Ee8b8= 4caKv3md5L8= > *8:kLwnv4tTV0A=",
        "pairs_f32 2 0,-8388609,2139095039,1,5,1,1 ~qUMDQCUEjb7U4sM/9mTqvw9Jj74= ~+E/bv60feT5M5yb"
        "AcVCzv7gz7L4= > ~*20:petwQP7JBL9bbIRAFFLcvlLVOT4=",
        "pairs_f32 3 2,-8388609,2139095039,1,10,1,1 ~15YYQE+L5j+rBm+/+z/Pv0AmDsDYJG7AdqIGvmtXQsB9"
        "S+S+ezBZvw== ~ZP1FwHvpK7/cN6W+K8GYPzo67z78kmLA+gmKPskZJUDGHxdAv2AjQA== > ~*40:F0xFv9KnK8"
        "BvLjlABaqtv54dmMBDiYY/u6/5vn6rlr/QXEG+uyiqvg==",
        "prelu_s8 2 0,-89,0,1152883636,-3,1163574935,-9,1,4,1,1 9uWChw== YejKxQ== > *4:AAMTEw==",
        "prelu_s8 0 0,128,0,1857279812,2,1818823423,-5,1,6,1,1 ruM8h3+f p69fm3rl > *6:q9x/qn+A",
        "prelu_s8 0 128,-127,-6,1552322111,1,1314836633,-8,1,12,1,1 1zUaJ7RPThj2S+Pr K7GIP1qD0lQs"
        "Ez4Q > *12:eH9/f0V/f39/f39/",
        "prelu_s16 3 0,2,0,1501758860,2,1479460216,-7,1,12,1,1 ~ULRegRloNIJ1IVXpr3oNoaLN0dJEi2x2 "
        "nnxDt5biU3Dc3FwB > *24:Gycfqv9/EjCWXWsD/3++xTgJRQjxxP9/",
        "prelu_s16 3 0,-127,0,1640156312,-3,2017896155,-12,1,25,1,1 ~IGv4K08k3mC8CW35p3QyfzdQ5PsT"
        "Auf2HKwZtVEEhfkZTzp+HWJ2McQm6NGpDyNluBU= FIlyqSRBCPnyk4lkm3x0kP6V7YBye1QcLw== > *50:Ogoz"
        "BHcDQAnuABgAIwslDKkHOQAzAA4AYwQNAGoAWwCNBw0MXgm5BLQDCwB/AagJEwI=",
        "prelu_s16 1 0,-127,0,1373108604,-4,1406404401,-11,1,3,1,1 ~QZky3XZM Apd/ > *6:GwSVAg4D",
        "extreme 3 2,1,1,6,1,1 P+tL521AMT3b+C1U YxbuVPjrxKx1MZ9q > *12:P+tL5/jrxKzb+C1U",
        "extreme 2 4,1,2,2,0,1,5,1,0 GiP/lZBqRkA2hLps+ZzhAvKcsPg= 3OVyLTZMbi4= > *40:GiP/ldzlci3c"
        "5XIt+ZzhAvKcsPgaI/+VNkxuLjZMbi75nOEC8pyw+A==",
        "extreme 3 2,0,2,30,2,0,2,1,1 61h8uhd64uaNbWZ6wa56KWffDjwRq9zGM9tybE8dKWuZnPyUJck4CxzxzCR"
        "8dIpmgS9ApxIMYK2fQ9JVSw227kXBq9GbckYsvp1p0EJiEEo1ThOu+OPODjM8BRbmdYF19bXQHyGmhCqsPOWML2F"
        "RO9WAezRP2HX5 MlWo/Q== > *120:61io/Rd6qP2NbWZ6MlV6KTJVDjwyVaj9MlVybDJVKWsyVaj9MlU4CzJVzC"
        "R8dIpmMlWo/TJVqP0yVdJVMlWo/TJVqP2bckYsMlWo/UJiEEoyVaj9MlXODjJVBRbmdYF1MlXQHzJVhCoyVaj9L2"
        "FROzJVezQyVaj9",
        "div_s8 1 0,128,-128,1237109928,3,-128,127,1,4,1,1 IH3sKg== I+Hgew== > *4:gYaAgQ==",
        "div_s8 0 0,128,18,1095376965,8,-128,127,1,4,1,1 sSUP5A== kb3qDA== > *4:gGEk+A==",
        "div_s8 3 -10,15,127,2076579049,2,127,127,1,24,1,1 PflB96KcJXCvXc/V8yiPm4ankSoOkyVK HE4nZ"
        "xcKZcVoCQ98fdcbiprFc7SNgbYr > *24:f39/f39/f39/f39/f39/f39/f39/f39/",
        "div_s32 0 -2147483648,2147483647,2,3,0,4,4,1,1 OBtg0qgnoYpCkCN2tnkzcA== //////7////7////"
        "AQAAAP/////7/////////wIAAAABAAAABQAAAAQAAAAEAAAA > *48:yOSfLSxsrzqNSV/otnkzcMjkny14XnkXv"
        "m/cidu8GTg4G2DSiKGG6BDkiB1t3gwc",
        "div_s32 0 -2147483648,2147483647,1,6,1,1 i6MBw0lUGSwDsCm7dbu+TlVigfLSmzXm VIHk/imJmTPl9m"
        "cCwQCMMKuJ8e84xAk8 > *24:NwAAAAAAAADk////AQAAAAAAAAAAAAAA",
        "div_s32 1 -2147483648,2147483647,1,3,1,1 ~92wCN5yJXZDYDCGq ~/v////3///////// > *12:hcl+5"
        "HYnNiUo895V",
        "squared_difference_s32 0 -2147483648,2147483647,2,4,1,0,3,0,1 gYdSPvR/bgnWNIY3sLcNLg== +"
        "/////z////8//// > *48:JJqWARmL8YQZi/GEMQD1u0AAGKlAABipWbMteqRJIQukSSEL+UU2OJDWGtyQ1hrc",
        "squared_difference_s32 3 -2147483648,2147483647,1,16,1,1 ~xtg/HRjlgy+0WgBPgjl0SvECW0P0fj"
        "NsHlAB0Aq8mrwFqkUHYk000UcsTRuqxarj4/N6xy0BEjV04DR91rqpGg== ~mdtZBBp9/DZOuEcHRtp8A5Y3as55"
        "wsQ3izwYxzdInxzvNbXrxk8SGb71cSFZqY7jtZe4NJS4xTS8QS0Pni/gIQ== > *64:6fnjXARgIvikQKVtEJY1u"
        "VlyKWQZ43h8aSYV0+k/KW7k8WNxELd1nVEVBNyh0dk0RBjpTnFrbi9ApHcwQNylaQ==",
        "squared_difference_s32 0 -2147483648,2147483647,1,5,1,1 V6nR3DCG42pJSo6W/FHWc9fTqAk= +//"
        "//wUAAAD+////AgAAAAMAAAA= > *20:EJlCGDkLk9L5ccNkJCg4xJAnh50=",
        "squared_difference_s8 0 7,-100,1073741824,0,-30,1207912556,-5,-128,1129034048,-16,-128,1"
        "27,2,4,0,1,3,1,0 Zdyp +WW0Og== > *12:gH9/gH9/gX9/gH9/",
        "squared_difference_s8 3 7,65,1893034470,-7,114,1073741824,0,-128,2024808551,-19,-128,127"
        ",1,6,1,1 Wn+0E7XY IhdM6p/X > *6:HQV/vYKn",
        "squared_difference_s8 2 7,0,1737587779,-3,0,1073741824,0,-37,1887728826,-18,-128,127,1,2"
        "0,1,1 828Nh8tkCJgA3grTCn84lg7lqAE= LB/ItDIeN6E02ZBbLVsNQVRnEyI= > *20:+dwK/w7cAiYA6X9l9B"
        "bbQjV97us=",
        "squared_difference_s16 2 0,0,1977724261,-5,0,1073741824,0,0,1487653406,-12,-32768,32767,"
        "2,3,3,1,3,1,0 ~KQca2HVB2+c+AaNZCPYHL2w/ ~GTkeTeFd > *18:yCIwJsset0JBQA04kWD9WSJY",
        "squared_difference_s16 1 0,0,1073741824,0,0,1723801372,-3,0,1544053266,-11,-32768,32767,"
        "1,5,1,1 ~ziKElYGznGmhyw== ~RmLny/AjAfRFlw== > *10:HQX/f/9//38WFg==",
        "squared_difference_s16 0 0,0,1569571868,-2,0,1073741824,0,0,1890127753,-13,-32768,32767,"
        "2,5,5,0,5,1,1 uTQ0jY48vj43J4ZYb20ia6hhGd8iMayt89ExrbHuyk5AkVC5DQo2iMfeS2nlTGyxn6A= JqZZU"
        "ip8bOP63A== > *50:31FAapZHPhK/ELBmVwyzMWYcowPqT+5W/38FAKkFzWC9Z/9/JweHAIcpPQ10PwAAAAA=",
        "floor_div_s32 0 -2147483648,2147483647,1,4,1,1 nscJ+PhGwCuX5HtfSBulYg== KP3//6v///9KAgAA"
        "Xf7//w== > *16:vMwCAGY7fP+PtikA5LrD/w==",
        "floor_div_s32 1 -2147483648,2147483647,1,5,1,1 ~KO9swhB1UUCW7JhXhYCqXQzz2JM= ~vgIAALQBAA"
        "DJAAAAnv3//5sDAAA= > *20:pYvp/8rDJQAYkW8A5LDY/9EA4v8=",
        "floor_div_s32 0 -2147483648,2147483647,1,4,1,1 1MYmvMP/9/hH+7EV47MIQw== Iv3//0H+///YAgAA"
        "Bv///w== > *16:7qkXAN8GBAAMoQcAcFu7/w==",
        "floor_mod_s32 0 -2147483648,2147483647,1,5,1,1 23a89UCNq618Ls/aDoWquLQdzH4= +Lcj8F/4g/sR"
        "TQ0PpMUG6x3Pstw= > *20:23a89ZIWZP6vFfcHIjSW9yhal/E=",
        "floor_mod_s32 1 -2147483648,2147483647,1,6,1,1 ~XgPWSAwlblEsqp22bPD66mpWvVpMrNej ~LBw2AK"
        "RqgRA3I/M7flf/H6gg0//CI+gZ > *24:PiggAHx6aA+a8IMu6kf6Clpq8f9UO3gL",
        "floor_mod_s32 2 -2147483648,2147483647,1,5,1,1 ~+wazy0KYSTuMWuSalcNabLLPGUw= ~qOCbF2qh6v"
        "KhJpIs7DJqOJHIGj8= > *20:86iGElS/3vlvzpogqZDwMyEH/ww=",
    )
    # fmt: on


if __name__ == "__main__":
    main()
