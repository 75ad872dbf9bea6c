"""The reduce kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
    native = ("reduce_f32", "mean_s16", "arg_f32", "reduce_at")

    # fmt: off
    calls = (
        "mean_s8 0 262061329,0,0,-128,1,1,5,5,5,1 NWXEtEqkRUl45VeocPGcXA3KRrykhJPdpQ== > *5:i5GAh"
        "oA=",
        "mean_s8 1 67108864,-8,2048,127,2,2,2,3,3,1,4,24,4,6 cLjkI7CiJKWvHHmOIteSwL52kehsocL2hZhL"
        "PB+IR0uvy1rnmG2IoDbqlUfgsGr9sGcqYkGBKP2Pn/RY4O4rLG5Yl45wQfq7kUvyLIfDfu/qJXzOf2reXWFCA9tK"
        "ctL3 > *6:f39/f39/",
        "mean_s8 2 1033337750,1,-62,127,0,1,2,1 BuU= > *1:Lw==",
        "reduce_max_s8 1 0,1,36,1 RQEsJ45pcTgkOyq8xgUVn8uSx+YyP6gXnieozd3Gd+sb8xP6 > *1:dw==",
        "reduce_max_s8 2 1,1,18,9,9,1 xMlWXRRNy8cLXVZmIxAQwVGA3QmTTKZ03wqd1afTNdUujNsy5Tj9z9f0lXb"
        "yXOnCsEYMS23ecdNxdSqgngmv8WqMGhyft1rXm2PVLm+HksIg26Y6/WAtgQotFw2Q7goUXNMl2xKJSDC6ZKZMPTk"
        "0RToHkA4SsaF0ZnynrtfAVmArJQAlqUdIQeuf45gNXkFPn4BPhQr+1z+DUFw8n84DDTFy > *18:XWZ0NXZtdWpv"
        "YFxkRXxgXk9y",
        "reduce_max_s8 3 1,1,4,4,4,1 Udd5e5s2fPA9pKKjX8/1vw== > *4:e3w9Xw==",
        "reduce_min_s8 0 2,1,6,4,2,1,2,2 fr4RCbk69FsJzPtIgMyrNICKEiyY5Scp > *12:Eb65OvvMgMyAipjl",
        "reduce_min_s8 2 0,1,35,1 vrA+nGHPdVkcpURbeTuWJ3EEjnyP5WcLOgUdX+yQ6h/3T1g= > *1:jg==",
        "reduce_min_s8 2 0,1,6,1 ZpgXaz2O > *1:jg==",
        "arg_max_s8 2 1,3,1 hUzJ > *4:AQAAAA==",
        "arg_max_s8 2 3,4,1 fwF/fwAAfwGAgACA > *12:AAAAAAIAAAACAAAA",
        "arg_max_s8 1 4,3,1 gH8BAH+AfwGAAH8B > *16:AQAAAAEAAAAAAAAAAQAAAA==",
        "arg_min_s8 2 8,9,1 gIAAAYABAQABfwGAAH+Af4AAfwF/AH8AAX8AfwAAgICAAQB/AIB/AQABAQGAAQAAAAAAA"
        "AF/gH+AfwGAgAEAfwCAAAGAfwGA > *32:AAAAAAIAAAADAAAAAwAAAAEAAAABAAAAAAAAAAIAAAA=",
        "arg_min_s8 2 1,3,4 fwABAQABgAABAIAA > *16:AQAAAAAAAAABAAAAAQAAAA==",
        "arg_min_s8 2 1,5,1 KsG4Nwc= > *4:AgAAAA==",
        "reduce_f32 3 3,0,1,12,1 ~jjI2QNkrpL9KxytAlrjsvuYCBUBoajBAFyNjQBI0NED2erc/S5wNQH0OqT8Dwry"
        "/ > ~*4:A8K8vw==",
        "reduce_f32 1 0,0,1,20,1 ~mDOKPn7Cu79pjytADpl/wF0HfUB6RgG/abGKPmVjwj9kSgRApaFWwGIrwj87cX7"
        "A9626P0Gj0r8yira9EmUqQAlEPcB8hoS/WhbxP2l7dEA= > ~*4:1q8dPg==",
        "reduce_f32 1 3,1,1,3,1,3,3 ~byUrPx3obsDZpzDA07oswKRC+L/4Bx/AzXFZQPp5jb/r+zXA > ~*12:07os"
        "wB3obsDr+zXA",
        "mean_s16 0 645614956,-4,0,0,0,1,54,1 /3//fwCA/38AgACAAID/fwCA/3//f/9/AIAAgACA/3//fwCA/3/"
        "/f/9//3//f/9//38AgACAAIAAgACAAIAAgACA/3//f/9//38AgP9/AIAAgACA/38AgP9/AID/fwCA/38AgP9//38"
        "AgACA > *2://8=",
        "mean_s16 1 1449436137,-2,0,0,0,1,5,1 ~G7hJJuetlFP8nw== > *2:YOo=",
        "mean_s16 3 1284746548,-8,0,0,0,1,10,1 ~giQaMQGT/PFuviFX0XqViBAbazs= > *2:LAA=",
        "arg_f32 0 0,1,1,24 9D1RwPLLKEAZ5RpAtN8dwJb2WkBeGiXA63wdwObEEMBpZnS/adFvP0xLCECKmFfAUMPAP"
        "z3/MUDSDjTAlw0HP6RvXMDbcQTAmoQHQNjIWkAON22+zjc5wMQX+L/fj6a/ > *96:*96",
        "arg_f32 0 0,1,4,1 AACAfwAAwH8AAMC/AAAAAA== > *4:*4",
        "arg_f32 3 0,9,4,1 ~KStkv8ChqT+9MY+/0KgaQK6RPL8Y/WxAhGgmwDaTVb4F1YW/9F35PcyrGUAzuy3ARaxWQ"
        "BqWeMCigD1AMNM7QC1hA759l09A8XdCwNyFhj+Zo5S/0yXCv0KDd0CkCa6/7Rywv3RdVT3qOuG/shtkv3GkNcClI"
        "GW/6RpVv+oBUkADbBFA7siPvzz1SUCcYmrA > *36:AwAAAAEAAAACAAAAAAAAAAEAAAACAAAAAQAAAAMAAAACAA"
        "AA",
        "reduce_at 3 3,1,1,2,0,1,1 ~*1 ~*8 > *1:*1",
        "reduce_at 0 0,1,1,2,4,1,1168734854,-4,1024,0,8 iluGpVLwtQ0= *8 > *1:Gw==",
        "reduce_at 3 0,1,1,1,4,1,1103749468,-2,-889,0,7 ~gH+Af4B/gA== ~*4 > *1:gA==",
    )
    # fmt: on


if __name__ == "__main__":
    main()
