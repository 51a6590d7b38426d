! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "MPI_Win_unlock after MPI_Win_lock (use mpi)"}
! Lock and unlock form an epoch (MPI-4.1 12.5.3).
program unlock_alone
    use mpi
    implicit none
    integer :: rank, ierr
    integer :: win
    integer, asynchronous :: cells(4)
    integer(kind=MPI_ADDRESS_KIND) :: bytes

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    bytes = 16
    call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)

    if (rank == 0) then
        call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win, ierr)
        call MPI_Win_unlock(1, win, ierr)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)

    print *, 'rank', rank, 'done'
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program unlock_alone
