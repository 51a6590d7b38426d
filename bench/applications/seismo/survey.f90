! A survey: sources and receivers, from a file in columns, or one that is made up.
module survey
  use kinds
  implicit none
  private
  public :: survey_t, station_t

  type :: station_t
     character(len=8) :: name = ''
     character(len=1) :: kind = ' '        ! S or R
     real(dp) :: x = 0, z = 0
     integer :: from_step = 0
   contains
     procedure :: is_source
     procedure :: write_line
  end type station_t

  type :: survey_t
     type(station_t), allocatable :: stations(:)
   contains
     procedure :: read_file
     procedure :: make_up
     procedure :: count_of
     procedure :: selected
     procedure, private :: add
     generic :: operator(.of.) => selected
  end type survey_t

  ! Name, kind, x, z, first step.
  character(len=*), parameter :: columns = '(a8, 1x, a1, 2f10.3, i6)'

contains

  pure logical function is_source(self)
    class(station_t), intent(in) :: self
    is_source = self%kind == 'S'
  end function is_source

  subroutine write_line(self, unit)
    class(station_t), intent(in) :: self
    integer, intent(in) :: unit
    write (unit, columns) self%name, self%kind, self%x, self%z, self%from_step
  end subroutine write_line

  subroutine add(self, station)
    class(survey_t), intent(inout) :: self
    type(station_t), intent(in) :: station
    if (.not. allocated(self%stations)) allocate (self%stations(0))
    self%stations = [self%stations, station]
  end subroutine add

  subroutine read_file(self, path)
    class(survey_t), intent(inout) :: self
    character(len=*), intent(in) :: path
    type(station_t) :: station
    character(len=80) :: line
    character(len=12) :: place
    integer :: unit, status, number

    open (newunit=unit, file=path, status='old', action='read', form='formatted', iostat=status)
    if (status /= 0) call stop_all('cannot read the survey', path)
    number = 0
    do
       read (unit, '(a)', iostat=status) line
       if (status /= 0) exit
       number = number + 1
       if (line == '' .or. line(1:1) == '#') cycle
       read (line, columns, iostat=status) station%name, station%kind, station%x, station%z, station%from_step
       write (place, '("line ", i0)') number
       if (status /= 0) call stop_all('a line of the survey has other columns', place)
       if (index('SR', station%kind) == 0) call stop_all('a station is S or R', place)
       call self%add(station)
    end do
    close (unit)
    if (.not. allocated(self%stations)) call stop_all('the survey is empty', path)
  end subroutine read_file

  subroutine make_up(self, width, depth, receivers)
    class(survey_t), intent(inout) :: self
    real(dp), intent(in) :: width, depth
    integer, intent(in) :: receivers
    type(station_t) :: station
    integer :: i
    call self%add(station_t('shot', 'S', 0.5_dp * width, 0.3_dp * depth, 0))
    do i = 1, receivers
       station = station_t(kind='R', x=width * i / (receivers + 1), z=depth * mod(i, 3) / 3 + 1, from_step=0)
       write (station%name, '("r", i3.3)') i
       call self%add(station)
    end do
  end subroutine make_up

  pure integer function count_of(self, kind)
    class(survey_t), intent(in) :: self
    character(len=1), intent(in) :: kind
    count_of = count(self%stations%kind == kind)
  end function count_of

  pure function selected(self, kind) result(stations)
    class(survey_t), intent(in) :: self
    character(len=1), intent(in) :: kind
    type(station_t), allocatable :: stations(:)
    stations = pack(self%stations, self%stations%kind == kind)
  end function selected

end module survey
