/* Each process sends a letter to the next one, waits for its own and answers it.
   Planted: a letter is corrected after it was sent. */
#include "mailbox.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mailbox box;
    mailbox_open(&box, MPI_COMM_WORLD);
    int next = (box.rank + 1) % box.size, before = (box.rank + box.size - 1) % box.size;
    mailbox_send(&box, next, "how do you do?");
#ifdef PLANTED
    mailbox_write(&box, next, "how do you do, process?");
#endif
    printf("%d: %s\n", box.rank, mailbox_receive(&box, before));
    mailbox_meet(&box);
    mailbox_send(&box, before, "well");
    printf("%d: %s\n", box.rank, mailbox_receive(&box, next));
    mailbox_meet(&box);
    mailbox_close(&box);
    MPI_Finalize();
    return 0;
}
