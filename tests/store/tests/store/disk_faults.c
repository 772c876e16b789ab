/* A library for LD_PRELOAD: calls on SQLite's log fail with EIO, as the file named by TUA_FAULTS says.
 *
 * "once": the next sync fails. "sync": every sync fails. "all": after the next sync, which fails, every write fails too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_log(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path);
    return length > 4 && memcmp(path + length - 4, "-wal", 4) == 0;
}

/* Reads the current fault: the first letter of the file, or 0. */
static char fault(int fd) {
    const char *path = getenv("TUA_FAULTS");
    char letter = 0;
    if (path == NULL || !is_log(fd)) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    if (read(file, &letter, 1) != 1) letter = 0;
    close(file);
    return letter;
}

static void become(const char *text) {
    int file = open(getenv("TUA_FAULTS"), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file < 0) return;
    if (write(file, text, strlen(text)) < 0) abort();
    close(file);
}

static int sync_fails(int fd) {
    switch (fault(fd)) {
        case 'o': become(""); break;
        case 'a': become("writes"); break;
        case 's': case 'w': break;
        default: return 0;
    }
    errno = EIO;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int fd) { return sync_fails(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return sync_fails(fd) ? -1 : REAL(fdatasync)(fd); }

static int write_fails(int fd) {
    if (fault(fd) != 'w') return 0;
    errno = EIO;
    return 1;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return write_fails(fd) ? -1 : REAL(pwrite)(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    return write_fails(fd) ? -1 : REAL(pwrite64)(fd, bytes, count, at);
}
