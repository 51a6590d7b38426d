! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Compare_and_swap@23", "STORE@24"], "NPROCS": 2, "DESCRIPTION": "the compare buffer of MPI_Compare_and_swap is assigned before the flush (mpi_f08)"}
! The operation may read its compare buffer until the flush (MPI-4.1 12.3.5).
program compare_and_swap
    use, intrinsic :: iso_c_binding, only: c_ptr
    use mpi_f08
    implicit none
    integer :: rank, ierr
    integer, asynchronous :: mine, free, before
    type(c_ptr) :: base
    type(MPI_Win) :: win

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    mine = rank + 1
    free = 0
    before = -1
    call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(free, 1, MPI_INTEGER, rank, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    call MPI_Compare_and_swap(mine, free, before, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, win, ierr)
    free = -1
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, before, free
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program compare_and_swap
