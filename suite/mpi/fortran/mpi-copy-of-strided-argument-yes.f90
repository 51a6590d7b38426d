! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@11", "free@31"], "NPROCS": 2, "DESCRIPTION": "the compiler copies a strided argument, and gives the copy back before the put is complete"}
! MPI-4.1 19.1.12: copies of arguments end with the call.
module blocks
    use mpi
    implicit none
contains
    subroutine put_block(win, values)
        integer, intent(in) :: win
        double precision, intent(in) :: values(8)
        integer :: ierr
        call MPI_Put(values, 8, MPI_DOUBLE_PRECISION, 1, 0_MPI_ADDRESS_KIND, 8, MPI_DOUBLE_PRECISION, win, ierr)
    end subroutine put_block
end module blocks

program copy_of_argument
    use mpi
    use blocks
    implicit none
    double precision, allocatable :: wide(:, :)
    double precision, asynchronous :: cells(8)
    integer :: win, rank, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    allocate (wide(8, 8))
    cells = 0
    wide = rank + 1
    call MPI_Win_create(cells, 64_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) call put_block(win, wide(2, :)) ! free of the copy
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, sum(cells)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program copy_of_argument
