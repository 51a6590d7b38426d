! What the receivers hear: a table of times and receivers on process 0, into which the owners put.
module traces
  use kinds
  use rows
  use survey
  use waves
  use mpi_f08
  implicit none
  private
  public :: traces_t

  type :: traces_t
     type(layout_t) :: layout
     type(station_t), allocatable :: receivers(:)
     type(MPI_Win) :: window, counter_window
     real(dp), allocatable :: table(:, :)                    ! time, receiver
     integer :: counter(16) = 0                              ! samples that have come; one is used
     integer :: steps = 0, sent = 0
   contains
     procedure :: begin
     procedure :: record
     procedure :: collect
     procedure :: write_file
     procedure :: finish
  end type traces_t

contains

  subroutine begin(self, layout, stations, steps)
    class(traces_t), intent(inout), target :: self
    type(layout_t), intent(in) :: layout
    class(survey_t), intent(in) :: stations
    integer, intent(in) :: steps
    integer(MPI_ADDRESS_KIND) :: bytes
    self%layout = layout
    self%steps = steps
    self%receivers = stations .of. 'R'
    if (layout%rank == 0) then
       allocate (self%table(steps, size(self%receivers)), source=0.0_dp)
    else
       allocate (self%table(0, 0))
    end if
    bytes = size(self%table, kind=MPI_ADDRESS_KIND) * 8
    call MPI_Win_create(self%table, bytes, 8, MPI_INFO_NULL, layout%comm, self%window)
    bytes = merge(64, 0, layout%rank == 0)
    call MPI_Win_create(self%counter, bytes, 4, MPI_INFO_NULL, layout%comm, self%counter_window)
  end subroutine begin

  subroutine record(self, wave)
    class(traces_t), intent(inout) :: self
    class(wave_t), intent(in) :: wave
    real(dp), asynchronous :: pressure
    integer(MPI_ADDRESS_KIND) :: place
    integer :: i
    integer, asynchronous :: one
    one = 1
    do i = 1, size(self%receivers)
       if (.not. wave%at(self%receivers(i), pressure)) cycle
       place = int(i - 1, MPI_ADDRESS_KIND) * self%steps + wave%step - 1
       call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, self%window)
       call MPI_Put(pressure, 1, MPI_DOUBLE_PRECISION, 0, place, 1, MPI_DOUBLE_PRECISION, self%window)
       call MPI_Win_unlock(0, self%window)
       call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, self%counter_window)
       call MPI_Accumulate(one, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, self%counter_window)
       call MPI_Win_unlock(0, self%counter_window)
       self%sent = self%sent + 1
    end do
  end subroutine record

  ! Every process gets the whole table; good if all samples have come.
  logical function collect(self, all) result(good)
    class(traces_t), intent(inout) :: self
    real(dp), allocatable, asynchronous, intent(out) :: all(:, :)
    integer, asynchronous :: come, none
    integer :: sent
    call MPI_Barrier(self%layout%comm)
    allocate (all(self%steps, size(self%receivers)))
    none = 0
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, self%window)
    call MPI_Get(all, size(all), MPI_DOUBLE_PRECISION, 0, 0_MPI_ADDRESS_KIND, size(all), MPI_DOUBLE_PRECISION, &
         self%window)
    call MPI_Win_unlock(0, self%window)
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, self%counter_window)
    call MPI_Get_accumulate(none, 1, MPI_INTEGER, come, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, &
         MPI_NO_OP, self%counter_window)
    call MPI_Win_unlock(0, self%counter_window)
    call MPI_Allreduce(self%sent, sent, 1, MPI_INTEGER, MPI_SUM, self%layout%comm)
    good = come == sent .and. sent == self%steps * size(self%receivers)
  end function collect

  subroutine write_file(self, path, dt)
    class(traces_t), intent(in) :: self
    character(len=*), intent(in) :: path
    real(dp), intent(in) :: dt
    character(len=40) :: form
    integer :: unit, status, step
    if (self%layout%rank /= 0) return
    open (newunit=unit, file=path, status='replace', action='write', iostat=status)
    if (status /= 0) call stop_all('cannot write', path)
    write (form, '(a, i0, a)') '(f10.5, ', size(self%receivers), 'es14.6)'
    write (unit, '("# time", *(1x, a))') self%receivers%name
    do step = 1, self%steps
       write (unit, form) step * dt, self%table(step, :)
    end do
    close (unit)
  end subroutine write_file

  subroutine finish(self)
    class(traces_t), intent(inout) :: self
    call MPI_Win_free(self%window)
    call MPI_Win_free(self%counter_window)
  end subroutine finish

end module traces
