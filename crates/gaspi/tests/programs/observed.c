/* Runs with tool.c preloaded: what it calls is seen, and what the library does within itself is not. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>

int main(void) {
  int *writes = dlsym(RTLD_DEFAULT, "tool_writes"), i;
  long *data;
  HOLDS(writes != NULL);
  begin();
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  data = memory(0);
  data[0] = 5 + me;
  for (i = 0; i < 10; i++) OK(gaspi_write(0, 0, next(), 0, 64, 8, 0, GASPI_BLOCK));
  OK(gaspi_write_notify(0, 0, next(), 0, 64, 8, 0, 1, 0, GASPI_BLOCK));
  taken(0, 0);
  HOLDS(data[8] == 5 + previous());
  HOLDS(*writes == 10);
  OK(gaspi_wait(0, GASPI_BLOCK));
  end();
  return 0;
}
