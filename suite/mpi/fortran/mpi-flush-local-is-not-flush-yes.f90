! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@22", "STORE@27"], "NPROCS": 2, "DESCRIPTION": "MPI_Win_flush_local does not complete the put at the target (use mpi)"}
! After flush_local the origin buffer is free, but the target may still be written (MPI-4.1
! 12.5.4, 12.7).
program flush_local
    use mpi
    implicit none
    integer :: rank, ierr
    integer :: win
    integer, asynchronous :: cells(4), value
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 3
    bytes = 16
    where = 1
    call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(value, 1, MPI_INTEGER, 1, where, 1, MPI_INTEGER, win, ierr)
        call MPI_Win_flush_local(1, win, ierr)
        value = 4
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 1) cells(2) = 9
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, value
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program flush_local
