! What is computed: materials, layers, source; read from a file and from arguments.
module problem
  use mpi
  implicit none
  private

  integer, parameter, public :: dp = kind(1.0d0)
  integer, parameter, public :: long = selected_int_kind(18)
  integer, parameter, public :: max_groups = 8, max_materials = 8, max_layers = 32

  type, public :: material_t
     character(len=16) :: name = ''
     real(dp) :: absorption(max_groups) = 0.0_dp
     real(dp) :: scatter(max_groups, max_groups) = 0.0_dp ! from, to
  end type material_t

  type, public :: problem_t
     integer :: groups = 2
     integer :: materials = 0
     type(material_t) :: material(max_materials)
     integer :: layers = 0
     real(dp) :: edge(0:max_layers) = 0.0_dp
     integer :: filling(max_layers) = 0
     integer(long) :: histories = 2000
     integer :: chunk = 50
     integer :: cells = 20      ! of the flux tally
     integer :: seed = 1
     integer :: lookup = 64     ! points of the shared table
     logical :: beam = .false.  ! normal to the slab, else isotropic
     logical :: verify = .true.
     logical :: static = .false. ! no stealing
     logical :: verbose = .false.
  end type problem_t

  public :: standard_problem, read_arguments, check_problem, share_problem, die

contains

  subroutine die(why)
    character(len=*), intent(in) :: why
    integer :: ierr
    write (*, '(2a)') 'shield: ', trim(why)
    call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
    stop 4
  end subroutine die

  ! Water, then iron, then water; two groups.
  subroutine standard_problem(p)
    type(problem_t), intent(out) :: p
    p%groups = 2
    p%materials = 2
    p%material(1)%name = 'water'
    p%material(1)%absorption(1:2) = [0.02_dp, 0.30_dp]
    p%material(1)%scatter(1, 1:2) = [0.40_dp, 0.35_dp]
    p%material(1)%scatter(2, 1:2) = [0.00_dp, 0.90_dp]
    p%material(2)%name = 'iron'
    p%material(2)%absorption(1:2) = [0.05_dp, 0.60_dp]
    p%material(2)%scatter(1, 1:2) = [0.70_dp, 0.05_dp]
    p%material(2)%scatter(2, 1:2) = [0.00_dp, 0.80_dp]
    p%layers = 3
    p%edge(0:3) = [0.0_dp, 1.0_dp, 2.0_dp, 3.0_dp]
    p%filling(1:3) = [1, 2, 1]
  end subroutine standard_problem

  integer function find_material(p, name)
    type(problem_t), intent(in) :: p
    character(len=*), intent(in) :: name
    integer :: i
    find_material = 0
    do i = 1, p%materials
       if (p%material(i)%name == name) find_material = i
    end do
  end function find_material

  ! Lines of the form
  !   groups 2
  !   material NAME
  !   absorption 0.1 0.2
  !   scatter 1 0.4 0.3        (from group 1 to all groups)
  !   layer NAME 2.5           (its thickness)
  ! A # begins a comment.
  subroutine read_file(name, p, ok)
    character(len=*), intent(in) :: name
    type(problem_t), intent(inout) :: p
    logical, intent(out) :: ok
    character(len=400) :: line, word, rest
    integer :: unit, status, number, hash, from, which, gap
    real(dp) :: thickness

    ok = .false.
    open (newunit=unit, file=name, status='old', action='read', iostat=status)
    if (status /= 0) then
       write (*, '(2a)') 'shield: cannot read ', name
       return
    end if
    p%materials = 0
    p%layers = 0
    number = 0
    do
       read (unit, '(a)', iostat=status) line
       if (status /= 0) exit
       number = number + 1
       hash = index(line, '#')
       if (hash > 0) line(hash:) = ' '
       line = adjustl(line)
       if (line == '') cycle
       gap = index(line, ' ')
       word = line(1:gap - 1)
       rest = adjustl(line(gap:))
       status = 0
       select case (word)
       case ('groups')
          read (rest, *, iostat=status) p%groups
          if (status == 0 .and. (p%groups < 1 .or. p%groups > max_groups)) status = 1
       case ('material')
          if (p%materials == max_materials) then
             status = 1
          else
             p%materials = p%materials + 1
             p%material(p%materials) = material_t(name=trim(rest))
          end if
       case ('absorption')
          if (p%materials == 0) then
             status = 1
          else
             read (rest, *, iostat=status) p%material(p%materials)%absorption(1:p%groups)
          end if
       case ('scatter')
          if (p%materials == 0) then
             status = 1
          else
             read (rest, *, iostat=status) from
             if (status == 0 .and. (from < 1 .or. from > p%groups)) status = 1
             if (status == 0) read (rest, *, iostat=status) from, p%material(p%materials)%scatter(from, 1:p%groups)
          end if
       case ('layer')
          read (rest, *, iostat=status) word, thickness
          which = find_material(p, trim(word))
          if (which == 0 .or. p%layers == max_layers .or. .not. thickness > 0.0_dp) status = 1
          if (status == 0) then
             p%layers = p%layers + 1
             p%edge(p%layers) = p%edge(p%layers - 1) + thickness
             p%filling(p%layers) = which
          end if
       case default
          status = 1
       end select
       if (status /= 0) then
          write (*, '(3a, i0, 2a)') 'shield: ', name, ':', number, ': cannot be understood: ', trim(line)
          close (unit)
          return
       end if
    end do
    close (unit)
    ok = .true.
  end subroutine read_file

  subroutine whole(option, text, low, high, value, ok)
    character(len=*), intent(in) :: option, text
    integer, intent(in) :: low, high
    integer, intent(out) :: value
    logical, intent(out) :: ok
    integer :: status
    value = low
    status = 1
    if (len_trim(text) > 0 .and. verify(trim(text), '0123456789') == 0) read (text, *, iostat=status) value
    ok = status == 0 .and. value >= low .and. value <= high
    if (.not. ok) write (*, '(3a, i0, a, i0)') 'shield: ', option, ': expected a number from ', low, ' to ', high
  end subroutine whole

  subroutine usage()
    write (*, '(a)') 'usage: shield [-i FILE] [-n HISTORIES] [-c CHUNK] [-m CELLS] [-s SEED] [-t TABLE] '// &
         '[-b] [-a] [-f] [-q] [-v]'
    write (*, '(a)') '  -b  a beam normal to the slab     -a  purely absorbing: scattering becomes absorption'
    write (*, '(a)') '  -f  fixed shares, no stealing     -q  no serial verification     -v  more output'
  end subroutine usage

  ! On rank 0. verdict 0: go on; 1: help; 2: wrong.
  subroutine read_arguments(p, verdict)
    type(problem_t), intent(inout) :: p
    integer, intent(out) :: verdict
    integer :: i, n, value, m, g
    character(len=256) :: option, text
    logical :: ok, absorbing
    verdict = 0
    absorbing = .false.
    i = 1
    n = command_argument_count()
    do while (i <= n)
       call get_command_argument(i, option)
       ok = .true.
       text = ''
       if (i < n) call get_command_argument(i + 1, text)
       select case (option)
       case ('-h', '--help')
          call usage()
          verdict = 1
          return
       case ('-b'); p%beam = .true.
       case ('-a'); absorbing = .true.
       case ('-f'); p%static = .true.
       case ('-q'); p%verify = .false.
       case ('-v'); p%verbose = .true.
       case ('-i')
          call read_file(trim(text), p, ok)
          i = i + 1
       case ('-n')
          call whole('-n', text, 1, 2000000000, value, ok)
          p%histories = value
          i = i + 1
       case ('-c')
          call whole('-c', text, 1, 1000000, p%chunk, ok)
          i = i + 1
       case ('-m')
          call whole('-m', text, 1, 10000, p%cells, ok)
          i = i + 1
       case ('-s')
          call whole('-s', text, 0, 1000000000, p%seed, ok)
          i = i + 1
       case ('-t')
          call whole('-t', text, 2, 1000000, p%lookup, ok)
          i = i + 1
       case default
          write (*, '(2a)') 'shield: no such option: ', trim(option)
          call usage()
          ok = .false.
       end select
       if (.not. ok) then
          verdict = 2
          return
       end if
       i = i + 1
    end do
    if (absorbing) then
       do m = 1, p%materials
          do g = 1, p%groups
             p%material(m)%absorption(g) = p%material(m)%absorption(g) + sum(p%material(m)%scatter(g, 1:p%groups))
             p%material(m)%scatter(g, :) = 0.0_dp
          end do
       end do
    end if
  end subroutine read_arguments

  subroutine check_problem(p, ranks, ok)
    type(problem_t), intent(in) :: p
    integer, intent(in) :: ranks
    logical, intent(out) :: ok
    integer :: m, g
    ok = .true.
    if (p%layers == 0) then
       write (*, '(a)') 'shield: there are no layers'
       ok = .false.
    end if
    if (p%histories < ranks) then
       write (*, '(a, i0, a)') 'shield: fewer histories than the ', ranks, ' ranks'
       ok = .false.
    end if
    do m = 1, p%materials
       do g = 1, p%groups
          if (p%material(m)%absorption(g) < 0.0_dp .or. any(p%material(m)%scatter(g, 1:p%groups) < 0.0_dp)) then
             write (*, '(3a)') 'shield: ', trim(p%material(m)%name), ' has a negative cross section'
             ok = .false.
          end if
          if (.not. p%material(m)%absorption(g) > 0.0_dp) then
             write (*, '(3a)') 'shield: ', trim(p%material(m)%name), ' does not absorb: histories might not end'
             ok = .false.
          end if
       end do
    end do
  end subroutine check_problem

  ! Everything as one array of integers: numbers as they are, reals by their bits, names not at all.
  subroutine share_problem(p, comm)
    type(problem_t), intent(inout) :: p
    integer, intent(in) :: comm
    integer(long), allocatable :: letter(:)
    integer :: ierr, at, m, g, h
    allocate (letter(16 + max_materials * max_groups * (max_groups + 1) + 2 * max_layers + 1))
    letter(1:9) = [int(p%groups, long), int(p%materials, long), int(p%layers, long), p%histories, int(p%chunk, long), &
         int(p%cells, long), int(p%seed, long), int(p%lookup, long), 0_long]
    letter(10:13) = merge(1_long, 0_long, [p%beam, p%verify, p%static, p%verbose])
    at = 16
    do m = 1, max_materials
       do g = 1, max_groups
          at = at + 1
          letter(at) = transfer(p%material(m)%absorption(g), letter(1))
          do h = 1, max_groups
             at = at + 1
             letter(at) = transfer(p%material(m)%scatter(g, h), letter(1))
          end do
       end do
    end do
    do m = 0, max_layers
       at = at + 1
       letter(at) = transfer(p%edge(m), letter(1))
    end do
    do m = 1, max_layers
       at = at + 1
       letter(at) = p%filling(m)
    end do
    call MPI_Bcast(letter, at, MPI_INTEGER8, 0, comm, ierr)
    p%groups = int(letter(1)); p%materials = int(letter(2)); p%layers = int(letter(3)); p%histories = letter(4)
    p%chunk = int(letter(5)); p%cells = int(letter(6)); p%seed = int(letter(7)); p%lookup = int(letter(8))
    p%beam = letter(10) == 1; p%verify = letter(11) == 1; p%static = letter(12) == 1; p%verbose = letter(13) == 1
    at = 16
    do m = 1, max_materials
       do g = 1, max_groups
          at = at + 1
          p%material(m)%absorption(g) = transfer(letter(at), 0.0_dp)
          do h = 1, max_groups
             at = at + 1
             p%material(m)%scatter(g, h) = transfer(letter(at), 0.0_dp)
          end do
       end do
    end do
    do m = 0, max_layers
       at = at + 1
       p%edge(m) = transfer(letter(at), 0.0_dp)
    end do
    do m = 1, max_layers
       at = at + 1
       p%filling(m) = int(letter(at))
    end do
  end subroutine share_problem

end module problem
