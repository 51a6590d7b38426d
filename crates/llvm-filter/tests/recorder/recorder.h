/* What the generated programs use: memory, and the calls between which accesses belong together. */
#pragma once

enum { ARENA = 64 * 4096 };
extern char arena[ARENA];

/* An unknown function to the compiler: prints what was accessed since the last call. */
void synchronise(void);

/* Watches about so many of sixteen pages of the arena, and no other memory; fills the arena with ones. */
void watch(unsigned seed, unsigned of_sixteen);

/* From now on, and no more what was lent before, a page of the program's own stands for the first page of the arena. */
void lend(char *page);
