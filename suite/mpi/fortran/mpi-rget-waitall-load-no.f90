! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "two request-based gets, both are waited for before their results are used (use mpi)"}
! MPI_Waitall completes both gets (MPI-4.1 12.3.4).
program rget_waitall
    use mpi
    implicit none
    integer :: rank, ierr
    integer :: win
    integer, asynchronous :: cells(8), low, high
    integer :: requests(2), total
    integer(kind=MPI_ADDRESS_KIND) :: bytes, first, second

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = rank
    low = 0
    high = 0
    total = 0
    bytes = 32
    first = 0
    second = 7
    call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Rget(low, 1, MPI_INTEGER, 1, first, 1, MPI_INTEGER, win, requests(1), ierr)
        call MPI_Rget(high, 1, MPI_INTEGER, 1, second, 1, MPI_INTEGER, win, requests(2), ierr)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
        total = low
        total = total + high
    end if
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, total
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program rget_waitall
