! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@18", "STORE@19"], "NPROCS": 3, "DESCRIPTION": "three processes on a ring put into their neighbour's array, which the neighbour stores to (mpi_f08)"}
! Every process stores to the element that its lower neighbour puts to, in one epoch (MPI-4.1
! 12.7).
program ring
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: cells(6), value

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = rank
    call MPI_Win_create(cells, 24_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(value, 1, MPI_INTEGER, mod(rank + 1, 3), 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    cells(4:5) = -1
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, cells(4)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program ring
