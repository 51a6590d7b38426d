! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner sums its window after the fence that completes the accumulates (mpi_f08)"}
! The accumulates of both processes are compatible, and the fence completes them (MPI-4.1 12.7.1,
! 12.5.1).
program accumulate_load
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: counts(16), ones(16)
    integer :: total

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    counts = 0
    ones = 1
    total = 0
    call MPI_Win_create(counts, 64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    call MPI_Accumulate(ones, 16, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 16, MPI_INTEGER, MPI_SUM, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    if (rank == 1) total = sum(counts)
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, total
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program accumulate_load
