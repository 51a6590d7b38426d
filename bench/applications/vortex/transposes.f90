! Two slab layouts, and transposes between them with puts into windows.
!
!   rows:    a(nx, my)  all x for some y: physical space
!   columns: b(ny, mx)  all y for some x: spectral space
!
! Each rank puts to each other rank the block that both share, into a window that only receives.
module transposes
  use mpi_f08
  use settings
  implicit none
  private

  type, public :: layout_t
     type(MPI_Comm) :: comm = MPI_COMM_NULL
     integer :: rank = 0, ranks = 1
     integer :: nx = 0, ny = 0
     integer :: mx = 0, my = 0           ! mine
     integer, allocatable :: x0(:), y0(:) ! first x and y of each rank, from 0; one more at the end
  end type layout_t

  type, public :: transposer_t
     integer :: sync = sync_fence
     logical :: typed = .true.
     type(MPI_Win) :: window = MPI_WIN_NULL
     type(MPI_Group) :: group = MPI_GROUP_NULL
     complex(dp), allocatable :: inbox(:)     ! window memory
     complex(dp), allocatable :: packed(:)
     type(MPI_Datatype), allocatable :: block_out(:), block_back(:) ! types of the blocks for each rank
     integer :: count = 0
  end type transposer_t

  public :: make_layout, make_transposer, free_transposer, rows_to_columns, columns_to_rows

contains

  subroutine make_layout(l, s, comm)
    type(layout_t), intent(out) :: l
    type(settings_t), intent(in) :: s
    type(MPI_Comm), intent(in) :: comm
    integer :: r, ierr
    l%comm = comm
    call MPI_Comm_rank(comm, l%rank, ierr)
    call MPI_Comm_size(comm, l%ranks, ierr)
    l%nx = s%nx
    l%ny = s%ny
    allocate (l%x0(0:l%ranks), l%y0(0:l%ranks))
    do r = 0, l%ranks
       l%x0(r) = s%nx * r / l%ranks
       l%y0(r) = s%ny * r / l%ranks
    end do
    l%mx = l%x0(l%rank + 1) - l%x0(l%rank)
    l%my = l%y0(l%rank + 1) - l%y0(l%rank)
  end subroutine make_layout

  subroutine make_transposer(t, l, s)
    type(transposer_t), intent(inout) :: t
    type(layout_t), intent(in) :: l
    type(settings_t), intent(in) :: s
    integer :: r, ierr, room
    integer(MPI_ADDRESS_KIND) :: bytes
    t%sync = s%sync
    t%typed = s%typed
    room = max(l%nx * l%my, l%ny * l%mx)
    allocate (t%inbox(room), t%packed(room))
    t%inbox = (0.0_dp, 0.0_dp)
    bytes = int(room, MPI_ADDRESS_KIND) * 16
    call MPI_Win_create(t%inbox, bytes, 16, MPI_INFO_NULL, l%comm, t%window, ierr)
    if (ierr /= MPI_SUCCESS) call fail('cannot make the window of the transposes')
    call MPI_Win_set_name(t%window, 'inbox', ierr)
    call MPI_Comm_group(l%comm, t%group, ierr)
    allocate (t%block_out(0:l%ranks - 1), t%block_back(0:l%ranks - 1))
    do r = 0, l%ranks - 1
       ! out: rows x0(r)+1 .. x0(r+1) of each of my columns of a; back: rows y0(r)+1 .. y0(r+1) of b.
       call MPI_Type_vector(l%my, l%x0(r + 1) - l%x0(r), l%nx, MPI_DOUBLE_COMPLEX, t%block_out(r), ierr)
       call MPI_Type_commit(t%block_out(r), ierr)
       call MPI_Type_vector(l%mx, l%y0(r + 1) - l%y0(r), l%ny, MPI_DOUBLE_COMPLEX, t%block_back(r), ierr)
       call MPI_Type_commit(t%block_back(r), ierr)
    end do
    if (t%sync == sync_locks) call MPI_Win_lock_all(MPI_MODE_NOCHECK, t%window, ierr)
  end subroutine make_transposer

  subroutine free_transposer(t)
    type(transposer_t), intent(inout) :: t
    integer :: r, ierr
    if (t%sync == sync_locks) call MPI_Win_unlock_all(t%window, ierr)
    do r = lbound(t%block_out, 1), ubound(t%block_out, 1)
       call MPI_Type_free(t%block_out(r), ierr)
       call MPI_Type_free(t%block_back(r), ierr)
    end do
    call MPI_Group_free(t%group, ierr)
    call MPI_Win_free(t%window, ierr)
    deallocate (t%inbox, t%packed, t%block_out, t%block_back)
  end subroutine free_transposer

  ! Nobody reads its inbox any more, all may put.
  subroutine open_epoch(t, comm)
    type(transposer_t), intent(inout) :: t
    type(MPI_Comm), intent(in) :: comm
    integer :: ierr
    select case (t%sync)
    case (sync_fence)
       call MPI_Win_fence(MPI_MODE_NOPRECEDE, t%window, ierr)
    case (sync_neighbours)
       call MPI_Win_post(t%group, 0, t%window, ierr)
       call MPI_Win_start(t%group, 0, t%window, ierr)
    case (sync_locks)
       call MPI_Win_sync(t%window, ierr)
       call MPI_Barrier(comm, ierr)
    end select
  end subroutine open_epoch

  ! All blocks are in my inbox.
  subroutine close_epoch(t, comm)
    type(transposer_t), intent(inout) :: t
    type(MPI_Comm), intent(in) :: comm
    integer :: ierr
    select case (t%sync)
    case (sync_fence)
       call MPI_Win_fence(MPI_MODE_NOSUCCEED, t%window, ierr)
    case (sync_neighbours)
       call MPI_Win_complete(t%window, ierr)
       call MPI_Win_wait(t%window, ierr)
    case (sync_locks)
       call MPI_Win_flush_all(t%window, ierr)
       call MPI_Barrier(comm, ierr)
       call MPI_Win_sync(t%window, ierr)
    end select
    t%count = t%count + 1
  end subroutine close_epoch

  subroutine rows_to_columns(t, l, a, b)
    type(transposer_t), intent(inout) :: t
    type(layout_t), intent(in) :: l
    complex(dp), intent(in), asynchronous :: a(:, :)
    complex(dp), intent(out) :: b(:, :)
    integer :: i, r, x, y, n, place, width, ierr
    integer(MPI_ADDRESS_KIND) :: displacement
    if (.not. t%typed) then
       place = 0
       do r = 0, l%ranks - 1
          do y = 1, l%my
             do x = l%x0(r) + 1, l%x0(r + 1)
                place = place + 1
                t%packed(place) = a(x, y)
             end do
          end do
       end do
    end if
    call open_epoch(t, l%comm)
    do i = 0, l%ranks - 1
       r = mod(l%rank + i, l%ranks)
       width = l%x0(r + 1) - l%x0(r)
       n = width * l%my
       displacement = int(width, MPI_ADDRESS_KIND) * l%y0(l%rank)
       if (t%typed) then
          call MPI_Put(a(l%x0(r) + 1, 1), 1, t%block_out(r), r, displacement, n, MPI_DOUBLE_COMPLEX, t%window, ierr)
       else
          call MPI_Put(t%packed(l%x0(r) * l%my + 1), n, MPI_DOUBLE_COMPLEX, r, displacement, n, MPI_DOUBLE_COMPLEX, &
               t%window, ierr)
       end if
    end do
    call close_epoch(t, l%comm)
    ! The inbox is inbox(x, y) with my x and all y.
    do y = 1, l%ny
       do x = 1, l%mx
          b(y, x) = t%inbox((y - 1) * l%mx + x)
       end do
    end do
  end subroutine rows_to_columns

  subroutine columns_to_rows(t, l, b, a)
    type(transposer_t), intent(inout) :: t
    type(layout_t), intent(in) :: l
    complex(dp), intent(in), asynchronous :: b(:, :)
    complex(dp), intent(out) :: a(:, :)
    integer :: i, r, x, y, n, place, width, ierr
    integer(MPI_ADDRESS_KIND) :: displacement
    if (.not. t%typed) then
       place = 0
       do r = 0, l%ranks - 1
          do x = 1, l%mx
             do y = l%y0(r) + 1, l%y0(r + 1)
                place = place + 1
                t%packed(place) = b(y, x)
             end do
          end do
       end do
    end if
    call open_epoch(t, l%comm)
    do i = 0, l%ranks - 1
       r = mod(l%rank + i, l%ranks)
       width = l%y0(r + 1) - l%y0(r)
       n = width * l%mx
       displacement = int(width, MPI_ADDRESS_KIND) * l%x0(l%rank)
       if (t%typed) then
          call MPI_Put(b(l%y0(r) + 1, 1), 1, t%block_back(r), r, displacement, n, MPI_DOUBLE_COMPLEX, t%window, ierr)
       else
          call MPI_Put(t%packed(l%y0(r) * l%mx + 1), n, MPI_DOUBLE_COMPLEX, r, displacement, n, MPI_DOUBLE_COMPLEX, &
               t%window, ierr)
       end if
    end do
    call close_epoch(t, l%comm)
    do x = 1, l%nx
       do y = 1, l%my
          a(x, y) = t%inbox((x - 1) * l%my + y)
       end do
    end do
  end subroutine columns_to_rows

end module transposes
