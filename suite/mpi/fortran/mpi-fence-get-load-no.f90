! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the result of a get is used after the fence (use mpi)"}
! The fence completes the get (MPI-4.1 12.5.1).
program get_load
    use mpi
    implicit none
    integer :: rank, ierr
    integer :: win
    double precision, asynchronous :: field(10), copy(3)
    double precision :: total
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    field = rank + 0.5d0
    copy = 0
    total = 0
    bytes = 8 * size(field)
    where = 4
    call MPI_Win_create(field, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Get(copy, 3, MPI_DOUBLE_PRECISION, 1, where, 3, MPI_DOUBLE_PRECISION, win, ierr)
    end if
    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) total = sum(copy)
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, total
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program get_load
