"""What the detectors of tflm.detect compute, in numpy: all candidates at once, then NMS.

Written from the definitions in their docstrings. A candidate is [score, class, x0, y0, x1, y1],
of 1/65536 and 1/4096.
"""

import numpy as np

ONE, SIDE = 65536, 4096


def fixed(values):
    """Return real numbers, as float32, in 1/65536."""
    return np.trunc(np.asarray(np.float32(values), np.float64) * ONE).astype(np.int64)


def numbers(data, scale=None, zero_point=0):
    """Return the elements of an output in 1/65536; *scale* of a quantized one."""
    if scale is None:
        values = np.asarray(data, np.float64)
        values = np.nan_to_num(values, nan=-8192.0, posinf=8192.0, neginf=-8192.0)
        return np.trunc(np.clip(values, -8192, 8192) * ONE).astype(np.int64)
    return (data.astype(np.int64) - zero_point) * int(np.float64(np.float32(scale)) * 2**24) >> 8


def exp(x):
    x = np.asarray(x, np.int64) * 94548 >> 16
    whole, part = x >> 16, x & 65535
    curve = (((5129 * part >> 16) + 14831) * part >> 16) + 45576
    value = ONE + (curve * part >> 16)
    large = np.minimum(value << np.clip(whole, 0, 14), 1 << 30)
    return np.where(whole < 0, value >> np.clip(-whole, 0, 31), large)


def sigmoid(x):
    return ONE * ONE // (ONE + exp(-np.asarray(x, np.int64)))


def overlap(a, b):
    low, high = np.maximum(a[2:4], b[2:4]), np.minimum(a[4:6], b[4:6])
    both = int(np.prod(np.maximum(high - low, 0)))
    areas = int(np.prod(a[4:6] - a[2:4])) + int(np.prod(b[4:6] - b[2:4]))
    return both * ONE // (areas - both) if both else 0


def suppress(found, least, most=20, nms=0.5, sigma=None):
    """Return what NMS leaves of *found*, an array of candidates; their order settles ties."""
    found, kept = np.asarray(found, np.int64).reshape(-1, 6), []
    while len(found) and len(kept) < most:
        best = found[int(np.argmax(found[:, 0]))].copy()
        found = np.delete(found, int(np.argmax(found[:, 0])), axis=0)
        kept.append(best.tolist())
        stay = []
        for one in found:
            share = overlap(one, best) if one[1] == best[1] else -1
            if share >= 0 and sigma is not None:
                factor = fixed(np.float32(1) / np.float32(sigma))
                one[0] = one[0] * exp(-(share * share // ONE * factor // ONE)) // ONE
                stay.append(one[0] >= least)
            else:
                stay.append(share <= fixed(nms))
        found = found[np.array(stay, bool)]
    return kept


def centred(level, kind, x, y, width, height):
    """Return candidates with boxes around their centres."""
    x0, y0 = x - width // 2, y - height // 2
    return np.stack([level, kind, x0, y0, x0 + width, y0 + height], axis=-1)


def yolo_grid(output, anchors, shares):
    """Return all candidates of one output (rows, columns, channels) in 1/65536, in their order.

    anchors  [(width, height)] in 1/65536 of the input;  shares  softmax in place of sigmoid
    """
    rows, columns, channels = output.shape
    each = output.reshape(rows, columns, len(anchors), channels // len(anchors))
    kind = np.argmax(each[..., 5:], axis=-1)
    top = np.max(each[..., 5:], axis=-1)
    part = sigmoid(top)
    if shares:
        part = ONE * ONE // exp(each[..., 5:] - top[..., None]).sum(axis=-1)
    level = sigmoid(each[..., 4]) * part // ONE
    pairs = np.array(anchors, np.int64)
    width = exp(each[..., 2]) * pairs[:, 0] // ONE * SIDE // ONE
    height = exp(each[..., 3]) * pairs[:, 1] // ONE * SIDE // ONE
    y, x = np.mgrid[:rows, :columns][..., None]
    x = (x * ONE + sigmoid(each[..., 0])) * SIDE // (columns * ONE)
    y = (y * ONE + sigmoid(each[..., 1])) * SIDE // (rows * ONE)
    return centred(level, kind, x, y, width, height).reshape(-1, 6)


def yolo_rows(output, by_object=False):
    """Return all candidates of rows (n, 5 + classes)."""
    box = output[:, :4] * SIDE // ONE
    level = output[:, 4] if by_object else output[:, 4] * output[:, 5:].max(axis=1) // ONE
    return centred(level, output[:, 5:].argmax(axis=1), *box.T)


def yolo_columns(output):
    """Return all candidates of columns (4 + classes, n)."""
    box = output[:4] * SIDE // ONE
    return centred(output[4:].max(axis=0), output[4:].argmax(axis=0), *box)


def ssd(scores, boxes, anchors, scales=None):
    """Return all candidates of heads: one for each anchor and class, the anchor first."""
    count, classes = scores.shape[0], scores.shape[1] - 1
    if scales is None:
        sizes = anchors[:, 2:] - anchors[:, :2]
        box = boxes * np.concatenate([sizes, sizes], axis=1) // ONE + anchors
    else:
        y, x, height, width = (boxes * ONE // fixed(scales)).T
        height, width = exp(height) * anchors[:, 2] // ONE, exp(width) * anchors[:, 3] // ONE
        x0 = x * anchors[:, 3] // ONE + anchors[:, 1] - width // 2
        y0 = y * anchors[:, 2] // ONE + anchors[:, 0] - height // 2
        box = np.stack([x0, y0, x0 + width, y0 + height], axis=1)
    box = np.repeat(box * SIDE // ONE, classes, axis=0)
    kind = np.tile(np.arange(classes), count)
    return np.concatenate([scores[:, 1:].reshape(-1, 1), kind[:, None], box], axis=1)


def faces(boxes, scores, width, height):
    """Return (all candidates, their points) of BlazeFace's 896 anchors."""
    middles = []
    for side, each in ((16, 2), (8, 6)):
        y, x = np.mgrid[:side, :side].reshape(2, -1)
        middle = (2 * np.stack([x, y], axis=1) + 1) * SIDE // (2 * side)
        middles.append(np.repeat(middle, each, axis=0))
    middle = np.concatenate(middles)
    places = (boxes.reshape(-1, 8, 2) * SIDE) // (np.array([width, height]) * ONE)
    x, y = (places[:, 0] + middle).T
    found = centred(sigmoid(scores.reshape(-1)), np.zeros(len(x), np.int64), x, y, *places[:, 1].T)
    return found, places[:, 2:] + middle[:, None]


def cubes(scores, threshold):
    """Return Edge Impulse's boxes [score, class, x, y, width, height] in cells.

    scores  float32 (rows, columns, classes + 1), background first; by a plane of each class
    """
    found = []
    for y, x, channel in np.argwhere(scores >= np.float32(threshold)):
        if channel:
            _join(found, [scores[y, x, channel], channel - 1, x, y, 1, 1], None)
    kept, results = [], []
    for cube in found:
        _join(kept, cube, results)
    return results


def _join(found, new, results):
    """Grow the first of *found* that *new* touches, else add it, and a copy to *results*."""
    _, kind, x, y, width, height = new
    for one in found:
        _, other, left, top, wide, high = one
        apart = left + wide < x or top + high < y or left > x + width or top > y + height
        if kind != other or apart:
            continue
        left, top = min(left, x), min(top, y)  # the right side moves along
        one[2:4] = left, top
        one[4] = wide + max(0, x + width - left - wide)
        one[5] = high + max(0, y + height - top - high)
        one[0] = max(one[0], new[0])
        return
    found.append(new)
    if results is not None:
        results.append(list(new))
