/* Marks a moment: a message to oneself whose tag is the number. */
#ifndef MARK_H
#define MARK_H

#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

void begin(void); /* MPI_Init_thread */
void mark(int number);
void after(int number); /* Waits for that mark, in a way that orders nothing. */
void end(void); /* MPI_Finalize */

#ifdef __cplusplus
}
#endif

/* Makes it likely that another thread has its turn; what is ordered must not depend on it. */
static inline void nap(int milliseconds) { usleep(1000 * milliseconds); }

#endif
