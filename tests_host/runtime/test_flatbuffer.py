"""Each bound of a FlatBuffer, in Python and in C: what just fits, and one byte more."""

import struct

import pytest

from support.native.reader_library import Reader
from tflm.file import flatbuffer

HUGE = 0xFFFFFFFF


class Checked:
    """flatbuffer.py with the C reader's result for a file that it refuses: None."""

    def __getattr__(self, name):
        def read(*arguments):
            try:
                return getattr(flatbuffer, name)(*arguments)
            except ValueError:
                return None

        return read


@pytest.fixture(scope="module", params=["python", "c"])
def reader(request, tmp_path_factory):
    return Checked() if request.param == "python" else Reader(tmp_path_factory.mktemp("reader"))


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


def test_scalar_just_inside_is_read_and_one_byte_further_refused(reader):
    data = b"\0\0\0" + struct.pack("<i", -7)
    assert reader.i32(data, 3, 9) == -7
    assert (reader.i32(data, 4, 9), reader.i32(data, 7, 9), reader.i32(data, -1, 9)) == (None,) * 3
    assert reader.i32(bytes(7) + b"\1\0\0\0", 7, 9) == 1
    assert reader.u8(b"\0\0\5", 2, 9) == 5
    assert (reader.u8(b"\0\0\5", 3, 9), reader.u8(b"\0\0\5", -1, 9)) == (None, None)


def test_scalar_has_all_its_bytes_in_their_order(reader):
    assert reader.i32(b"\0\1\2\3\4", 1, 0) == 0x04030201
    assert reader.i32(b"\0\xff\xfe\xfd\xfc", 1, 0) == 0xFCFDFEFF - (1 << 32)


@pytest.mark.parametrize("offset", [4, 5, 8])
def test_offset_may_point_to_the_last_word(reader, offset):
    data = bytes(1) + words(offset) + bytes(offset)
    assert reader.follow(data, 1) == 1 + offset
    assert reader.follow(data[:-1], 1) is None


@pytest.mark.parametrize("offset", [0, 1, 3, HUGE, 1 << 31, HUGE - 3])
def test_offset_into_itself_or_far_away_is_refused(reader, offset):
    assert reader.follow(bytes(8) + words(offset) + bytes(16), 8) is None


def test_offset_that_is_cut_is_refused(reader):
    assert reader.follow(words(0, 4, 0)[:7], 4) is None
    assert reader.follow(words(4, 0), -1) is None


@pytest.mark.parametrize("item_size", [1, 2, 4, 8])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_vector_may_end_with_the_file(reader, item_size, count):
    data = bytes(4) + words(4, count) + bytes(count * item_size)
    assert reader.vector(data, 4, item_size) == (12, count)
    assert reader.vector(data[:-1], 4, item_size) is None
    assert reader.vector(bytes(4) + words(4, count + 1) + data[12:], 4, item_size) is None


@pytest.mark.parametrize("count", [HUGE, 1 << 31, 1 << 30, 1 << 29])
def test_vector_of_more_items_than_fit_into_a_word_is_refused(reader, count):
    for item_size in (1, 4, 8):
        assert reader.vector(bytes(4) + words(4, count) + bytes(64), 4, item_size) is None


def a_table(slots, size, *, pos=4, behind=True, vtable_size=None):
    """Return a table at *pos* of *size* bytes, whose vtable lies right behind or before it."""
    vtable_size = 4 + 2 * len(slots) if vtable_size is None else vtable_size
    vtable = struct.pack(f"<{2 + len(slots)}H", vtable_size, size, *slots)
    if behind:
        return bytes(pos) + struct.pack("<i", -size) + bytes(size - 4) + vtable
    return bytes(pos) + vtable + struct.pack("<i", len(vtable)) + bytes(max(size - 4, 0))


@pytest.mark.parametrize("pos", [0, 1, 4])
def test_table_and_vtable_may_begin_and_end_with_the_file(reader, pos):
    behind = a_table([4, 6], 8, pos=pos)
    assert reader.table(behind, pos, 2) == (pos + 4, pos + 6)
    assert reader.table(behind[:-1], pos, 2) is None  # the vtable is cut
    before = a_table([4, 6], 8, pos=pos, behind=False)
    assert reader.table(before, pos + 8, 2) == (pos + 12, pos + 14)
    assert reader.table(before[:-1], pos + 8, 2) is None  # the table is cut


def test_table_without_fields_is_four_bytes_and_has_a_vtable_of_four(reader):
    assert reader.table(a_table([], 4), 4, 3) == (0, 0, 0)
    assert reader.table(a_table([], 4, behind=False, pos=0), 4, 3) == (0, 0, 0)


def test_table_that_leaves_the_file_is_refused(reader):
    data = a_table([4], 8)
    assert reader.table(data, -4, 1) is None
    assert reader.table(data, len(data) - 3, 1) is None
    assert reader.table(data[:7], 4, 1) is None


@pytest.mark.parametrize("distance", [5, -25, 1 << 30, -(1 << 30), -(1 << 31), (1 << 31) - 1])
def test_vtable_that_leaves_the_file_is_refused(reader, distance):
    """The table is at byte 4 of 32: a vtable at -1 or 29 has not its two first numbers there."""
    data = bytes(4) + struct.pack("<i", distance) + struct.pack("<2H", 4, 4) * 6
    assert len(data) == 32
    assert reader.table(data, 4, 1) is None


def test_vtable_may_be_the_first_and_the_last_word_of_the_file(reader):
    data = struct.pack("<2HiI2H", 4, 4, 4, 0, 4, 4)
    assert reader.table(data, 4, 1) == (0,)
    data = data[:4] + struct.pack("<i", -8) + data[8:]
    assert reader.table(data, 4, 1) == (0,)


@pytest.mark.parametrize("vtable_size", [0, 2, 3, 5, 7])
def test_vtable_of_an_impossible_size_is_refused(reader, vtable_size):
    assert reader.table(a_table([4, 4], 8, vtable_size=vtable_size), 4, 1) is None


@pytest.mark.parametrize("size", [0, 2, 3])
def test_table_shorter_than_its_first_word_is_refused(reader, size):
    assert reader.table(a_table([], size, behind=False), 8, 1) is None


def test_field_lies_behind_the_first_word_and_inside_the_table(reader):
    for offset, found in ((4, (8,)), (7, (11,)), (3, None), (1, None), (8, None), (0, (0,))):
        assert reader.table(a_table([offset], 8), 4, 1) == found, offset


def test_field_that_is_not_asked_for_is_not_looked_at(reader):
    assert reader.table(a_table([4, 99], 8), 4, 1) == (8,)
    assert reader.table(a_table([4, 99], 8), 4, 2) is None
    assert reader.table(a_table([4, 5], 8), 4, 4) == (8, 9, 0, 0)


def test_vtable_that_says_more_slots_than_the_file_holds_is_refused(reader):
    data = a_table([4], 8)
    assert reader.table(data, 4, 1) == (8,)
    assert reader.table(a_table([4], 8, vtable_size=8), 4, 1) is None


def test_absent_fields_have_their_defaults():
    data = memoryview(words(4, 0))
    assert (flatbuffer.vector(data, 0, 4), flatbuffer.follow(data, 0)) == ((0, 0), 0)
    assert (flatbuffer.ints(data, 0), flatbuffer.string(data, 0)) == ((), "")
    assert (flatbuffer.i32(data, 0, -7), flatbuffer.u8(data, 0, 9)) == (-7, 9)


def test_vector_of_ints_is_read_with_its_sign():
    data = memoryview(words(0, 4, 2, HUGE, 5))
    assert flatbuffer.ints(data, 4) == (-1, 5)
    assert flatbuffer.ints(memoryview(words(0, 4, 0)), 4) == ()


def test_largest_takes_words_as_unsigned():
    data = memoryview(words(9, 3, 1 << 31, 7, HUGE))
    assert flatbuffer.largest(data, 4, 3) == 1 << 31
    assert flatbuffer.largest(data, 4, 1) == 3
    assert flatbuffer.largest(data, 4, 0) == 0


def test_name_keeps_what_is_utf8_and_shows_the_rest_as_question_marks():
    def string(text):
        return flatbuffer.string(memoryview(words(0, 4, len(text)) + text), 4)

    assert string("grün".encode()) == "grün"
    assert string(b"\xff\x7f\x80a") == "?\x7f?a"
    assert string(b"a" * 100) == "a" * 100
    assert string(b"\xff" * 100) == "?" * 64


def test_error_names_the_place_and_what_is_wrong_there():
    with pytest.raises(ValueError, match=r"at byte 5 points outside the file \(8 bytes\)"):
        flatbuffer.i32(memoryview(bytes(8)), 5, 0)
    with pytest.raises(ValueError, match="offset 3 at byte 4 points into itself"):
        flatbuffer.follow(memoryview(words(0, 3, 0)), 4)
    with pytest.raises(ValueError, match="field 1 lies outside the table at byte 4"):
        flatbuffer.table(memoryview(a_table([4, 8], 8)), 4, 2)
    with pytest.raises(ValueError, match="the table at byte 4 has an impossible vtable"):
        flatbuffer.table(memoryview(a_table([4], 8, vtable_size=5)), 4, 1)
