/* All processes send their votes to process 0, which counts them when all have met. Planted: it does not wait. */
#include "mailbox.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mailbox box;
    mailbox_open(&box, MPI_COMM_WORLD);
    mailbox_write(&box, 0, box.rank % 2 ? "yes" : "no");
#ifndef PLANTED
    mailbox_meet(&box);
#endif
    if (box.rank == 0) {
        int yes = 0;
        for (int i = 0; i < box.size; i++)
            yes += box.slots[i].text[0] == 'y';
        printf("%d yes\n", yes);
    }
    mailbox_meet(&box);
    mailbox_close(&box);
    MPI_Finalize();
    return 0;
}
