! Implicit solver of a system of five coupled convection-diffusion equations on a grid, in the manner of the block
! tridiagonal solvers of fluid dynamics (NAS BT): each step solves for all five unknowns of a point together, along x,
! then y, then z.
!
! Planes of constant z are shared out among the ranks. The unknowns u(5, nx, ny, 0:nz+1) are window memory: each step
! puts the outermost planes straight into the outer planes of the neighbours. Lines along x and y lie within a rank; a
! line along z is solved within each rank, with the neighbours' values of the last step at its ends, so that the step is
! implicit within a rank and explicit between ranks.
!
! The equations are du/dt = d2u - A du/dx + s, with s chosen such that a known field is the steady state. The distance
! from it must fall, and outer planes must be equal on both sides to the last bit.
!
! Usage: blocks POINTS STEPS      (POINTS x POINTS x POINTS points on each rank, ranks stacked in z)

module grid
    use, intrinsic :: iso_c_binding
    use mpi
    implicit none
    integer, parameter :: dp = kind(1.0d0), unknowns = 5
    integer :: rank, ranks, below, above, error
    integer :: nx, ny, nz
    real(dp) :: spacing, dt
    real(dp), allocatable, target :: u(:, :, :, :)
    real(dp), allocatable :: source(:, :, :, :), rhs(:, :, :, :), exact(:, :, :, :)
    real(dp) :: coupling(unknowns, unknowns)
    integer :: win

contains

    subroutine make_grid(points)
        integer, intent(in) :: points
        integer(kind=MPI_ADDRESS_KIND) :: bytes
        integer :: i, j, k, m

        nx = points
        ny = points
        nz = points
        spacing = 1.0_dp / (points + 1)
        dt = 2.0_dp * spacing
        below = rank - 1
        above = rank + 1
        if (rank == 0) below = MPI_PROC_NULL
        if (rank == ranks - 1) above = MPI_PROC_NULL

        bytes = 8_MPI_ADDRESS_KIND * unknowns * nx * ny * (nz + 2)
        allocate (u(unknowns, nx, ny, 0:nz + 1))
        call MPI_Win_create(u, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
        call MPI_Win_set_name(win, "unknowns", error)
        allocate (source(unknowns, nx, ny, nz), rhs(unknowns, nx, ny, nz))
        allocate (exact(unknowns, 0:nx + 1, 0:ny + 1, 0:nz + 1))

        do j = 1, unknowns
            do i = 1, unknowns
                coupling(i, j) = 0.2_dp / (1 + abs(i - j))
            end do
            coupling(j, j) = 1.0_dp
        end do
        do k = 0, nz + 1
            do j = 0, ny + 1
                do i = 0, nx + 1
                    do m = 1, unknowns
                        exact(m, i, j, k) = field(m, i, j, k + rank * nz)
                    end do
                end do
            end do
        end do
        u = 0
        do k = 0, nz + 1
            if (k == 0 .and. rank > 0) cycle
            if (k == nz + 1 .and. rank < ranks - 1) cycle
            if (k == 0 .or. k == nz + 1) u(:, :, :, k) = exact(:, 1:nx, 1:ny, k)
        end do
        call make_source()
    end subroutine make_grid

    pure function field(m, i, j, k) result(value)
        integer, intent(in) :: m, i, j, k
        real(dp) :: value, x, y, z
        x = i * spacing
        y = j * spacing
        z = k * spacing
        value = 1 + 0.1_dp * m + sin(2 * x + m) * cos(3 * y) + 0.5_dp * z * (1 - x)
    end function field

    ! What the discrete operator makes of the exact field is the source that keeps it.
    subroutine make_source()
        integer :: i, j, k, m, n
        real(dp) :: h2, slope
        h2 = 1 / spacing**2
        do k = 1, nz
            do j = 1, ny
                do i = 1, nx
                    do m = 1, unknowns
                        slope = 0
                        do n = 1, unknowns
                            slope = slope + coupling(m, n) * (exact(n, i + 1, j, k) - exact(n, i - 1, j, k)) &
                                    / (2 * spacing)
                        end do
                        source(m, i, j, k) = slope - h2 * (exact(m, i + 1, j, k) + exact(m, i - 1, j, k) &
                            + exact(m, i, j + 1, k) + exact(m, i, j - 1, k) &
                            + exact(m, i, j, k + 1) + exact(m, i, j, k - 1) - 6 * exact(m, i, j, k))
                    end do
                end do
            end do
        end do
    end subroutine make_source

    ! The outermost planes go to the neighbours.
    subroutine exchange_planes()
        integer :: count
        integer(kind=MPI_ADDRESS_KIND) :: plane
        count = unknowns * nx * ny
        plane = count
        call MPI_Win_fence(0, win, error)
        call MPI_Put(u(1, 1, 1, 1), count, MPI_DOUBLE_PRECISION, below, plane * (nz + 1), count, &
                     MPI_DOUBLE_PRECISION, win, error)
        call MPI_Put(u(1, 1, 1, nz), count, MPI_DOUBLE_PRECISION, above, 0_MPI_ADDRESS_KIND, count, &
                     MPI_DOUBLE_PRECISION, win, error)
        call MPI_Win_fence(0, win, error)
    end subroutine exchange_planes

    ! A neighbour in x or y, which may be the boundary, where the exact field is known.
    pure function near(m, i, j, k) result(value)
        integer, intent(in) :: m, i, j, k
        real(dp) :: value
        if (i < 1 .or. i > nx .or. j < 1 .or. j > ny) then
            value = exact(m, i, j, k)
        else
            value = u(m, i, j, k)
        end if
    end function near

    subroutine make_rhs()
        integer :: i, j, k, m, n
        real(dp) :: h2, slope
        h2 = 1 / spacing**2
        do k = 1, nz
            do j = 1, ny
                do i = 1, nx
                    do m = 1, unknowns
                        slope = 0
                        do n = 1, unknowns
                            slope = slope + coupling(m, n) * (near(n, i + 1, j, k) - near(n, i - 1, j, k)) &
                                    / (2 * spacing)
                        end do
                        rhs(m, i, j, k) = dt * (source(m, i, j, k) - slope + h2 * (near(m, i + 1, j, k) &
                            + near(m, i - 1, j, k) + near(m, i, j + 1, k) + near(m, i, j - 1, k) &
                            + u(m, i, j, k + 1) + u(m, i, j, k - 1) - 6 * u(m, i, j, k)))
                    end do
                end do
            end do
        end do
    end subroutine make_rhs
end module grid

module blocks5
    use grid, only: dp, unknowns
    implicit none

contains

    ! x := inverse(a) x and b := inverse(a) b, by elimination without pivoting: diagonals dominate.
    subroutine eliminate(a, b, x)
        real(dp), intent(inout) :: a(unknowns, unknowns), b(unknowns, unknowns), x(unknowns)
        integer :: row, column, pivot
        real(dp) :: factor
        do pivot = 1, unknowns
            factor = 1 / a(pivot, pivot)
            do column = pivot + 1, unknowns
                a(pivot, column) = a(pivot, column) * factor
            end do
            do column = 1, unknowns
                b(pivot, column) = b(pivot, column) * factor
            end do
            x(pivot) = x(pivot) * factor
            do row = 1, unknowns
                if (row == pivot) cycle
                factor = a(row, pivot)
                do column = pivot + 1, unknowns
                    a(row, column) = a(row, column) - factor * a(pivot, column)
                end do
                do column = 1, unknowns
                    b(row, column) = b(row, column) - factor * b(pivot, column)
                end do
                x(row) = x(row) - factor * x(pivot)
            end do
        end do
    end subroutine eliminate

    ! a := a - l b
    subroutine subtract_product(l, b, a)
        real(dp), intent(in) :: l(unknowns, unknowns), b(unknowns, unknowns)
        real(dp), intent(inout) :: a(unknowns, unknowns)
        integer :: row, column, n
        do column = 1, unknowns
            do n = 1, unknowns
                do row = 1, unknowns
                    a(row, column) = a(row, column) - l(row, n) * b(n, column)
                end do
            end do
        end do
    end subroutine subtract_product

    ! y := y - l x
    subroutine subtract_vector(l, x, y)
        real(dp), intent(in) :: l(unknowns, unknowns), x(unknowns)
        real(dp), intent(inout) :: y(unknowns)
        integer :: row, n
        do n = 1, unknowns
            do row = 1, unknowns
                y(row) = y(row) - l(row, n) * x(n)
            end do
        end do
    end subroutine subtract_vector
end module blocks5

module sweeps
    use grid
    use blocks5
    implicit none
    real(dp), allocatable :: lower(:, :, :), middle(:, :, :), upper(:, :, :), line(:, :)

contains

    subroutine make_workspace()
        integer :: longest
        longest = max(nx, ny, nz)
        allocate (lower(unknowns, unknowns, longest), middle(unknowns, unknowns, longest))
        allocate (upper(unknowns, unknowns, longest), line(unknowns, longest))
    end subroutine make_workspace

    ! The blocks of a line: 1 - dt d2, and with convection along x, dt A d. The couplings also depend on the unknowns, a
    ! little, as in a linearised flow.
    subroutine fill_block(n, here, convects)
        integer, intent(in) :: n
        real(dp), intent(in) :: here(unknowns)
        logical, intent(in) :: convects
        real(dp) :: diffusion, convection, weight
        integer :: row, column
        diffusion = dt / spacing**2
        convection = 0
        if (convects) convection = dt / (2 * spacing)
        do column = 1, unknowns
            weight = 1 + 0.01_dp * here(column) / (1 + here(column)**2)
            do row = 1, unknowns
                lower(row, column, n) = -convection * coupling(row, column) * weight
                upper(row, column, n) = convection * coupling(row, column) * weight
                middle(row, column, n) = 0
            end do
            lower(column, column, n) = lower(column, column, n) - diffusion
            upper(column, column, n) = upper(column, column, n) - diffusion
            middle(column, column, n) = 1 + 2 * diffusion
        end do
    end subroutine fill_block

    subroutine solve_line(length)
        integer, intent(in) :: length
        integer :: n
        do n = 1, length
            if (n > 1) then
                call subtract_vector(lower(:, :, n), line(:, n - 1), line(:, n))
                call subtract_product(lower(:, :, n), upper(:, :, n - 1), middle(:, :, n))
            end if
            call eliminate(middle(:, :, n), upper(:, :, n), line(:, n))
        end do
        do n = length - 1, 1, -1
            call subtract_vector(upper(:, :, n), line(:, n + 1), line(:, n))
        end do
    end subroutine solve_line

    subroutine sweep_x()
        integer :: i, j, k
        do k = 1, nz
            do j = 1, ny
                do i = 1, nx
                    call fill_block(i, u(:, i, j, k), .true.)
                    line(:, i) = rhs(:, i, j, k)
                end do
                call solve_line(nx)
                do i = 1, nx
                    rhs(:, i, j, k) = line(:, i)
                end do
            end do
        end do
    end subroutine sweep_x

    subroutine sweep_y()
        integer :: i, j, k
        do k = 1, nz
            do i = 1, nx
                do j = 1, ny
                    call fill_block(j, u(:, i, j, k), .false.)
                    line(:, j) = rhs(:, i, j, k)
                end do
                call solve_line(ny)
                do j = 1, ny
                    rhs(:, i, j, k) = line(:, j)
                end do
            end do
        end do
    end subroutine sweep_y

    subroutine sweep_z()
        integer :: i, j, k
        do j = 1, ny
            do i = 1, nx
                do k = 1, nz
                    call fill_block(k, u(:, i, j, k), .false.)
                    line(:, k) = rhs(:, i, j, k)
                end do
                call solve_line(nz)
                do k = 1, nz
                    rhs(:, i, j, k) = line(:, k)
                end do
            end do
        end do
    end subroutine sweep_z

    subroutine advance()
        integer :: i, j, k, m
        call exchange_planes()
        call make_rhs()
        call sweep_x()
        call sweep_y()
        call sweep_z()
        do k = 1, nz
            do j = 1, ny
                do i = 1, nx
                    do m = 1, unknowns
                        u(m, i, j, k) = u(m, i, j, k) + rhs(m, i, j, k)
                    end do
                end do
            end do
        end do
    end subroutine advance
end module sweeps

program blocks
    use grid
    use sweeps
    implicit none
    integer :: points, steps, step, status
    real(dp) :: began, seconds, before, after
    logical :: verified

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    points = argument(1, 16)
    steps = argument(2, 10)
    call make_grid(points)
    call make_workspace()

    before = distance()
    call MPI_Barrier(MPI_COMM_WORLD, error)
    began = MPI_Wtime()
    do step = 1, steps
        call advance()
    end do
    seconds = MPI_Wtime() - began
    after = distance()

    call exchange_planes()
    verified = after < before .and. planes_agree()
    status = report(seconds)
    call MPI_Win_free(win, error)
    call MPI_Finalize(error)
    if (status /= 0) error stop 1

contains

    integer function argument(index, otherwise)
        integer, intent(in) :: index, otherwise
        character(len=32) :: word
        argument = otherwise
        if (command_argument_count() >= index) then
            call get_command_argument(index, word)
            read (word, *) argument
        end if
    end function argument

    real(dp) function distance()
        real(dp) :: mine
        integer :: i, j, k, m
        mine = 0
        do k = 1, nz
            do j = 1, ny
                do i = 1, nx
                    do m = 1, unknowns
                        mine = mine + (u(m, i, j, k) - exact(m, i, j, k))**2
                    end do
                end do
            end do
        end do
        call MPI_Allreduce(mine, distance, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
        distance = sqrt(distance)
    end function distance

    logical function planes_agree()
        real(dp) :: theirs(unknowns, nx, ny)
        planes_agree = .true.
        call MPI_Sendrecv(u(1, 1, 1, nz), unknowns * nx * ny, MPI_DOUBLE_PRECISION, above, 0, theirs, &
                          unknowns * nx * ny, MPI_DOUBLE_PRECISION, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        if (below /= MPI_PROC_NULL) planes_agree = all(theirs == u(:, :, :, 0))
    end function planes_agree

    ! The line of measure.h, which C has: the program's part here, the process' by a function of C.
    integer function report(seconds)
        real(dp), intent(in) :: seconds
        interface
            integer(c_int) function measure_report_from_fortran(name, seconds, iterations, bytes, verified) bind(c)
                import :: c_char, c_double, c_int
                character(kind=c_char), intent(in) :: name(*)
                real(c_double), value :: seconds, bytes
                integer(c_int), value :: iterations, verified
            end function measure_report_from_fortran
        end interface
        real(dp) :: bytes
        bytes = 8.0_dp * unknowns * nx * ny * (nz + 2)
        report = measure_report_from_fortran("blocks"//c_null_char, seconds, steps, bytes, merge(1, 0, verified))
    end function report
end program blocks
