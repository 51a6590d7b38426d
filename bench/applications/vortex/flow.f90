! Two-dimensional flow in a periodic square: the vorticity equation, pseudo-spectral, second-order Runge-Kutta with an
! exact factor for viscosity.
module flow
  use mpi_f08
  use settings
  use fourier
  use transposes
  implicit none
  private

  type, public :: flow_t
     type(layout_t) :: layout
     type(transposer_t) :: transposer
     type(plan_t) :: plan_x, plan_y
     complex(dp), allocatable :: vorticity(:, :) ! spectral, (ny, mx)
     complex(dp), allocatable :: stage(:, :), rate(:, :)
     complex(dp), allocatable :: spectral(:, :), physical(:, :), turned(:, :)
     real(dp), allocatable :: u(:, :), v(:, :), wx(:, :), wy(:, :) ! physical, (nx, my)
     real(dp), allocatable :: kx(:), ky(:)
     logical, allocatable :: kept(:, :)
     real(dp) :: viscosity = 0.0_dp
     real(dp) :: time = 0.0_dp
     integer :: step = 0
  end type flow_t

  public :: make_flow, free_flow, start_flow, advance, to_physical, to_spectral, energy_of, enstrophy_of, exact_error
  public :: energy_spectrum, save_flow, load_flow

contains

  real(dp) function wave_number(i, n)
    integer, intent(in) :: i, n
    wave_number = real(merge(i, i - n, 2 * i <= n), dp)
  end function wave_number

  subroutine make_flow(f, s, comm)
    type(flow_t), intent(inout) :: f
    type(settings_t), intent(in) :: s
    type(MPI_Comm), intent(in) :: comm
    integer :: i, j
    call make_layout(f%layout, s, comm)
    call make_transposer(f%transposer, f%layout, s)
    call make_plan(f%plan_x, s%nx)
    call make_plan(f%plan_y, s%ny)
    associate (l => f%layout)
      allocate (f%vorticity(l%ny, l%mx), f%stage(l%ny, l%mx), f%rate(l%ny, l%mx), f%spectral(l%ny, l%mx))
      allocate (f%physical(l%nx, l%my), f%turned(l%nx, l%my))
      allocate (f%u(l%nx, l%my), f%v(l%nx, l%my), f%wx(l%nx, l%my), f%wy(l%nx, l%my))
      allocate (f%kx(l%mx), f%ky(l%ny), f%kept(l%ny, l%mx))
      do i = 1, l%mx
         f%kx(i) = wave_number(l%x0(l%rank) + i - 1, l%nx)
      end do
      do j = 1, l%ny
         f%ky(j) = wave_number(j - 1, l%ny)
      end do
      do i = 1, l%mx
         do j = 1, l%ny
            f%kept(j, i) = .not. s%dealias .or. (3 * abs(f%kx(i)) < l%nx .and. 3 * abs(f%ky(j)) < l%ny)
         end do
      end do
    end associate
    f%viscosity = s%viscosity
  end subroutine make_flow

  subroutine free_flow(f)
    type(flow_t), intent(inout) :: f
    call free_transposer(f%transposer)
  end subroutine free_flow

  ! From spectral columns to values on rows.
  subroutine to_physical(f, from, values)
    type(flow_t), intent(inout) :: f
    complex(dp), intent(in) :: from(:, :)
    real(dp), intent(out) :: values(:, :)
    integer :: i
    f%spectral = from
    do i = 1, f%layout%mx
       call transform(f%plan_y, f%spectral(:, i), 1)
    end do
    call columns_to_rows(f%transposer, f%layout, f%spectral, f%physical)
    do i = 1, f%layout%my
       call transform(f%plan_x, f%physical(:, i), 1)
    end do
    values = real(f%physical, dp)
  end subroutine to_physical

  subroutine to_spectral(f, values, to)
    type(flow_t), intent(inout) :: f
    real(dp), intent(in) :: values(:, :)
    complex(dp), intent(out) :: to(:, :)
    integer :: i
    f%turned = cmplx(values, 0.0_dp, dp)
    do i = 1, f%layout%my
       call transform(f%plan_x, f%turned(:, i), -1)
    end do
    call rows_to_columns(f%transposer, f%layout, f%turned, to)
    do i = 1, f%layout%mx
       call transform(f%plan_y, to(:, i), -1)
    end do
  end subroutine to_spectral

  real(dp) function chance(a, b, seed)
    integer, intent(in) :: a, b, seed
    integer(8) :: h
    h = int(a, 8) * 73856093_8 + int(b, 8) * 19349663_8 + int(seed, 8) * 83492791_8 + 12345_8
    h = ieor(h, ishft(h, -13))
    h = mod(h * 1103515245_8 + 12345_8, 2147483648_8)
    h = mod(ieor(h, ishft(h, -7)) * 69069_8 + 1_8, 2147483648_8)
    chance = real(abs(h), dp) / 2147483648.0_dp
  end function chance

  subroutine start_flow(f, s)
    type(flow_t), intent(inout) :: f
    type(settings_t), intent(in) :: s
    integer :: x, y
    real(dp) :: px, py, w
    associate (l => f%layout)
      do y = 1, l%my
         py = 2.0_dp * pi * (l%y0(l%rank) + y - 1) / l%ny
         do x = 1, l%nx
            px = 2.0_dp * pi * (x - 1) / l%nx
            select case (s%flow)
            case (flow_taylor)
               w = 2.0_dp * s%mode * cos(s%mode * px) * cos(s%mode * py)
            case (flow_shear)
               w = 0.05_dp * cos(px)
               if (py <= pi) then
                  w = w - 2.0_dp / cosh(4.0_dp * (py - 0.5_dp * pi))**2
               else
                  w = w + 2.0_dp / cosh(4.0_dp * (1.5_dp * pi - py))**2
               end if
            case default
               w = chance(x, l%y0(l%rank) + y, s%seed) - 0.5_dp
            end select
            f%wx(x, y) = w
         end do
      end do
      call to_spectral(f, f%wx, f%vorticity)
      where (.not. f%kept) f%vorticity = (0.0_dp, 0.0_dp)
      ! The mean vorticity of a periodic flow is zero.
      if (l%x0(l%rank) == 0) f%vorticity(1, 1) = (0.0_dp, 0.0_dp)
    end associate
    f%time = 0.0_dp
    f%step = 0
  end subroutine start_flow

  ! rate = -(u w_x + v w_y), spectral.
  subroutine nonlinear(f, w)
    type(flow_t), intent(inout) :: f
    complex(dp), intent(in) :: w(:, :)
    integer :: i, j, what
    real(dp) :: k2
    complex(dp), parameter :: im = (0.0_dp, 1.0_dp)
    do what = 1, 4
       do i = 1, f%layout%mx
          do j = 1, f%layout%ny
             k2 = f%kx(i)**2 + f%ky(j)**2
             if (k2 < 0.5_dp) k2 = 1.0_dp
             select case (what)
             case (1); f%rate(j, i) = im * f%ky(j) * w(j, i) / k2
             case (2); f%rate(j, i) = -im * f%kx(i) * w(j, i) / k2
             case (3); f%rate(j, i) = im * f%kx(i) * w(j, i)
             case (4); f%rate(j, i) = im * f%ky(j) * w(j, i)
             end select
          end do
       end do
       select case (what)
       case (1); call to_physical(f, f%rate, f%u)
       case (2); call to_physical(f, f%rate, f%v)
       case (3); call to_physical(f, f%rate, f%wx)
       case (4); call to_physical(f, f%rate, f%wy)
       end select
    end do
    f%u = -(f%u * f%wx + f%v * f%wy)
    call to_spectral(f, f%u, f%rate)
    where (.not. f%kept) f%rate = (0.0_dp, 0.0_dp)
  end subroutine nonlinear

  subroutine advance(f, dt)
    type(flow_t), intent(inout) :: f
    real(dp), intent(in) :: dt
    integer :: i, j
    real(dp) :: decay
    call nonlinear(f, f%vorticity)
    do i = 1, f%layout%mx
       do j = 1, f%layout%ny
          decay = exp(-0.5_dp * dt * f%viscosity * (f%kx(i)**2 + f%ky(j)**2))
          f%stage(j, i) = decay * (f%vorticity(j, i) + 0.5_dp * dt * f%rate(j, i))
       end do
    end do
    call nonlinear(f, f%stage)
    do i = 1, f%layout%mx
       do j = 1, f%layout%ny
          decay = exp(-0.5_dp * dt * f%viscosity * (f%kx(i)**2 + f%ky(j)**2))
          f%vorticity(j, i) = decay * (decay * f%vorticity(j, i) + dt * f%rate(j, i))
       end do
    end do
    f%time = f%time + dt
    f%step = f%step + 1
  end subroutine advance

  real(dp) function weighted(f, power)
    type(flow_t), intent(in) :: f
    integer, intent(in) :: power ! of the squared wave number that vorticities are divided by
    real(dp) :: mine, k2, scale
    integer :: i, j, ierr
    mine = 0.0_dp
    scale = 0.5_dp / (real(f%layout%nx, dp) * f%layout%ny)**2
    do i = 1, f%layout%mx
       do j = 1, f%layout%ny
          k2 = f%kx(i)**2 + f%ky(j)**2
          if (k2 > 0.0_dp) mine = mine + scale * abs(f%vorticity(j, i))**2 / k2**power
       end do
    end do
    call MPI_Allreduce(mine, weighted, 1, MPI_DOUBLE_PRECISION, MPI_SUM, f%layout%comm, ierr)
  end function weighted

  real(dp) function energy_of(f)
    type(flow_t), intent(in) :: f
    energy_of = weighted(f, 1)
  end function energy_of

  real(dp) function enstrophy_of(f)
    type(flow_t), intent(in) :: f
    enstrophy_of = weighted(f, 0)
  end function enstrophy_of

  ! The largest difference to the decaying Taylor-Green vortices.
  real(dp) function exact_error(f, s)
    type(flow_t), intent(inout) :: f
    type(settings_t), intent(in) :: s
    real(dp) :: px, py, w, mine
    integer :: x, y, ierr
    call to_physical(f, f%vorticity, f%wx)
    mine = 0.0_dp
    do y = 1, f%layout%my
       py = 2.0_dp * pi * (f%layout%y0(f%layout%rank) + y - 1) / f%layout%ny
       do x = 1, f%layout%nx
          px = 2.0_dp * pi * (x - 1) / f%layout%nx
          w = 2.0_dp * s%mode * cos(s%mode * px) * cos(s%mode * py)
          w = w * exp(-2.0_dp * s%mode**2 * s%viscosity * f%time)
          mine = max(mine, abs(w - f%wx(x, y)))
       end do
    end do
    call MPI_Allreduce(mine, exact_error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, f%layout%comm, ierr)
  end function exact_error

  ! Energy by shells of wave numbers, accumulated in a window of rank 0. The result is on rank 0.
  subroutine energy_spectrum(f, shells)
    type(flow_t), intent(in) :: f
    real(dp), allocatable, intent(out) :: shells(:)
    real(dp), allocatable, asynchronous :: mine(:), board(:)
    real(dp) :: k, scale
    integer :: i, j, n, shell, ierr
    type(MPI_Win) :: window
    integer(MPI_ADDRESS_KIND) :: bytes, zero
    n = max(f%layout%nx, f%layout%ny)
    allocate (mine(0:n), board(0:n), shells(0:n))
    mine = 0.0_dp
    board = 0.0_dp
    scale = 0.5_dp / (real(f%layout%nx, dp) * f%layout%ny)**2
    do i = 1, f%layout%mx
       do j = 1, f%layout%ny
          k = sqrt(f%kx(i)**2 + f%ky(j)**2)
          if (k < 0.5_dp) cycle
          shell = nint(k)
          mine(shell) = mine(shell) + scale * abs(f%vorticity(j, i))**2 / k**2
       end do
    end do
    bytes = 0
    zero = 0
    if (f%layout%rank == 0) bytes = int(n + 1, MPI_ADDRESS_KIND) * 8
    call MPI_Win_create(board, bytes, 8, MPI_INFO_NULL, f%layout%comm, window, ierr)
    call MPI_Win_set_name(window, 'spectrum', ierr)
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window, ierr)
    call MPI_Accumulate(mine, n + 1, MPI_DOUBLE_PRECISION, 0, zero, n + 1, MPI_DOUBLE_PRECISION, MPI_SUM, window, ierr)
    call MPI_Win_unlock(0, window, ierr)
    call MPI_Win_free(window, ierr)
    shells = board
  end subroutine energy_spectrum

  ! The vorticity as a file, fetched by rank 0 from a window of each rank.
  subroutine save_flow(f, name)
    type(flow_t), intent(inout) :: f
    character(len=*), intent(in) :: name
    complex(dp), allocatable, asynchronous :: whole(:, :)
    integer :: r, n, unit, status, ierr
    type(MPI_Win) :: window
    integer(MPI_ADDRESS_KIND) :: bytes, zero
    zero = 0
    bytes = int(size(f%vorticity), MPI_ADDRESS_KIND) * 16
    call MPI_Win_create(f%vorticity, bytes, 16, MPI_INFO_NULL, f%layout%comm, window, ierr)
    call MPI_Win_set_name(window, 'vorticity', ierr)
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, window, ierr)
    allocate (whole(f%layout%ny, merge(f%layout%nx, 1, f%layout%rank == 0)))
    if (f%layout%rank == 0) then
       do r = 0, f%layout%ranks - 1
          n = (f%layout%x0(r + 1) - f%layout%x0(r)) * f%layout%ny
          call MPI_Get(whole(1, f%layout%x0(r) + 1), n, MPI_DOUBLE_COMPLEX, r, zero, n, &
               MPI_DOUBLE_COMPLEX, window, ierr)
       end do
    end if
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, ierr)
    call MPI_Win_free(window, ierr)
    if (f%layout%rank == 0) then
       open (newunit=unit, file=name, form='unformatted', status='replace', action='write', iostat=status)
       if (status /= 0) call fail('cannot write '//name)
       write (unit) f%layout%nx, f%layout%ny, f%step, f%time
       write (unit) whole
       close (unit)
    end if
    deallocate (whole)
  end subroutine save_flow

  subroutine load_flow(f, name)
    type(flow_t), intent(inout) :: f
    character(len=*), intent(in) :: name
    complex(dp), allocatable, asynchronous :: whole(:, :)
    integer :: nx, ny, unit, status, ierr
    type(MPI_Win) :: window
    integer(MPI_ADDRESS_KIND) :: bytes, place
    bytes = 0
    allocate (whole(f%layout%ny, merge(f%layout%nx, 1, f%layout%rank == 0)))
    if (f%layout%rank == 0) then
       open (newunit=unit, file=name, form='unformatted', status='old', action='read', iostat=status)
       if (status /= 0) call fail('cannot read '//name)
       read (unit, iostat=status) nx, ny, f%step, f%time
       if (status /= 0 .or. nx /= f%layout%nx .or. ny /= f%layout%ny) call fail(name//' is not of this size')
       read (unit, iostat=status) whole
       if (status /= 0) call fail(name//' is cut off')
       close (unit)
       bytes = int(size(whole), MPI_ADDRESS_KIND) * 16
    end if
    call MPI_Bcast(f%step, 1, MPI_INTEGER, 0, f%layout%comm, ierr)
    call MPI_Bcast(f%time, 1, MPI_DOUBLE_PRECISION, 0, f%layout%comm, ierr)
    call MPI_Win_create(whole, bytes, 16, MPI_INFO_NULL, f%layout%comm, window, ierr)
    place = int(f%layout%x0(f%layout%rank), MPI_ADDRESS_KIND) * f%layout%ny
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window, ierr)
    call MPI_Get(f%vorticity, size(f%vorticity), MPI_DOUBLE_COMPLEX, 0, place, size(f%vorticity), MPI_DOUBLE_COMPLEX, &
         window, ierr)
    call MPI_Win_unlock(0, window, ierr)
    call MPI_Win_free(window, ierr)
    deallocate (whole)
  end subroutine load_flow

end module flow
