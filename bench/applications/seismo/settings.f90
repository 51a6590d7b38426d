! What can be set: arguments `name=value`, or a file of such lines after `@`.
module settings
  use kinds
  use mpi_f08
  implicit none
  private
  public :: settings_t

  type :: settings_t
     integer :: nx = 24, nz = 20
     integer :: steps = 12
     integer :: receivers = 4
     integer :: snapshot = 0              ! every so many steps; 0: never
     real(dp) :: spacing = 10, dt = 0.001_dp, frequency = 25
     character(len=16) :: halo = 'fence', medium = 'layers', edge = 'fixed'
     character(len=name_length) :: survey = '', output = ''
   contains
     procedure :: read_arguments
     procedure :: check
     procedure :: share
     procedure :: print
     procedure, private :: set
     procedure, private :: read_file
  end type settings_t

contains

  subroutine read_arguments(self)
    class(settings_t), intent(inout) :: self
    character(len=200) :: word
    integer :: i, length, status
    do i = 1, command_argument_count()
       call get_command_argument(i, word, length, status)
       if (status /= 0) call stop_all('an argument is too long')
       if (word(1:1) == '@') then
          call self%read_file(trim(word(2:)))
       else
          call self%set(trim(word))
       end if
    end do
  end subroutine read_arguments

  recursive subroutine read_file(self, path)
    class(settings_t), intent(inout) :: self
    character(len=*), intent(in) :: path
    character(len=200) :: line
    integer :: unit, status, comment
    open (newunit=unit, file=path, status='old', action='read', iostat=status)
    if (status /= 0) call stop_all('cannot read', path)
    do
       read (unit, '(a)', iostat=status) line
       if (status /= 0) exit
       comment = index(line, '!')
       if (comment > 0) line(comment:) = ' '
       if (len_trim(line) > 0) call self%set(trim(adjustl(line)))
    end do
    close (unit)
  end subroutine read_file

  subroutine set(self, word)
    class(settings_t), intent(inout) :: self
    character(len=*), intent(in) :: word
    character(len=:), allocatable :: name, text
    integer :: sign, status
    sign = index(word, '=')
    if (sign < 2) call stop_all('not name=value', word)
    name = lower(trim(word(:sign - 1)))
    text = trim(adjustl(word(sign + 1:)))
    if (text == '') call stop_all('no value', word)
    status = 0
    select case (name)
    case ('nx')
       read (text, *, iostat=status) self%nx
    case ('nz')
       read (text, *, iostat=status) self%nz
    case ('steps')
       read (text, '(i8)', iostat=status) self%steps
    case ('receivers')
       read (text, '(i8)', iostat=status) self%receivers
    case ('snapshot')
       read (text, '(i8)', iostat=status) self%snapshot
    case ('spacing')
       read (text, '(f12.0)', iostat=status) self%spacing
    case ('dt')
       read (text, '(f12.0)', iostat=status) self%dt
    case ('frequency')
       read (text, *, iostat=status) self%frequency
    case ('halo')
       self%halo = lower(text)
    case ('medium')
       self%medium = lower(text)
    case ('edge')
       self%edge = lower(text)
    case ('survey')
       self%survey = text
    case ('output')
       self%output = text
    case default
       call stop_all('no such setting', name)
    end select
    if (status /= 0) call stop_all('not a number', word)
  end subroutine set

  subroutine check(self, ranks)
    class(settings_t), intent(in) :: self
    integer, intent(in) :: ranks
    if (self%nx < 4) call stop_all('nx is 4 and more')
    if (self%nz < 2 * ranks) call stop_all('too many processes for the rows')
    if (self%steps < 1 .or. self%receivers < 1) call stop_all('steps and receivers are 1 and more')
    if (self%spacing <= 0 .or. self%dt <= 0 .or. self%frequency <= 0) call stop_all('sizes are positive')
    if (.not. any(self%halo == [character(len=16) :: 'fence', 'post', 'lock'])) call stop_all('no such halo', self%halo)
    if (.not. any(self%medium == [character(len=16) :: 'even', 'layers', 'salt'])) &
         call stop_all('no such medium', self%medium)
    if (.not. any(self%edge == [character(len=16) :: 'fixed', 'sponge'])) call stop_all('no such edge', self%edge)
  end subroutine check

  subroutine share(self, comm)
    class(settings_t), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer :: numbers(5)
    real(dp) :: reals(3)
    numbers = [self%nx, self%nz, self%steps, self%receivers, self%snapshot]
    reals = [self%spacing, self%dt, self%frequency]
    call MPI_Bcast(numbers, 5, MPI_INTEGER, 0, comm)
    call MPI_Bcast(reals, 3, MPI_DOUBLE_PRECISION, 0, comm)
    call MPI_Bcast(self%halo, len(self%halo), MPI_CHARACTER, 0, comm)
    call MPI_Bcast(self%medium, len(self%medium), MPI_CHARACTER, 0, comm)
    call MPI_Bcast(self%edge, len(self%edge), MPI_CHARACTER, 0, comm)
    call MPI_Bcast(self%survey, len(self%survey), MPI_CHARACTER, 0, comm)
    call MPI_Bcast(self%output, len(self%output), MPI_CHARACTER, 0, comm)
    self%nx = numbers(1); self%nz = numbers(2); self%steps = numbers(3)
    self%receivers = numbers(4); self%snapshot = numbers(5)
    self%spacing = reals(1); self%dt = reals(2); self%frequency = reals(3)
  end subroutine share

  subroutine print(self, ranks)
    class(settings_t), intent(in) :: self
    integer, intent(in) :: ranks
    write (*, '(a, i0, a, i0, a, i0, a, i0, a)') 'seismo: ', self%nx, ' x ', self%nz, ' nodes, ', self%steps, &
         ' steps, ', ranks, ' processes'
    write (*, '(3(a, 1x, a, :, ", "))') 'halo', trim(self%halo), 'medium', trim(self%medium), 'edge', trim(self%edge)
  end subroutine print

end module settings
