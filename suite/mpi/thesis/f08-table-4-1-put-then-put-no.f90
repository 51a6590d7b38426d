! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put, then a put on the same local variable: allowed"}
! Both read, or the access of the program is over before the operation begins (Ait Kaci 2022, Table 4.1; the
! program in C is in the topic table).
program f08_table_4_1_put_then_put_no
    use mpi_f08
    implicit none
    integer :: rank
    integer, asynchronous :: cells(2), buf, seen
    type(MPI_Win) :: win

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    buf = 1
    seen = 0
    cells = 3 + 2 * rank
    call MPI_Win_create(cells, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)

    call MPI_Win_lock_all(0, win)
    if (rank == 0) then
        call MPI_Put(buf, 1, MPI_INTEGER, 1, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
        call MPI_Put(buf, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
    end if
    call MPI_Win_unlock_all(win)

    print *, rank, buf, seen
    call MPI_Win_free(win)
    call MPI_Finalize()
end program f08_table_4_1_put_then_put_no
