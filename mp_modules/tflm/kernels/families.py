"""Which kernels each module here has."""

FAMILIES = (
    ("activations", "relu_s8 relu6_s8 leaky_relu_s8 relu_f32"),
    ("add", "add_s8 sub_s8 add_f32"),
    ("concatenation", "concatenation"),
    ("conv", "conv_2d_s8"),
    ("copy", "copy"),
    ("depthwise_conv", "depthwise_conv_2d_s8"),
    (
        "fully_connected",
        "fully_connected_s8 fully_connected_per_channel_s8 fully_connected_f32",
    ),
    ("logistic", "logistic_s8 tanh_s8"),
    ("lookup", "lookup_s8"),
    ("mean", "mean_s8"),
    ("mul", "mul_s8"),
    ("pad", "pad_s8"),
    ("pooling", "average_pool_2d_s8 max_pool_2d_s8"),
    ("quantize", "quantize_f32_s8 requantize_s8 requantize_s16_s8 requantize_s16_s32"),
    ("softmax", "softmax_s8 softmax_s8_s16"),
    ("svdf", "svdf_s8 svdf_s16"),
)
