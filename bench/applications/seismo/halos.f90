! How the rows of the neighbours come: an abstract type, and a type for each way.
module halos
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use kinds
  use rows
  use mpi_f08
  implicit none
  private
  public :: halo_t, make_halo

  ! The window holds what comes from above, then what comes from below; for locks, twice.
  type, abstract :: halo_t
     type(layout_t) :: layout
     type(MPI_Win) :: window
     real(dp), pointer :: inbox(:, :, :) => null()
     real(dp), allocatable :: outbox(:, :, :)
     integer :: runs = 0
   contains
     procedure(bring), deferred :: run
     procedure(ends), deferred :: close
     procedure :: open => open_window
     procedure :: free => free_window
     procedure :: pack => pack_rows
     procedure :: unpack => unpack_rows
     procedure :: send
  end type halo_t

  abstract interface
     subroutine bring(self, field)
       import :: halo_t, field_t
       class(halo_t), intent(inout) :: self
       type(field_t), intent(inout) :: field
     end subroutine bring
     subroutine ends(self)
       import :: halo_t
       class(halo_t), intent(inout) :: self
     end subroutine ends
  end interface

  type, extends(halo_t) :: fence_halo_t
   contains
     procedure :: run => fence_run
     procedure :: close => fence_close
  end type fence_halo_t

  type, extends(halo_t) :: post_halo_t
     type(MPI_Group) :: neighbours
   contains
     procedure :: run => post_run
     procedure :: close => post_close
  end type post_halo_t

  type, extends(halo_t) :: lock_halo_t
   contains
     procedure :: run => lock_run
     procedure :: close => lock_close
  end type lock_halo_t

  integer, parameter :: from_above = 1, from_below = 2

contains

  subroutine make_halo(halo, name, layout)
    class(halo_t), allocatable, intent(out) :: halo
    character(len=*), intent(in) :: name
    type(layout_t), intent(in) :: layout
    type(MPI_Group) :: everyone
    integer, allocatable :: ranks(:)

    select case (name)
    case ('fence')
       allocate (fence_halo_t :: halo)
    case ('post')
       allocate (post_halo_t :: halo)
    case ('lock')
       allocate (lock_halo_t :: halo)
    case default
       call stop_all('no such halo', name)
    end select
    halo%layout = layout
    call halo%open(copies=merge(2, 1, name == 'lock'))
    select type (halo)
    type is (fence_halo_t)
       call MPI_Win_fence(MPI_MODE_NOPRECEDE, halo%window)
    type is (post_halo_t)
       ranks = pack([layout%above(), layout%below()], [layout%above(), layout%below()] /= MPI_PROC_NULL)
       call MPI_Comm_group(layout%comm, everyone)
       call MPI_Group_incl(everyone, size(ranks), ranks, halo%neighbours)
       call MPI_Group_free(everyone)
    type is (lock_halo_t)
       call MPI_Win_lock_all(0, halo%window)
    end select
  end subroutine make_halo

  subroutine open_window(self, copies)
    class(halo_t), intent(inout) :: self
    integer, intent(in) :: copies
    type(c_ptr) :: base
    integer(MPI_ADDRESS_KIND) :: bytes
    integer :: values
    values = self%layout%nx * ghost
    bytes = int(values, MPI_ADDRESS_KIND) * 2 * copies * 8
    call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, self%layout%comm, base, self%window)
    call c_f_pointer(base, self%inbox, [values, 2, copies])
    allocate (self%outbox(values, 2, 1))
    self%inbox = 0
    call MPI_Barrier(self%layout%comm)
  end subroutine open_window

  subroutine free_window(self)
    class(halo_t), intent(inout) :: self
    call MPI_Win_free(self%window)
    nullify (self%inbox)
  end subroutine free_window

  subroutine pack_rows(self, field)
    class(halo_t), intent(inout) :: self
    type(field_t), intent(in) :: field
    associate (l => self%layout, v => field%values)
      self%outbox(:, from_above, 1) = reshape(v(:, l%last - ghost + 1:l%last), [l%nx * ghost])
      self%outbox(:, from_below, 1) = reshape(v(:, l%first:l%first + ghost - 1), [l%nx * ghost])
    end associate
  end subroutine pack_rows

  subroutine unpack_rows(self, field, copy)
    class(halo_t), intent(in) :: self
    type(field_t), intent(inout) :: field
    integer, intent(in) :: copy
    associate (l => self%layout)
      if (l%above() /= MPI_PROC_NULL) then
         field%values(:, l%first - ghost:l%first - 1) = reshape(self%inbox(:, from_above, copy), [l%nx, ghost])
      end if
      if (l%below() /= MPI_PROC_NULL) then
         field%values(:, l%last + 1:l%last + ghost) = reshape(self%inbox(:, from_below, copy), [l%nx, ghost])
      end if
    end associate
  end subroutine unpack_rows

  ! What the one below has from above is mine, and the other way round.
  subroutine send(self, copy)
    class(halo_t), intent(inout) :: self
    integer, intent(in) :: copy
    integer :: values
    integer(MPI_ADDRESS_KIND) :: place
    values = self%layout%nx * ghost
    place = int(values, MPI_ADDRESS_KIND) * 2 * (copy - 1)
    call MPI_Put(self%outbox(:, from_above, 1), values, MPI_DOUBLE_PRECISION, self%layout%below(), place, values, &
         MPI_DOUBLE_PRECISION, self%window)
    call MPI_Put(self%outbox(:, from_below, 1), values, MPI_DOUBLE_PRECISION, self%layout%above(), place + values, &
         values, MPI_DOUBLE_PRECISION, self%window)
  end subroutine send

  subroutine fence_run(self, field)
    class(fence_halo_t), intent(inout) :: self
    type(field_t), intent(inout) :: field
    call self%pack(field)
    call self%send(1)
    call MPI_Win_fence(MPI_MODE_NOPUT, self%window)
    call self%unpack(field, 1)
    call MPI_Win_fence(MPI_MODE_NOSTORE, self%window)
    self%runs = self%runs + 1
  end subroutine fence_run

  subroutine fence_close(self)
    class(fence_halo_t), intent(inout) :: self
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, self%window)
    call self%free()
  end subroutine fence_close

  subroutine post_run(self, field)
    class(post_halo_t), intent(inout) :: self
    type(field_t), intent(inout) :: field
    call MPI_Win_post(self%neighbours, 0, self%window)
    call self%pack(field)
    call MPI_Win_start(self%neighbours, 0, self%window)
    call self%send(1)
    call MPI_Win_complete(self%window)
    call MPI_Win_wait(self%window)
    call self%unpack(field, 1)
    self%runs = self%runs + 1
  end subroutine post_run

  subroutine post_close(self)
    class(post_halo_t), intent(inout) :: self
    call MPI_Group_free(self%neighbours)
    call self%free()
  end subroutine post_close

  ! Two copies by turns: who writes one has seen that all have read it, by the barrier in between.
  subroutine lock_run(self, field)
    class(lock_halo_t), intent(inout) :: self
    type(field_t), intent(inout) :: field
    integer :: copy
    copy = 1 + mod(self%runs, 2)
    call self%pack(field)
    call self%send(copy)
    call MPI_Win_flush_all(self%window)
    call MPI_Barrier(self%layout%comm)
    call MPI_Win_sync(self%window)
    call self%unpack(field, copy)
    self%runs = self%runs + 1
  end subroutine lock_run

  subroutine lock_close(self)
    class(lock_halo_t), intent(inout) :: self
    call MPI_Win_unlock_all(self%window)
    call self%free()
  end subroutine lock_close

end module halos
