! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "flush and barrier between put and load (mpi_f08)"}
! The flush completes the put, the barrier orders it before the load (MPI-4.1 12.5.4, 12.7).
program flush_barrier
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: cells(4), value
    integer :: seen

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 3
    seen = 0
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(value, 1, MPI_INTEGER, 1, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
        call MPI_Win_flush(1, win, ierr)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 1) seen = cells(2)
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, seen
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program flush_barrier
