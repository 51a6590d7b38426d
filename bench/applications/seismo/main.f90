! seismo: waves of pressure through a section of rock, with sources and receivers.
!
! Check: the receivers hear what they hear in a run of one process, all samples have come, and the picture of the whole
! field is that of the run of one process.
program seismo
  use kinds
  use settings
  use rows
  use survey
  use waves
  use traces
  use pictures
  use mpi_f08
  implicit none

  type(settings_t) :: s
  type(survey_t) :: stations
  type(wave_t) :: wave
  type(traces_t) :: heard
  type(picture_t) :: picture
  type(MPI_Comm) :: comm
  type(layout_t) :: layout
  integer :: rank, ranks, step
  logical :: good
  real(dp) :: difference, mine, energy, least, most, row
  real(dp), allocatable, asynchronous :: all(:, :)

  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_rank(comm, rank)
  call MPI_Comm_size(comm, ranks)
  if (rank == 0) then
     call s%read_arguments()
     call s%check(ranks)
     call s%print(ranks)
  end if
  call s%share(comm)
  call prepare_survey()

  layout = make_layout(comm, s%nx, s%nz)
  call wave%begin(s, layout, stations)
  call heard%begin(layout, stations, s%steps)
  call picture%begin(layout)
  do step = 1, s%steps
     call wave%advance()
     call heard%record(wave)
     if (s%snapshot > 0) then
        if (mod(step, s%snapshot) == 0) then
           call picture%take(wave)
           if (rank == 0) then
              call picture%spread(least, most, row)
              write (*, '("step ", i5, 2es12.4, f9.3)') step, least, most, row
           end if
        end if
     end if
  end do
  good = heard%collect(all)
  call picture%take(wave)
  mine = wave%now%energy()
  call MPI_Allreduce(mine, energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
  if (s%output /= '') call heard%write_file(trim(s%output), s%dt)

  difference = compared()
  call MPI_Allreduce(MPI_IN_PLACE, difference, 1, MPI_DOUBLE_PRECISION, MPI_MAX, comm)
  call MPI_Allreduce(MPI_IN_PLACE, good, 1, MPI_LOGICAL, MPI_LAND, comm)
  good = good .and. difference < 1e-12_dp
  if (rank == 0) then
     write (*, '(a, i0, a, i0, a, es10.3)') 'receivers ', stations%count_of('R'), ', samples ', size(all), &
          ', energy ', energy
     write (*, '(a, es9.2, 2a)') 'check: difference ', difference, ': ', merge('passed', 'FAILED', good)
  end if
  call wave%finish()
  call heard%finish()
  call picture%finish()
  call MPI_Comm_free(comm)
  call MPI_Finalize()
  if (.not. good) error stop 1

contains

  ! Process 0 reads, and the others get lines of text.
  subroutine prepare_survey()
    character(len=36), allocatable :: lines(:)
    character(len=36) :: line
    integer :: count, i, status
    if (s%survey == '') then
       call stations%make_up((s%nx - 1) * s%spacing, (s%nz - 1) * s%spacing, s%receivers)
       return
    end if
    if (rank == 0) then
       call stations%read_file(trim(s%survey))
       count = size(stations%stations)
    end if
    call MPI_Bcast(count, 1, MPI_INTEGER, 0, comm)
    allocate (lines(count))
    if (rank == 0) then
       do i = 1, count
          write (lines(i), '(a8, 1x, a1, 2f10.3, i6)') stations%stations(i)%name, stations%stations(i)%kind, &
               stations%stations(i)%x, stations%stations(i)%z, stations%stations(i)%from_step
       end do
    end if
    call MPI_Bcast(lines, 36 * count, MPI_CHARACTER, 0, comm)
    if (rank == 0) return
    allocate (stations%stations(count))
    do i = 1, count
       line = lines(i)
       read (line, '(a8, 1x, a1, 2f10.3, i6)', iostat=status) stations%stations(i)%name, stations%stations(i)%kind, &
            stations%stations(i)%x, stations%stations(i)%z, stations%stations(i)%from_step
       if (status /= 0) call stop_all('a station has not come as it was')
    end do
  end subroutine prepare_survey

  ! The same on one process: the largest difference of what was heard, and of the last picture.
  real(dp) function compared()
    type(wave_t) :: alone
    type(settings_t) :: same
    type(station_t), allocatable :: receivers(:)
    real(dp) :: pressure
    integer :: step, i
    same = s
    same%halo = 'fence'
    call alone%begin(same, make_layout(MPI_COMM_SELF, s%nx, s%nz), stations)
    receivers = stations .of. 'R'
    compared = 0
    do step = 1, s%steps
       call alone%advance()
       do i = 1, size(receivers)
          if (alone%at(receivers(i), pressure)) compared = max(compared, abs(pressure - all(step, i)))
       end do
    end do
    if (rank == 0) compared = max(compared, maxval(abs(picture%whole - alone%now%values(:, 1:s%nz))))
    call alone%finish()
  end function compared

end program seismo
