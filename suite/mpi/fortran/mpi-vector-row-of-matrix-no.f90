! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a row of a matrix is put as a vector type, the owner stores to the gap between its elements (use mpi)"}
! The put writes row 2; row 3 lies in the gaps of the vector (MPI-4.1 5.1, 12.7).
program vector_row
    use mpi
    implicit none
    integer :: rank, ierr
    integer :: win
    double precision, asynchronous :: matrix(6, 5), row(5)
    integer :: row_type
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    matrix = 0
    row = rank + 1
    bytes = 8 * size(matrix)
    where = 1
    call MPI_Type_vector(5, 1, 6, MPI_DOUBLE_PRECISION, row_type, ierr)
    call MPI_Type_commit(row_type, ierr)
    call MPI_Win_create(matrix, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(row, 5, MPI_DOUBLE_PRECISION, 1, where, 1, row_type, win, ierr)
    else
        matrix(3, 4) = -1
    end if
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, matrix(2, 4)
    call MPI_Type_free(row_type, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program vector_row
