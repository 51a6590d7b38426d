! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "both processes put into different elements of rank 0 (mpif.h)"}
! The two puts do not overlap (MPI-4.1 12.7).
program put_put
    implicit none
    include 'mpif.h'
    integer :: rank, ierr
    integer :: win
    integer :: cells(8), value
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 10 + rank
    bytes = 4 * size(cells)
    where = 5 + rank
    call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(value, 1, MPI_INTEGER, 0, where, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, cells(6)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program put_put
