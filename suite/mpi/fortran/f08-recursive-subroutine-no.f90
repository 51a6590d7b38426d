! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a recursive subroutine puts at its deepest level, the target stores after the fence (mpi_f08)"}
! The fence completes the put before the store (MPI-4.1 12.5.1).
program recursive_put
    use mpi_f08
    implicit none
    integer :: rank, ierr
    integer, asynchronous, save :: cells(4) = 0, value = 6
    type(MPI_Win) :: win

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) call descend(5)
    call MPI_Win_fence(0, win, ierr)
    if (rank == 1) cells(1) = 7
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, cells(1)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)

contains

    recursive subroutine descend(depth)
        integer, intent(in) :: depth
        if (depth > 0) then
            call descend(depth - 1)
        else
            call MPI_Put(value, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
        end if
    end subroutine descend
end program recursive_put
