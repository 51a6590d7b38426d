! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Fetch_and_op@19", "LOAD@20"], "NPROCS": 2, "DESCRIPTION": "the result of MPI_Fetch_and_op is used before the flush (mpi_f08)"}
! The result buffer may be written until the flush (MPI-4.1 12.3.5).
program fetch_and_op
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: counter(4), one, ticket
    integer :: mine

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    counter = 0
    one = 1
    ticket = -1
    call MPI_Win_create(counter, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    call MPI_Fetch_and_op(one, ticket, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, MPI_SUM, win, ierr)
    mine = 10 * ticket
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, mine
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program fetch_and_op
