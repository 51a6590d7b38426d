! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a halo column is put as a subarray type, the owner updates its inner columns in the same epoch (mpi_f08)"}
! The subarray covers column 8, the array section columns 2 to 7 (MPI-4.1 5.1.3, 12.7).
program subarray_halo
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    real(kind(1d0)), asynchronous :: grid(8, 8), edge(8)
    type(MPI_Datatype) :: halo

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    grid = 0
    edge = rank + 1
    call MPI_Type_create_subarray(2, [8, 8], [8, 1], [0, 7], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, halo, ierr)
    call MPI_Type_commit(halo, ierr)
    call MPI_Win_create(grid, 512_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(edge, 8, MPI_DOUBLE_PRECISION, 1, 0_MPI_ADDRESS_KIND, 1, halo, win, ierr)
    else
        grid(3:6, 2:7) = 5
    end if
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, grid(4, 8)
    call MPI_Type_free(halo, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program subarray_halo
