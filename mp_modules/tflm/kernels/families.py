"""Which kernels each family has: they are in its module or in the parts that this names."""

FAMILIES = (
    ("broadcast", "mul_s8 add_s8 sub_s8 add_f32"),
    ("conv", "conv_2d_s8 depthwise_conv_2d_s8"),
    ("convert", "quantize_f32_s8 requantize_s8 requantize_s16_s8 requantize_s16_s32"),
    ("dense", "fully_connected_s8 fully_connected_per_channel_s8 fully_connected_f32"),
    ("elementwise", "relu_s8 relu6_s8 leaky_relu_s8 relu_f32 logistic_s8 tanh_s8 lookup_s8"),
    ("move", "copy concatenation pad_s8"),
    ("pool", "average_pool_2d_s8 max_pool_2d_s8"),
    ("reduce", "mean_s8"),
    ("rows", "softmax_s8 softmax_s8_s16"),
    ("svdf", "svdf_s8 svdf_s16"),
)
