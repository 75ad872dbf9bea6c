"""The signal kernels write the right bytes, wherever their operands lie.

Written by tests_host/make_device_tests.py; Call of tflm_tests.py says what is in a call.
"""

from tflm_tests import KernelCalls, TestCase, main


class KernelTest(KernelCalls, TestCase):
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

    # fmt: off
    calls = (
        "signal_window_s16 0 8,4,12 /38AgACAAIAAgP9//38pWwCA/38AgACARFYAgACA/3//f/9//3//f/9/AIAAg"
        "ACAz8gAgP9//38AgACA/3//fw== /3//f/9/AIA= > *64:/38AgACA/38AgP9//38AgACA/38AgP9//38AgACAA"
        "ID/f/9//38AgP9/AIAAgP9/AIAAgP9/AIAAgACA/38AgA==",
        "signal_window_s16 1 5,1,11 ~cIQrkS/CZX8S4A== ~akE= > *10:AIAAgACA/38AgA==",
        "signal_window_s16 2 6,2,15 ~eDgDibY1mMAVcYAWBAjrV+pmmwhCCfLj ~AID/fw== > *24:iMcDiUrKmMD"
        "rjn8W/PfqVxaZmgi+9vLj",
        "signal_scale_s16 1 23 ~mpdRJhmQ62QX1Qwao8DX1v2QmgttM2npO10tCPYAK4PFYabkeyGkcOtWgkeEhA== "
        "> *46:mpdRJhmQ62QX1Qwao8DX1v2QmgttM2npO10tCPYAK4PFYabkeyGkcOtWgkeEhA== *4:*4",
        "signal_scale_s16 2 34 ~2/4AgMcAAID/AOn//38iAGz/AIAAgLf/hwCQAL4A1f6zAAv/AIB2/w7/YwB6AEIAZ"
        "P+1AMX/IAHU//9/7P9gAP9/qQA= > *68:2/4AgMcAAID/AOn//38iAGz/AIAAgLf/hwCQAL4A1f6zAAv/AIB2/w"
        "7/YwB6AEIAZP+1AMX/IAHU//9/7P9gAP9/qQA= *4:*4",
        "signal_scale_s16 0 18 //8FAAAA/f/8/wEAAQD+/wMAAgAFAAMAAgD9//z//f8DAP3/ > *36:APAAUAAAANA"
        "AwAAQABAA4AAwACAAUAAwACAA0ADAANAAMADQ *4:DAAAAA==",
        "signal_rfft_s16 2 2,1,10,32767,-2042288242,-1262184333,1262262387,2042308494,-1737247548"
        ",-663583163 ~eAoJpw== > *48:DAEAAAwBAAAMAQAADAEAAAwBAAAMAQAAG/cAABv3AAAb9wAAG/cAABv3AAAb"
        "9wAA *20",
        "signal_rfft_s16 3 1,2,16,32767,-1518445950,-2147418112,-1518426754,32769,1518511486,2147"
        "418112,1518492290,-1983918331,-1518426754,-821720641,32769 ~/3//fw== > *36:/g8AAGIP8PymD"
        "Vj6Dgud+P8HAfjvBJ34VwJY+pwA8PwAAAAA *32",
        "signal_rfft_s16 2 1,3,12,32767,-1859698688,-1859665919,32769,1859764224,1859731456,-1859"
        "665919,-1073704665,32769 ~/3//fwCA > *28:qgoAAJEO5wNUFQAAVRVW9akKh+0Y/G7xVvUAAA== *24",
        "signal_irfft_s16 3 1,22,20,32767,1262249869,2042308494,2042353778,1262262387,32769,-1262"
        "184333,-2042242958,-2042288242,-1262196851,2042353778,1737340100,1262262387,663651909,32"
        "769 ~3D32WJvdfcox5wYBnWq46ttQ4+fBoGX/ovRWO/kEzryVskc+ARD7lAljzok= > *40:xfeIC0b6JPTS610J"
        "uBpKFaTbThct+NLwHgAU7tQW1fpG+brc1vNSAQ== *40",
        "signal_irfft_s16 1 3,14,12,32767,1859731456,1859764225,32769,-1859665920,-1859698688,185"
        "9764225,1073778983,32769 ~qhs1NZN9Wm5h55ynbS+GecztPwWG4ICvMbOAlY0BMQC7mPbNqTnsTv7j0ukvhW"
        "PKPrkmGyaK20TvYqcu5HNjyRQG1WwQ5HKsGa7GvjEZLWIeXTI/ > *72:Wgxw6VQWuQNt+xzkMN3mPqQD0w9/6D4"
        "Uysk/Fuzp/uvVI+8mHg1tFE7nwuvl+VcS5ADnGFQOpdy/H1ELLtsj6mrBAQd5FOcQ *24",
        "signal_irfft_s16 3 3,8,6,32767,1859764225,-1859665920,1073778983 ~czzjnVU/6JkgByCq9l7mUE"
        "kTo9n94PD/PKR+rVD6BJF8aHEsCj/IsTt/4YcDvKzV > *36:uQbeOS7ohefQ3l3NWdkeJu7+6u+GLnT2LPChIPE"
        "Elr0jHQj4 *12",
        "signal_energy_s16 3 14,0,14 ~224AgACA/3//fwCA/3//fwCAlbsAgACA/3//f+hv/3//fwCATWcAgMRR/3/"
        "/fwCA0wr/f/9/AIA= > *56:We8AcAEA/38BAP9/AgD+f7kESVIAAACAAgD+f0EC6nABAP9/KQ2vaRGeHFoBAP9/"
        "6il0QAEA/38=",
        "signal_energy_s16 0 1,0,1 dfjSDg== > *4:vYkUAQ==",
        "signal_energy_s16 1 13,0,13 ~AIAAgP9//38AgACAAID/fwCAAIAAgP9//38AgP9/AIAAgACA/3//f/9//38"
        "AgACAAIAAgA== > *52:AAAAgAIA/n8AAACAAQD/fwAAAIABAP9/AQD/fwEA/38AAACAAgD+fwIA/n8AAACAAAAA"
        "gA==",
        "signal_filter_bank 2 4 ~MwxoAf8DAAD37RUMAwAAABbViw253vQNYzUBAAQAAACyDAAAAAAAAITLhlsAAAAA"
        "BWEIa0YCAABpAgAAmJWbAA== ~5S3+YBI48vWCqtG4U1S1khVG0QQAgKK1agwR/XckJ2MK6BeV6tabe7VxsfO1lQ"
        "== ~AIAAgACA/3//fwCAAID/f/9/AIAAgP9//38AgP9//38AgP9/AID/fwCA/3//fw== ~CAACAAYACQAEAA== ~"
        "AAAEAAoACgAQAA== ~BAAGAAAABgAGAA== > *32:M9d3mrTM///t/W78PwYAAGZfWnEv5P//DCtzAybx//8=",
        "signal_filter_bank 0 1 8AIAAA8GAAD+AAAA6gAAAFqGAQDB3gAAieYAAOSriQDkBwAAhjEAAA== AIAAgA=="
        " AIBmjA== CQADAA== *4 AAABAA== > *8:AACL//////8=",
        "signal_filter_bank 2 5 ~WwIAADLYAgBLoPjwRGgBAAMAAAAhAAAAa0U/APo0AAC46hEAcyUAAAAAAADHIEwA"
        "wA8UAA== ~/38AgACAfh0AgACAAID/f/9/AIAAgACAmu8AgP9//3//f/9/AIAAgP9/ ~AID/fwCAAICfsv9/AID/"
        "f/9//38AgP9//39tYv9/AIAAgACA/38AgFGf ~BAAEAAYACAAGAAQA ~AAAFAAkACwAPABMA ~BQAEAAIABAAEAA"
        "EA > *40:wj1alfr///+YhbH///////x9TqA8AAAA8Wmet1cAAACNWilg1////w==",
        "signal_square_root 2 4 mnhFlQAAAABBHgAAAAAAAAWcblsAAAAAvfo/4N4oBwA= ~////fw== > *16:*16",
        "signal_square_root 3 9 5bXSVS9olgAGAAAAAAAAAGUOaucYAAAAevQHoRpwAACDrJ3e488AACZ7ITBW8ccAG"
        "xgAAAAAAADlHAAAAAAAAJUHAAAAAAAA ~IgAAAA== > *36:OuYQAwAAAABiPwEAB1oqAG+sOQCR94gDEwAAABUA"
        "AAALAAAA",
        "signal_square_root 2 9 twDzUnwRvQAQAwAAAAAAADgyrQAAAAAAbsk8YpKjAACzf9SLQBo2D8h+yQMAAAAAU"
        "Y4VHMmJAwCOT0HGLuwMAAoAAAAAAAAA ~IgAAAA== > *36:dQNwAwcAAABKAwAAdygzAJHGmQ/IBwAAlWJ4ADUR"
        "5gAAAAAA",
        "signal_pcan 1 1,8 ~fQ8AAA== ~AQAAAA== ~L4X/f76UK2uBp2mXAIAoNuFdAIBxEpk8xkfEGq5O/3+2i3yc/"
        "3/9Tv9/aLsRpf9//3+bL0JuAIAAb5dawNL9wkKeCFL+yWGb31x3NajkRsAAgFkGAIA6gpWKYKIAgDSoRdxFsQCAA"
        "IAAgJWqiq//TKL9R9QjcP9/6vGBkVYM9+2IJ7A5AICnyPS+JEr/f/9/P3XXn/9/yVgw2Z/h210AgH5g9Hj/f7K6/"
        "39Bkv9/JD0V8Wy6AIAWOwCAYmf4EgCA/3//f7V4jf0AgACARzoAgNkDIZCPC/9/AICqbbcR/3//f9i8xB0AgMNBk"
        "qwHc0vuPEPTVQIHAIDg1Q== > *4:uR4AAA==",
        "signal_pcan 2 1,16 ~F8agAA== ~DwEAAA== ~ZiZtFwCA/38AgAkH/38AgEvsdoXtM2k4HK7G9G/QAIBrGDf2"
        "plf/f/9//3//f5qmAIBs/nwns2IMrJgGAICFqWk+oa8AgBzIAIDqSuzaha3/f8uY/3+Sue9+KJX/f8OdlwpnhL0i"
        "/3/8+4Z/UUEAgDcn/3/OxDw9AIAAgP9/t+T9WQCAc+P3lT18jc8AgKtdEQMAgPYRB2f/f9CuAIDYwqYXvov/f0V0"
        "AUb/fwCAt5Gtq82GwPTYpz9qITtXdM0qekMGtjjyW9IYNxLZmT7/f/E7jEgAgP9/0uSIS6XxKWc7DOKKD7DyoA6L"
        "N0WEY3c1xhr/fwCAugdfgg== > *4:HDUBAA==",
        "signal_pcan 3 1,17 ~TgeSPg== ~*4 ~/3/u/b/bGyQ66P9//38AgObZlcY+gDn6lCiUr/9/3lj/f/9/i5b/fy"
        "8JGC2qgf9/5c4YVcCVHXcgOC/WJdUGo9C+KYRn5pdzOPlDRusKAIAl8f9/2Z7/f/9/TEP/f9yfAh8R8ZK56IEAgF"
        "7WDaUbHCI+AIBxOQwaAIC9zSIAnI3KPcwpvlLdhYv6AICYzf9/0QT/f/9/b53vuZT/XHIKogCAMiCWAPmcSDgIzB"
        "7J+bv/f+tuUJqiXsKZAIDKfNOUBMcb1FdMzgP/f2bh/38D//9/uE2Nvv9/R1UHeOPtAIAAgEgn/39LZ/9/AID/f1"
        "LgAIAVfgXJcpVw8w== > *4:SpE+AA==",
        "signal_log 2 6,4,135 ~nKsAADkfKQuGAAAAIc7CCrleDwAUAAAA > *12:GQeCCwwEfQvBCAsD",
        "signal_log 1 2,0,1976 ~AQAAAAAAAAA= > *4:*4",
        "signal_log 0 12,2,2101 C2RvQajFFmhYBQAABwAAAC94GAY3BAAAuh8AAOoDAAADAAAALgAAAP////8AAAAA "
        "> *24:/3//f6RGWRv/f65ERVUXRGUUzSr/fwAA",
        "signal_subtract 0 4,1684,2412,957,3139,0,3392,3,12 4zgAAHJ8PFNc3wMAeE8GAA== > *16:Gy8AAA"
        "4X7kT4NAMAzzkFAA== *16:GrsAAJuO9COkvAwAicsLAA== *16",
        "signal_subtract 3 11,700,324,704,320,0,738,7,10 ~AAAAAH8AAAAmII0Tz0W7Bhw5GQABAAAABAAAAPQ"
        "KAABtOpEAJPI1ACSzMwA= > *44:AAAAAFsAAACrNRcOz/fZBKgtEgAAAAAAAgAAAOQHAACbqmgAAuEmAJtCJQA="
        " *44:AAAAAKgrAAD9fLyHKP9fQBIFnwhYAAAAXgEAAODDAwBBeKMxYDyLEs66qxE= *44",
        "signal_subtract 1 8,377,1671,1653,395,0,748,5,11 ~AAAAgAEAAAABAAAAAAAAgAAAAID/////AAAAgP"
        "////8= > *32:AADALgAAAAAAAAAAAADALgAAwC7//39dAADALv//f10= *32:AAAAABkAAAAFAAAAAAAAAAAAAA"
        "Dm/5/OAAAAAOb/n84= *32",
        "signal_framer_s16 1 2,24,6,6,0 ~LJT5YzdeRq6bBzFaKXmWqrutZFmox3yodNmGSCrf6ZIEBYfsG1KO/vWE"
        "DYdZeq4nOgwyRqsnHSmvJrCvzxoCwX0ofR3RbN8h2WryWk+FraW3QTSWwd2/pUu3dEZo24zw > *96:LJT5YzdeR"
        "q6bBzFaKXmWqrutZFmox3yodNmGSCrf6ZIEBYfsG1KO/vWEDYdZeq4nOgwyRqsnHSmvJrCvzxoCwX0ofR3RbN8h2"
        "WryWk+FraW3QTSWwd2/pUu3dEZo24zw *1:AQ== *32",
        "signal_framer_s16 0 1,6,12,6,6 wUGFvfWBXqblICa6 > *24:AAAAAAAAAAAAAAAAwUGFvfWBXqblICa6 *"
        "1:AQ== *28",
        "signal_framer_s16 2 3,6,6,6,0 ~AlhiLN0S3LfMoicC1l7Hc/B3Jk+TQ757xMjRXu8fwZWZgoGE > *36:Al"
        "hiLN0S3LfMoicC1l7Hc/B3Jk+TQ757xMjRXu8fwZWZgoGE *1:AQ== *48",
        "signal_stacker_s16 3 3,4,3,1 ~q5QnxEuY > *24:q5QnxEuYq5QnxEuYq5QnxEuYq5QnxEuY *1:AQ== *3"
        "2",
        "signal_stacker_s16 0 2,4,3,1 /3//fw== > *16:/3//f/9//3//f/9//3//fw== *1:AQ== *24",
        "signal_stacker_s16 1 2,4,3,1 ~Uwn/fw== > *16:Uwn/f1MJ/39TCf9/Uwn/fw== *1:AQ== *24",
        "signal_delay_s16 1 5,9,8 ~KiYrVTvDtiRJFivfTUiydeXxeYjQqqWk1pl0gGopA12sL1cFa/+wayqi6Fdvav"
        "CUz/ljejYQOM91ZRPC38K+XWp8aj3VWen2+J5XNbYWj2ZT5u2d1jEAIUqC > *90:AAAAAAAAAAAAAAAAAAAAACo"
        "mAAAAAAAAAAAAAAAAAAAAAHmIAAAAAAAAAAAAAAAAAAAAAGv/AAAAAAAAAAAAAAAAAAAAADjPAAAAAAAAAAAAAAA"
        "AAAAAAPie *80",
        "signal_delay_s16 0 5,2,3 dptgsCCIn+TBYP9/BSE2KvUd4mE= > *20:*20 *30",
        "signal_delay_s16 3 7,5,8 ~59dQQviZ+/PfQP9/q0wzIJAu8KOMNVyMxy5VMUXtsfCrqDYDg4j2lnwGha0ymv"
        "9/ZLRP+E6TlecdvPT3jZCOBdR4VQZV4A== > *70:*70 *112",
        "signal_overlap_s16 2 3,2,3,1 ~k44br83SAIARNgCAtXf/fwCAcIGIs/9/QrFkFj073Bw3agCA > *12:k44"
        "AgLV3bwFCsUAz *18",
        "signal_overlap_s16 1 2,2,1,1 ~AIAAgP9//38= > *8:AIAAgP9//38= *4",
        "signal_overlap_s16 0 1,1,8,4 ObQ8Sr8zF9iAXdl78Ty9qQ== > *8:ObQ8Sr8zF9g= *16",
        "signal_overlap_f32 1 2,4,1,1 ~LCkVQD1njb/3bMA/+gIwP++hEcBxvwnAnPgHwNqv7z8= > ~*32:LCkVQD"
        "1njb/3bMA/+gIwP++hEcBxvwnAnPgHwNqv7z8= ~*8",
        "signal_overlap_f32 2 3,2,3,1 ~X4FMQP9GWEBujkzAyg9/QFvfAEA/PHhAvRTkP4cuB0BtKn4/oahvQKAnHs"
        "Aek60/tzmoP9HksD9+fEBAKSCovul9WsD9gOM/ > ~*24:X4FMQGSr60C9FOQ/lGu7QLc5qD/H3IY/ ~*36",
        "signal_overlap_f32 3 3,2,4,2 ~1u9GQPxKcUD3Gw/A7hBCwM61GsD+3Fs/OEdBQGuICsDligrAtJgRv/GlC0"
        "D2XuU/z+IZQAZ6x78b4KU/zyx0wDBHMsCKX8K/5L0zv4017D4XfRvAxNiHv/J0dr/hzJo/ > ~*48:1u9GQPxKcU"
        "Di6JTArhkLwOWKCsC0mBG/YMSSQIAnbz4wRzLAil/Cv5BsSMDClhm/ ~*48",
        "signal_rfft_s32 3 2,4,4,2147483647,0,-2147483647,0,-2147483647,0 ~////f////3////9/////fw"
        "AAAID///9/AAAAgP///38= > *48:/P//fwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAIA"
        "AAAAA *16",
        "signal_rfft_s32 2 2,3,10,2147483647,0,663608942,-2042378316,-1737350766,-1262259217,-173"
        "7350766,1262259217,663608942,2042378316,-1262259217,-1737350766,-2042378316,-663608942 ~"
        "////fwAAAID///9/////f////3////9/ > *96:zczMDAAAAABlZmYG+qFZ++o5ff4GXqYEZmZmBgl6shOuXxwbC"
        "XqyE2VmZiYAAAAAZWZmJgAAAACuXxwb94VN7GZmZgb3hU3s6jl9/vqhWftlZmYGBl6mBM3MzAwAAAAA *40",
        "signal_rfft_s32 2 1,6,6,2147483647,0,-1073741823,-1859775393,-1073741824,1859775393,-185"
        "9775393,-1073741824 ~AAAAgOWQzNCn4y4CAAAAgP///3/Sz7xK > *32:ELae7wAAAAAXNXL3YqnCI/qkMMg5"
        "sXD/0pUbEQAAAAA= *24",
        "signal_irfft_s32 3 1,6,4,2147483647,0,-2147483647,0,-2147483647,0 ~T6QEIb4YY33uBqJZuiP9I"
        "BIyqh3vG5tS > *16:Dbl8PLIKWPAjstribC5VEQ== *16",
        "signal_irfft_s32 1 1,10,8,2147483647,0,0,2147483647,-2147483647,0,0,-2147483647,-1518500"
        "249,1518500249,-2147483647,0 ~PV7uatEaWHWqbeTBbDfclEpfE560x2wljSej4cT2KQ8frGBQYjTFCA== >"
        " *32:b57Qx9pAnARNeXgu/N+LItHTDPbUx1Dvo5lR8WbwzfY= *32",
        "signal_irfft_s32 2 2,6,4,2147483647,0,-2147483647,0,-2147483647,0 ~U6Y5fAAAAIArq0pwGKRk4"
        "Hq9F2r///9/////f////3/97FNtbZnHmz5x6CHcqxZ0 > *32:iK65MSooVhRgA2/BQsy69M0SJB/4FqJJ0yXQsW"
        "iwaeU= *16",
        "signal_rfft_f32 3 3,1,4,1065353216,-2147483648,-1082130432,-1525862094,-1082130432,-1525"
        "862094 ~wVjkvz6XQEAkd4m+ > *72:wVjkvwAAAADBWOS/AAAAgMFY5L8AAAAAPpdAQAAAAAA+l0BAAAAAgD6XQ"
        "EAAAAAAJHeJvgAAAAAkd4m+AAAAgCR3ib4AAAAA *16",
        "signal_rfft_f32 1 1,7,12,1065353216,-2147483648,1056964608,-1084378153,-1090519040,-1084"
        "378153,-1082130432,-1525862094,-1090519040,1063105495,1056964608,1063105495,-1090519040,"
        "-1084378153,-1084378153,-1090519040,-1082130432,-1525862094 ~27wAv0m/iL+UkZO/DBiPPvjyDUD"
        "tdnq/82YVQA== > *56:F4+QPwAAAAA/OJPA8Mk2vgA0fLsW0T9AYJYIP2LgFEBXhCZAMtg1wM07jsDyR9U/JD6V"
        "QAAAAAA= *48",
        "signal_rfft_f32 1 1,2,8,1065353216,-2147483648,613232946,-1082130432,-1082130432,-152586"
        "2094,-1521235510,1065353216,-1087044365,-1087044365,-1082130432,-1525862094 ~4sixv3HKJsA"
        "= > *40:4q5/wAAAAADM1E7At+DrP+LIsb9xyiZAVF/oPrfg6z8AzJs/AAAAAA== *32",
        "signal_irfft_f32 3 2,8,6,1065353216,0,-1090519040,1063105495,-1090519040,-1084378153,-10"
        "84378153,1056964608 ~ODY/wA0VD7415SbABDL/vveTWEA4feU/AdxIQIpdGT+BwlrAhkssvu+PGr4cCElAGG2"
        "Vvy1ZaECjk3PA66VrQA== > *48:vFmRPjksGcDNow4/v+p5PxkFRL8lr9K/aFzSv2VB3L9t0Fe/oGKMvoURkL+X"
        "FQxA *24",
        "signal_irfft_f32 3 2,8,6,1065353216,0,-1090519040,1063105495,-1090519040,-1084378153,-10"
        "84378153,1056964608 ~U78CQICKxLzUOkm/gQ2xv1/uDUBiPwG//KJQwMue3T9nRnPAMHEYv3XWEj9fyj/AZNN"
        "dwN1MDT83MWzAEW9SQA== > *48:OXqMPgWhbT8dZEC+fUnxP2jrMb97vSW+3J0NwCAnrj9zCIQ+u7euvwM+5b+V"
        "klC9 *24",
        "signal_irfft_f32 3 1,8,6,1065353216,0,-1090519040,1063105495,-1090519040,-1084378153,-10"
        "84378153,1056964608 ~11VFQB8fkr5J5hc+KovAv09aLcBH5xbAHSgdP6Rd+z4= > *24:kOpyvjUrAEDl50s/"
        "ZW4Kvz0JpT9Dm2i+ *24",
    )
    # fmt: on


if __name__ == "__main__":
    main()
