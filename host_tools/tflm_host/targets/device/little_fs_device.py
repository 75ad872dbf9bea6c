"""Runs on the unix port: counts the blocks of 4 KB that files take in a LittleFS.

The host sends this file, then calls its functions; they print their results.
"""

import os

import vfs

BLOCK = 4096
_folders = []


class _Disk:
    def __init__(self, blocks):
        self.data = bytearray(BLOCK * blocks)

    def readblocks(self, block, into, offset=0):
        start = block * BLOCK + offset
        into[:] = self.data[start : start + len(into)]

    def writeblocks(self, block, data, offset=0):
        start = block * BLOCK + offset
        self.data[start : start + len(data)] = data

    def ioctl(self, operation, _argument):
        return {4: len(self.data) // BLOCK, 5: BLOCK, 6: 0}.get(operation, 0)


def mount(blocks):
    disk = _Disk(blocks)
    vfs.VfsLfs2.mkfs(disk)
    vfs.mount(disk, "/little")


def put(name, data):
    parts = ("little/" + name).split("/")
    for i in range(2, len(parts)):
        folder = "/" + "/".join(parts[:i])
        if folder not in _folders:
            os.mkdir(folder)
            _folders.append(folder)
    with open("/little/" + name, "wb") as file:
        file.write(data)


def taken():
    _, _, blocks, free = os.statvfs("/little")[:4]
    print(blocks - free)
