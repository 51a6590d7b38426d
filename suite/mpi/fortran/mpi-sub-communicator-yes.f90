! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@23", "STORE@26"], "NPROCS": 3, "DESCRIPTION": "a window on a communicator of ranks 1 and 2 with their order reversed (use mpi)"}
! Target 0 of the part is world rank 2, which stores to the element in the same epoch (MPI-4.1
! 7.4.2, 12.7).
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
