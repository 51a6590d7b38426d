! Kinds, constants, and what can be asked of the program: a namelist file, then arguments.
module settings
  use mpi_f08
  implicit none
  private

  integer, parameter, public :: dp = kind(1.0d0)
  real(dp), parameter, public :: pi = 3.14159265358979323846_dp

  integer, parameter, public :: sync_fence = 1, sync_neighbours = 2, sync_locks = 3
  integer, parameter, public :: flow_taylor = 1, flow_random = 2, flow_shear = 3

  type, public :: settings_t
     integer :: nx = 16
     integer :: ny = 16
     integer :: steps = 6
     integer :: report = 2
     integer :: sync = sync_fence
     integer :: flow = flow_taylor
     integer :: mode = 1            ! wave number of the Taylor-Green vortices
     integer :: seed = 11
     real(dp) :: viscosity = 0.02_dp
     real(dp) :: dt = 0.02_dp
     logical :: typed = .true.      ! derived types at the origin, else packed blocks
     logical :: dealias = .true.
     character(len=200) :: spectrum = ''
     character(len=200) :: restart = ''
     character(len=200) :: save = ''
  end type settings_t

  public :: read_settings, check_settings, print_settings, share_settings, fail

contains

  subroutine fail(why)
    character(len=*), intent(in) :: why
    integer :: ierr
    write (*, '(2a)') 'vortex: ', trim(why)
    call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
    stop 3
  end subroutine fail

  subroutine read_namelist(name, s, ok)
    character(len=*), intent(in) :: name
    type(settings_t), intent(inout) :: s
    logical, intent(out) :: ok
    integer :: nx, ny, steps, report, mode, seed, unit, status
    real(dp) :: viscosity, dt
    logical :: typed, dealias
    character(len=20) :: flow, sync
    character(len=200) :: spectrum, restart, save, message
    namelist /run/ nx, ny, steps, report, mode, seed, viscosity, dt, typed, dealias, flow, sync, spectrum, restart, save

    nx = s%nx; ny = s%ny; steps = s%steps; report = s%report; mode = s%mode; seed = s%seed
    viscosity = s%viscosity; dt = s%dt; typed = s%typed; dealias = s%dealias
    flow = ''; sync = ''
    spectrum = s%spectrum; restart = s%restart; save = s%save
    ok = .false.
    open (newunit=unit, file=name, status='old', action='read', iostat=status)
    if (status /= 0) then
       write (*, '(2a)') 'vortex: cannot read ', trim(name)
       return
    end if
    read (unit, nml=run, iostat=status, iomsg=message)
    close (unit)
    if (status /= 0) then
       write (*, '(4a)') 'vortex: ', trim(name), ': ', trim(message)
       return
    end if
    s%nx = nx; s%ny = ny; s%steps = steps; s%report = report; s%mode = mode; s%seed = seed
    s%viscosity = viscosity; s%dt = dt; s%typed = typed; s%dealias = dealias
    s%spectrum = spectrum; s%restart = restart; s%save = save
    ok = .true.
    if (flow /= '') call set_flow(trim(flow), s, ok)
    if (ok .and. sync /= '') call set_sync(trim(sync), s, ok)
  end subroutine read_namelist

  subroutine set_flow(name, s, ok)
    character(len=*), intent(in) :: name
    type(settings_t), intent(inout) :: s
    logical, intent(out) :: ok
    ok = .true.
    select case (name)
    case ('taylor'); s%flow = flow_taylor
    case ('random'); s%flow = flow_random
    case ('shear'); s%flow = flow_shear
    case default
       write (*, '(2a)') 'vortex: no such flow: ', name
       ok = .false.
    end select
  end subroutine set_flow

  subroutine set_sync(name, s, ok)
    character(len=*), intent(in) :: name
    type(settings_t), intent(inout) :: s
    logical, intent(out) :: ok
    ok = .true.
    select case (name)
    case ('fence'); s%sync = sync_fence
    case ('pscw'); s%sync = sync_neighbours
    case ('locks'); s%sync = sync_locks
    case default
       write (*, '(2a)') 'vortex: no such synchronisation: ', name
       ok = .false.
    end select
  end subroutine set_sync

  subroutine to_integer(option, text, value, ok)
    character(len=*), intent(in) :: option, text
    integer, intent(out) :: value
    logical, intent(out) :: ok
    integer :: status
    value = 0
    status = 1
    if (len_trim(text) > 0) then
       if (verify(trim(text), '+-0123456789') == 0) read (text, *, iostat=status) value
    end if
    ok = status == 0
    if (.not. ok) write (*, '(4a)') 'vortex: ', option, ' needs a whole number, not ', trim(text)
  end subroutine to_integer

  subroutine to_real(option, text, value, ok)
    character(len=*), intent(in) :: option, text
    real(dp), intent(out) :: value
    logical, intent(out) :: ok
    integer :: status
    value = 0.0_dp
    status = 1
    if (len_trim(text) > 0) read (text, *, iostat=status) value
    ok = status == 0
    if (.not. ok) write (*, '(4a)') 'vortex: ', option, ' needs a number, not ', trim(text)
  end subroutine to_real

  ! On rank 0 only. verdict 0: go on; 1: help was asked for; 2: wrong.
  subroutine read_settings(s, verdict)
    type(settings_t), intent(inout) :: s
    integer, intent(out) :: verdict
    integer :: i, n
    logical :: ok
    character(len=200) :: option, text

    verdict = 0
    n = command_argument_count()
    i = 1
    do while (i <= n)
       call get_command_argument(i, option)
       select case (option)
       case ('-h', '--help')
          write (*, '(a)') 'usage: vortex [-f NAMELIST] [-n POINTS] [-x NX] [-y NY] [-s STEPS] [-r REPORT] [-d DT]'
          write (*, '(a)') '              [-v VISCOSITY] [-m MODE] [-w taylor|random|shear] [-c fence|pscw|locks] [-p]'
          write (*, '(a)') '              [-o SPECTRUM] [-l RESTART] [-k SAVE]'
          verdict = 1
          return
       case ('-p')
          s%typed = .false.
          i = i + 1
          cycle
       end select
       if (i == n) then
          write (*, '(3a)') 'vortex: ', trim(option), ' needs a value, or is unknown; see --help'
          verdict = 2
          return
       end if
       call get_command_argument(i + 1, text)
       ok = .true.
       select case (option)
       case ('-f'); call read_namelist(trim(text), s, ok)
       case ('-n')
          call to_integer('-n', text, s%nx, ok)
          s%ny = s%nx
       case ('-x'); call to_integer('-x', text, s%nx, ok)
       case ('-y'); call to_integer('-y', text, s%ny, ok)
       case ('-s'); call to_integer('-s', text, s%steps, ok)
       case ('-r'); call to_integer('-r', text, s%report, ok)
       case ('-m'); call to_integer('-m', text, s%mode, ok)
       case ('-d'); call to_real('-d', text, s%dt, ok)
       case ('-v'); call to_real('-v', text, s%viscosity, ok)
       case ('-w'); call set_flow(trim(text), s, ok)
       case ('-c'); call set_sync(trim(text), s, ok)
       case ('-o'); s%spectrum = text
       case ('-l'); s%restart = text
       case ('-k'); s%save = text
       case default
          write (*, '(2a)') 'vortex: no such option: ', trim(option)
          ok = .false.
       end select
       if (.not. ok) then
          verdict = 2
          return
       end if
       i = i + 2
    end do
  end subroutine read_settings

  logical function only_small_factors(n)
    integer, intent(in) :: n
    integer :: rest, p
    rest = n
    do p = 2, 5
       do while (mod(rest, p) == 0 .and. rest > 1)
          rest = rest / p
       end do
    end do
    only_small_factors = rest == 1
  end function only_small_factors

  subroutine check_settings(s, ranks, ok)
    type(settings_t), intent(in) :: s
    integer, intent(in) :: ranks
    logical, intent(out) :: ok
    ok = .true.
    if (s%nx < 4 .or. s%ny < 4 .or. s%nx > 16384 .or. s%ny > 16384) then
       write (*, '(a)') 'vortex: 4 to 16384 points a direction'
       ok = .false.
       return
    end if
    if (.not. only_small_factors(s%nx) .or. .not. only_small_factors(s%ny)) then
       write (*, '(a)') 'vortex: numbers of points must be products of 2, 3 and 5'
       ok = .false.
    end if
    if (min(s%nx, s%ny) < ranks) then
       write (*, '(a, i0, a)') 'vortex: too few points for ', ranks, ' ranks'
       ok = .false.
    end if
    if (s%steps < 0 .or. s%dt <= 0.0_dp .or. s%viscosity < 0.0_dp) then
       write (*, '(a)') 'vortex: steps, step length and viscosity cannot be negative'
       ok = .false.
    end if
    if (s%mode < 1 .or. 3 * s%mode > min(s%nx, s%ny)) then
       write (*, '(a)') 'vortex: the wave number is not resolved'
       ok = .false.
    end if
  end subroutine check_settings

  subroutine print_settings(s, ranks)
    type(settings_t), intent(in) :: s
    integer, intent(in) :: ranks
    character(len=6), parameter :: flows(3) = ['taylor', 'random', 'shear ']
    character(len=5), parameter :: syncs(3) = ['fence', 'pscw ', 'locks']
    write (*, '(a, i0, a, i0, a, i0, 5a, i0, a, es9.2, a, es9.2)') 'vortex on ', ranks, ' ranks: ', s%nx, ' x ', s%ny, &
         ' points, ', trim(flows(s%flow)), ', ', trim(syncs(s%sync)), ', ', s%steps, ' steps of ', s%dt, &
         ', viscosity ', s%viscosity
  end subroutine print_settings

  ! All ranks get what rank 0 has read.
  subroutine share_settings(s, comm)
    type(settings_t), intent(inout) :: s
    type(MPI_Comm), intent(in) :: comm
    integer :: numbers(8), flags(2), ierr
    real(dp) :: values(2)
    numbers = [s%nx, s%ny, s%steps, s%report, s%sync, s%flow, s%mode, s%seed]
    flags = [merge(1, 0, s%typed), merge(1, 0, s%dealias)]
    values = [s%viscosity, s%dt]
    call MPI_Bcast(numbers, 8, MPI_INTEGER, 0, comm, ierr)
    call MPI_Bcast(flags, 2, MPI_INTEGER, 0, comm, ierr)
    call MPI_Bcast(values, 2, MPI_DOUBLE_PRECISION, 0, comm, ierr)
    call MPI_Bcast(s%spectrum, len(s%spectrum), MPI_CHARACTER, 0, comm, ierr)
    call MPI_Bcast(s%restart, len(s%restart), MPI_CHARACTER, 0, comm, ierr)
    call MPI_Bcast(s%save, len(s%save), MPI_CHARACTER, 0, comm, ierr)
    s%nx = numbers(1); s%ny = numbers(2); s%steps = numbers(3); s%report = numbers(4)
    s%sync = numbers(5); s%flow = numbers(6); s%mode = numbers(7); s%seed = numbers(8)
    s%typed = flags(1) == 1; s%dealias = flags(2) == 1
    s%viscosity = values(1); s%dt = values(2)
  end subroutine share_settings

end module settings
