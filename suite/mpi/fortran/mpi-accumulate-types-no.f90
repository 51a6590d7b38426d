! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "concurrent accumulates of the same basic type to the same bytes (use mpi)"}
! Same operation, same basic datatype (MPI-4.1 12.7.1).
program accumulate_types
    use mpi
    implicit none
    integer :: rank, ierr
    integer :: win
    integer, asynchronous :: cells(4), whole
    real, asynchronous :: part
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    whole = 1
    part = 1.0
    bytes = 16
    where = 0
    call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Accumulate(whole, 1, MPI_INTEGER, 1, where, 1, MPI_INTEGER, MPI_SUM, win, ierr)
    else
        call MPI_Accumulate(whole, 1, MPI_INTEGER, 1, where, 1, MPI_INTEGER, MPI_SUM, win, ierr)
    end if
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, cells(1), part
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program accumulate_types
