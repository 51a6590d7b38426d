! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 3, "DESCRIPTION": "a window on a communicator of ranks 1 and 2 with their order reversed, put and store an epoch apart (use mpi)"}
! The fence of the part orders the put before the store (MPI-4.1 7.4.2, 12.5.1).
program sub_communicator
    use mpi
    implicit none
    integer :: rank, ierr, win, part
    integer, asynchronous :: cells(4), value
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 8
    bytes = 16
    where = 3
    call MPI_Comm_split(MPI_COMM_WORLD, min(rank, 1), -rank, part, ierr)

    if (rank > 0) then
        call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, part, win, ierr)
        call MPI_Win_fence(0, win, ierr)
        if (rank == 1) then
            call MPI_Put(value, 1, MPI_INTEGER, 0, where, 1, MPI_INTEGER, win, ierr)
        end if
        call MPI_Win_fence(0, win, ierr)
        if (rank == 2) then
            cells(4) = 1
        end if
        call MPI_Win_fence(0, win, ierr)
        call MPI_Win_free(win, ierr)
    end if

    print *, 'rank', rank, cells(4)
    call MPI_Comm_free(part, ierr)
    call MPI_Finalize(ierr)
end program sub_communicator
