"""The ROMFS builder: what it writes is read back, and every file's data is aligned."""

import random

import pytest

from tflm_host.targets.romfs import MAGIC, RomfsError, build_romfs, list_romfs


def contents(image):
    return [(name, bytes(image[pos : pos + size])) for name, pos, size in list_romfs(image)]


def test_build_romfs_no_files_is_a_valid_empty_image():
    assert list_romfs(build_romfs([])) == []


@pytest.mark.parametrize("align", [1, 2, 4, 16, 32, 128, 4096])
def test_build_romfs_random_files_aligned_and_read_back(align):
    rng = random.Random(align)
    for _ in range(40):
        files = [
            (
                f"{'n' * rng.randrange(1, 140)}{i}",
                rng.randbytes(rng.choice((0, 1, 15, 127, 128, 300, 17000))),
            )
            for i in range(rng.randrange(1, 6))
        ]
        image = build_romfs(files, align)
        assert contents(image) == files
        assert all(pos % align == 0 for _, pos, _ in list_romfs(image))
        assert len(image) % align == 0


@pytest.mark.parametrize("size", [120, 127, 128, 16383, 16384, 2097152])
def test_build_romfs_length_at_varuint_border_header_stays_minimal(size):
    for around in range(size - 40, size + 8):
        image = build_romfs([("m.tflite", bytes(around))])
        assert contents(image) == [("m.tflite", bytes(around))]
        assert image[3:4] != b"\x80"  # no leading zero group: mpremote reads 9 bytes at most


@pytest.mark.parametrize("align", [1, 2, 4, 8])
def test_build_romfs_small_alignment_every_size_has_a_header(align):
    for size in range(90, 140):
        files = [("m", bytes(size))]
        assert contents(build_romfs(files, align)) == files


BAD_NAMES = (
    "",
    "/a",
    "a/",
    "a//b",
    "x\0",
    ".",
    "..",
    "a/../b",
    "../a",
    "./a",
    "a\\b",
    "d/" * 40 + "a",
)


@pytest.mark.parametrize("name", [*BAD_NAMES, "\udcff"])
def test_build_romfs_bad_name_raises(name):
    with pytest.raises(RomfsError):
        build_romfs([(name, b"")])


def record(kind, payload):
    return bytes([kind, len(payload)]) + payload


def image_of(*names):
    """Return an image with an empty file in folders; *names* are bytes, the file's is the last."""
    *folders, name = names
    data = record(5, bytes([len(name)]) + name + record(2, b""))
    for folder in reversed(folders):
        data = record(4, bytes([len(folder)]) + folder + data)
    return MAGIC + bytes([len(data)]) + data


def test_list_romfs_handmade_names_are_found():
    assert [name for name, _, _ in list_romfs(image_of(b"d", "\xe9".encode()))] == ["d/\xe9"]


@pytest.mark.parametrize(
    "names",
    [(b"",), (b"..",), (b".",), (b"a/b",), (b"/a",), (b"x\0",), (b"\xff\xfe",)]
    + [(b"..", b"a"), (b"", b"a"), (b"\xff", b"a"), (b"d/e", b"a"), (b"a",) * 33],
)
def test_list_romfs_bad_name_raises(names):
    with pytest.raises(RomfsError):
        list_romfs(image_of(*names))


def test_list_romfs_name_longer_than_its_record_raises():
    image = bytearray(image_of(b"abc"))
    image[image.index(b"abc") - 1] = 100
    with pytest.raises(RomfsError):
        list_romfs(bytes(image))


def test_list_romfs_any_byte_changed_raises_or_lists():
    image = build_romfs([("lib/a.py", b"123"), ("m", b"45")], 4)
    for i in range(len(image)):
        for byte in (0, 1, 4, 5, 0x7F, 0x80, 0xFF):
            changed = image[:i] + bytes([byte]) + image[i + 1 :]
            try:
                found = list_romfs(changed)
            except RomfsError:
                continue
            assert all(".." not in name.split("/") for name, _, _ in found)


def test_list_romfs_file_that_broke_it(shared):
    with pytest.raises(RomfsError):
        list_romfs((shared / "repro" / "romfs_bad_name.img").read_bytes())


def test_build_romfs_same_name_twice_raises():
    with pytest.raises(RomfsError, match="two files"):
        build_romfs([("a", b"1"), ("a", b"2")])


@pytest.mark.parametrize("align", [1, 16, 128])
def test_build_romfs_files_in_folders_aligned_and_read_back(align):
    files = [("lib/a.py", b"1"), ("lib/b/c.mpy", bytes(300)), ("m.tflite", b"2"), ("lib/d", b"")]
    image = build_romfs(files, align)
    assert contents(image) == [files[0], files[1], files[3], files[2]]
    assert all(pos % align == 0 for _, pos, _ in list_romfs(image))


def test_build_romfs_file_called_as_a_folder_raises():
    with pytest.raises(RomfsError, match="two files"):
        build_romfs([("a", b"1"), ("a/b", b"2")])


def test_build_romfs_alignment_not_power_of_two_raises():
    with pytest.raises(RomfsError, match="power of two"):
        build_romfs([], align=12)


def test_list_romfs_truncated_or_foreign_image_raises():
    image = build_romfs([("a", b"123"), ("b", bytes(200))])
    for cut in range(len(image)):
        with pytest.raises(RomfsError):
            list_romfs(image[:cut])
    with pytest.raises(RomfsError, match="magic"):
        list_romfs(b"\0" * 64)
    assert image.startswith(MAGIC)
