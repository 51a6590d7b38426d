/* Mailboxes between processes, as a header-only layer over MPI's one-sided calls: each process has a box with a slot a
   sender; a letter is put into a slot, and a flag beside it says so. Written for farside's checks of layers. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MAILBOX_LETTER = 32 };

/* What a sender has put into a box. */
typedef struct {
    int flag;
    int length;
    char text[MAILBOX_LETTER];
} mailbox_slot;

typedef struct {
    MPI_Win win;
    MPI_Comm comm;
    mailbox_slot *slots;
    int rank, size;
} mailbox;

/* Where the slot of `sender` begins in a box. */
static inline MPI_Aint mailbox_offset(int sender)
{
    return (MPI_Aint)sender * (MPI_Aint)sizeof(mailbox_slot);
}

/* All processes of `comm` open their boxes together; all are empty then. */
static inline void mailbox_open(mailbox *box, MPI_Comm comm)
{
    MPI_Comm_dup(comm, &box->comm);
    MPI_Comm_rank(box->comm, &box->rank);
    MPI_Comm_size(box->comm, &box->size);
    MPI_Win_allocate(box->size * (MPI_Aint)sizeof(mailbox_slot), 1, MPI_INFO_NULL, box->comm, &box->slots, &box->win);
    memset(box->slots, 0, box->size * sizeof(mailbox_slot));
    MPI_Barrier(box->comm);
    MPI_Win_lock_all(0, box->win);
}

/* Puts a letter into the box of `receiver`, without saying so. */
static inline void mailbox_write(mailbox *box, int receiver, const char *text)
{
    mailbox_slot slot;
    memset(&slot, 0, sizeof slot);
    slot.length = (int)strlen(text);
    strncpy(slot.text, text, MAILBOX_LETTER - 1);
    MPI_Put(&slot.length, (int)(sizeof slot - sizeof slot.flag), MPI_BYTE, receiver,
            mailbox_offset(box->rank) + (MPI_Aint)sizeof slot.flag, (int)(sizeof slot - sizeof slot.flag), MPI_BYTE,
            box->win);
    MPI_Win_flush(receiver, box->win);
}

/* Says that the letter is there. */
static inline void mailbox_raise(mailbox *box, int receiver)
{
    int up = 1;
    MPI_Accumulate(&up, 1, MPI_INT, receiver, mailbox_offset(box->rank), 1, MPI_INT, MPI_REPLACE, box->win);
    MPI_Win_flush(receiver, box->win);
}

/* Sends a letter. */
static inline void mailbox_send(mailbox *box, int receiver, const char *text)
{
    mailbox_write(box, receiver, text);
    mailbox_raise(box, receiver);
}

/* Waits for a letter of `sender`, and takes the flag down. */
static inline const char *mailbox_receive(mailbox *box, int sender)
{
    int down = 0, seen = 0;
    while (!seen) {
        MPI_Fetch_and_op(&down, &seen, MPI_INT, box->rank, mailbox_offset(sender), MPI_REPLACE, box->win);
        MPI_Win_flush(box->rank, box->win);
    }
    MPI_Win_sync(box->win);
    return box->slots[sender].text;
}

/* All processes have come here, and their letters have arrived. */
static inline void mailbox_meet(mailbox *box)
{
    MPI_Win_flush_all(box->win);
    MPI_Barrier(box->comm);
    MPI_Win_sync(box->win);
}

static inline void mailbox_close(mailbox *box)
{
    MPI_Win_unlock_all(box->win);
    MPI_Win_free(&box->win);
    MPI_Comm_free(&box->comm);
}

#endif
