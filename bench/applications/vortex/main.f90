! vortex: two-dimensional incompressible flow by a pseudo-spectral method, with transposes by one-sided puts.
!
! Check: the transform equals its definition; back and forth is the identity; the Taylor-Green vortices decay as known;
! other flows lose energy only by viscosity.
program vortex
  use mpi_f08
  use settings
  use fourier
  use transposes
  use flow
  implicit none

  type(settings_t) :: s
  type(flow_t) :: f
  integer :: rank, ranks, verdict, ierr, step, k, unit, status
  logical :: ok, good
  real(dp) :: energy, energy_before, enstrophy, error, round_trip, definition, expected, began, seconds
  real(dp), allocatable :: shells(:)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  verdict = 0
  if (rank == 0) then
     call read_settings(s, verdict)
     if (verdict == 0) then
        call check_settings(s, ranks, ok)
        if (.not. ok) verdict = 2
     end if
  end if
  call MPI_Bcast(verdict, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (verdict /= 0) then
     call MPI_Finalize(ierr)
     if (verdict == 1) stop
     stop 2
  end if
  call share_settings(s, MPI_COMM_WORLD)
  if (rank == 0) call print_settings(s, ranks)

  call make_flow(f, s, MPI_COMM_WORLD)
  definition = compare_with_definition(s%nx) + compare_with_definition(s%ny)
  round_trip = go_and_return()
  if (s%restart /= '') then
     call load_flow(f, trim(s%restart))
  else
     call start_flow(f, s)
  end if
  energy_before = energy_of(f)
  expected = energy_before
  began = MPI_Wtime()
  do step = 1, s%steps
     ! The balance of energy: dE/dt = -2 viscosity enstrophy, by the trapezoidal rule.
     enstrophy = enstrophy_of(f)
     call advance(f, s%dt)
     expected = expected - s%dt * s%viscosity * (enstrophy + enstrophy_of(f))
     if (s%report > 0) then
        if (mod(f%step, s%report) == 0) then
           energy = energy_of(f)
           if (rank == 0) write (*, '(a, i6, a, f9.4, a, es16.9, a, es16.9)') 'step ', f%step, '  t ', f%time, &
                '  energy ', energy, '  enstrophy ', enstrophy
        end if
     end if
  end do
  seconds = MPI_Wtime() - began
  energy = energy_of(f)

  error = 0.0_dp
  if (s%flow == flow_taylor) error = exact_error(f, s)
  call energy_spectrum(f, shells)
  if (s%save /= '') call save_flow(f, trim(s%save))
  good = definition < 1e-9_dp .and. round_trip < 1e-12_dp .and. error < 1e-10_dp
  good = good .and. abs(energy - expected) < 2e-3_dp * energy_before
  if (rank == 0) then
     if (.not. abs(sum(shells) - energy) < 1e-12_dp * energy_before) good = .false.
     if (s%spectrum /= '') then
        open (newunit=unit, file=trim(s%spectrum), status='replace', action='write', iostat=status)
        if (status /= 0) call fail('cannot write '//trim(s%spectrum))
        do k = 1, ubound(shells, 1)
           write (unit, '(i6, es20.12)') k, shells(k)
        end do
        close (unit)
     end if
     write (*, '(i0, a, i0, a, f8.3, a)') s%steps, ' steps, ', f%transposer%count, ' transposes, ', seconds, ' s'
  end if
  call MPI_Bcast(good, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) write (*, '(a, es9.2, a, es9.2, a, es9.2, a, es9.2, 2a)') 'check: transform ', definition, &
       ', round trip ', round_trip, ', vortices ', error, ', energy balance ', &
       (energy - expected) / energy_before, ': ', merge('passed', 'FAILED', good)
  call free_flow(f)
  call MPI_Finalize(ierr)
  if (.not. good) stop 1

contains

  real(dp) function compare_with_definition(n)
    integer, intent(in) :: n
    type(plan_t) :: plan
    complex(dp) :: line(n), fast(n), slow(n)
    integer :: i
    call make_plan(plan, n)
    do i = 1, n
       line(i) = cmplx(sin(0.7_dp * i), cos(1.3_dp * i * i), dp)
    end do
    fast = line
    call transform(plan, fast, -1)
    call direct_transform(line, slow)
    compare_with_definition = maxval(abs(fast - slow))
    call transform(plan, fast, 1)
    compare_with_definition = compare_with_definition + maxval(abs(fast - line))
  end function compare_with_definition

  real(dp) function go_and_return()
    real(dp), allocatable :: values(:, :), again(:, :)
    real(dp) :: mine
    integer :: x, y
    allocate (values(f%layout%nx, f%layout%my), again(f%layout%nx, f%layout%my))
    do y = 1, f%layout%my
       do x = 1, f%layout%nx
          values(x, y) = sin(0.3_dp * x) + cos(0.9_dp * (f%layout%y0(rank) + y))
       end do
    end do
    call to_spectral(f, values, f%vorticity)
    call to_physical(f, f%vorticity, again)
    mine = maxval(abs(values - again))
    call MPI_Allreduce(mine, go_and_return, 1, MPI_DOUBLE_PRECISION, MPI_MAX, f%layout%comm, ierr)
  end function go_and_return

end program vortex
