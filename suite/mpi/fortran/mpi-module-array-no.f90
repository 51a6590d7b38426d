! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a module procedure stores to a module array that is a window after the put's fence (use mpi)"}
! The fence completes the put before the procedure is called (MPI-4.1 12.5.1).
module state
    implicit none
    integer, asynchronous, save :: levels(0:31) = 0
contains
    subroutine raise(first, last)
        integer, intent(in) :: first, last
        integer :: i
        do i = first, last
            levels(i) = levels(i) + 1
        end do
    end subroutine raise
end module state

program module_array
    use mpi
    use state
    implicit none
    integer :: rank, ierr, win
    integer, asynchronous :: value
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    value = 50
    bytes = 4 * size(levels)
    where = 20
    call MPI_Win_create(levels, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(value, 1, MPI_INTEGER, 1, where, 1, MPI_INTEGER, win, ierr)
    end if
    call MPI_Win_fence(0, win, ierr)
    if (rank == 1) call raise(18, 22)
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, levels(20)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program module_array
