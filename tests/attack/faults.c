/* Preloaded: lets the FAULT_AT-th call of write, pwrite, fsync or rename fail with the error FAULT_ERRNO, or, where
   that is 0, write half of its bytes; with FAULT_KILL the process is killed before that call. Standard streams are
   left alone. Counts calls into the file FAULT_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_long calls;

static long setting(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : -1;
}

static int strikes(void) {
  const int here = atomic_fetch_add(&calls, 1) + 1 == setting("FAULT_AT");
  if (here && getenv("FAULT_KILL")) raise(SIGKILL);
  return here;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

ssize_t write(int file, const void* bytes, size_t size) {
  if (file > 2 && strikes()) {
    if (setting("FAULT_ERRNO") > 0) return errno = (int)setting("FAULT_ERRNO"), -1;
    size = (size + 1) / 2;
  }
  return REAL(ssize_t, "write", int, const void*, size_t)(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  if (strikes()) {
    if (setting("FAULT_ERRNO") > 0) return errno = (int)setting("FAULT_ERRNO"), -1;
    size = (size + 1) / 2;
  }
  return REAL(ssize_t, "pwrite", int, const void*, size_t, off_t)(file, bytes, size, at);
}

int fsync(int file) {
  if (strikes() && setting("FAULT_ERRNO") > 0) return errno = (int)setting("FAULT_ERRNO"), -1;
  return REAL(int, "fsync", int)(file);
}

int rename(const char* from, const char* to) {
  if (strikes() && setting("FAULT_ERRNO") > 0) return errno = (int)setting("FAULT_ERRNO"), -1;
  return REAL(int, "rename", const char*, const char*)(from, to);
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("FAULT_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld", atomic_load(&calls));
  fclose(file);
}
