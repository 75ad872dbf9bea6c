# Runs on the device: a file system in RAM, mounted at /ram, for firmware that has no flash to
# write to. Its files are read through a buffer, as those of a flash file system are.
import errno
import io
import os
import sys

import vfs

FOLDER, FILE = 0x4000, 0x8000
BLOCK = 512


class RamFile(io.IOBase):
    def __init__(self, content):
        self.content = content
        self.position = 0

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.close()

    def close(self):
        pass

    def write(self, data):
        self.content.extend(data)
        return len(data)

    def readinto(self, buffer):
        data = self.content[self.position : self.position + len(buffer)]
        buffer[: len(data)] = data
        self.position += len(data)
        return len(data)

    def read(self, size=-1):
        end = len(self.content) if size < 0 else self.position + size
        data = bytes(self.content[self.position : end])
        self.position += len(data)
        return data

    def seek(self, offset, whence=0):
        self.position = offset + (0, self.position, len(self.content))[whence]
        return self.position

    def ioctl(self, _request, _argument):
        return 0  # there is nothing to flush


class RamDisk:
    content = bytearray  # of a new file

    def __init__(self):
        self.entries = {"": None}  # path: the bytes of a file, None for a folder

    def find(self, path):
        path = path.strip("/")
        if path not in self.entries:
            raise OSError(errno.ENOENT)
        return path

    def open(self, path, mode):
        if "w" in mode:
            self.entries[path.strip("/")] = self.content()
        return RamFile(self.entries[self.find(path)])

    def stat(self, path):
        content = self.entries[self.find(path)]
        kind, size = (FOLDER, 0) if content is None else (FILE, len(content))
        return (kind, 0, 0, 0, 0, 0, size, 0, 0, 0)

    def mkdir(self, path):
        if path.strip("/") in self.entries:
            raise OSError(errno.EEXIST)
        self.entries[path.strip("/")] = None

    def remove(self, path):
        del self.entries[self.find(path)]

    def rename(self, old, new):
        self.entries[new.strip("/")] = self.entries.pop(self.find(old))

    def ilistdir(self, path):
        folder = self.find(path) + "/" if path.strip("/") else ""
        for entry, content in list(self.entries.items()):
            name = entry[len(folder) :]
            if entry.startswith(folder) and name and "/" not in name:
                yield (name, FOLDER if content is None else FILE, 0)

    def statvfs(self, _path):
        return (BLOCK, BLOCK, 4096, 4096, 4096, 0, 0, 0, 0, 255)

    def mount(self, readonly, mkfs):
        pass

    def umount(self):
        pass

    def chdir(self, path):
        pass

    def getcwd(self):
        return "/"


vfs.mount(RamDisk(), "/ram")
os.mkdir("/ram/lib")
sys.path.append("/ram/lib")
# Files that lie in the heap would leave it in small pieces, as those of a flash do not. Let go of
# this when all files are written.
ROOM = 190  # KB
room = bytearray(ROOM * 1024)
