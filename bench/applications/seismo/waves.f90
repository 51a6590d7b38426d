! Pressure waves in two dimensions: fourth order in space, second in time.
module waves
  use kinds
  use rows
  use halos
  use survey
  use settings
  implicit none
  private
  public :: wave_t, wavelet

  real(dp), parameter :: c0 = -2.5_dp, c1 = 4.0_dp / 3, c2 = -1.0_dp / 12
  integer, parameter :: sponge_width = 5

  type :: wave_t
     type(layout_t) :: layout
     type(field_t) :: before, now, after
     real(dp), allocatable :: courant(:, :)         ! (velocity dt / spacing)**2
     real(dp), allocatable :: damping(:, :)
     type(station_t), allocatable :: sources(:)
     class(halo_t), allocatable :: halo
     integer :: step = 0
     real(dp) :: dt = 0, spacing = 0, frequency = 0
   contains
     procedure :: begin
     procedure :: advance
     procedure :: at
     procedure :: finish
     procedure, private :: inject
     procedure, private :: laplacian
  end type wave_t

contains

  ! A Ricker wavelet.
  pure real(dp) function wavelet(time, frequency)
    real(dp), intent(in) :: time, frequency
    real(dp) :: phase
    phase = (pi * frequency * (time - 1 / frequency))**2
    wavelet = (1 - 2 * phase) * exp(-phase)
  end function wavelet

  pure real(dp) function velocity(medium, x, z, width, depth)
    character(len=*), intent(in) :: medium
    real(dp), intent(in) :: x, z, width, depth
    velocity = 2000
    select case (medium)
    case ('layers')
       velocity = 1500 + 500 * floor(3 * z / depth)
    case ('salt')
       velocity = 1800 + 600 * z / depth
       if ((x - 0.5_dp * width)**2 + (z - 0.6_dp * depth)**2 < (0.2_dp * depth)**2) velocity = 4000
    end select
  end function velocity

  subroutine begin(self, s, layout, stations)
    class(wave_t), intent(inout) :: self
    type(settings_t), intent(in) :: s
    type(layout_t), intent(in) :: layout
    class(survey_t), intent(in) :: stations
    real(dp) :: width, depth, most
    integer :: x, z, edge

    self%layout = layout
    self%dt = s%dt
    self%spacing = s%spacing
    self%frequency = s%frequency
    call self%before%create(layout)
    call self%now%create(layout)
    call self%after%create(layout)
    allocate (self%courant(layout%nx, layout%first:layout%last), self%damping(layout%nx, layout%first:layout%last))
    width = (layout%nx - 1) * s%spacing
    depth = (layout%nz - 1) * s%spacing
    most = 0
    do z = layout%first, layout%last
       do x = 1, layout%nx
          self%courant(x, z) = (velocity(trim(s%medium), (x - 1) * s%spacing, (z - 1) * s%spacing, width, depth) * &
               s%dt / s%spacing)**2
          most = max(most, self%courant(x, z))
          edge = min(x - 1, layout%nx - x, z - 1, layout%nz - z)
          self%damping(x, z) = 1
          if (s%edge == 'sponge' .and. edge < sponge_width) &
               self%damping(x, z) = exp(-0.01_dp * real(sponge_width - edge, dp)**2)
       end do
    end do
    if (most > 0.5_dp) call stop_all('the time step is too long for the velocity')
    self%sources = stations .of. 'S'
    call make_halo(self%halo, trim(s%halo), layout)
  end subroutine begin

  pure real(dp) function laplacian(self, x, z)
    class(wave_t), intent(in) :: self
    integer, intent(in) :: x, z
    associate (p => self%now%values, nx => self%layout%nx)
      laplacian = 2 * c0 * p(x, z) + c1 * (p(x, z - 1) + p(x, z + 1)) + c2 * (p(x, z - 2) + p(x, z + 2))
      laplacian = laplacian + c1 * (p(max(x - 1, 1), z) + p(min(x + 1, nx), z))
      laplacian = laplacian + c2 * (p(max(x - 2, 1), z) + p(min(x + 2, nx), z))
    end associate
  end function laplacian

  subroutine advance(self)
    class(wave_t), intent(inout) :: self
    integer :: x, z
    call self%halo%run(self%now)
    do z = self%layout%first, self%layout%last
       do concurrent(x=1:self%layout%nx)
          self%after%values(x, z) = self%damping(x, z) * (2 * self%now%values(x, z) - &
               self%damping(x, z) * self%before%values(x, z) + self%courant(x, z) * self%laplacian(x, z))
       end do
    end do
    call self%inject()
    call swap(self%before%values, self%now%values)
    call swap(self%now%values, self%after%values)
    self%step = self%step + 1
  end subroutine advance

  subroutine swap(a, b)
    real(dp), allocatable, intent(inout) :: a(:, :), b(:, :)
    real(dp), allocatable :: kept(:, :)
    call move_alloc(a, kept)
    call move_alloc(b, a)
    call move_alloc(kept, b)
  end subroutine swap

  subroutine inject(self)
    class(wave_t), intent(inout) :: self
    integer :: i, x, z
    do i = 1, size(self%sources)
       if (self%step < self%sources(i)%from_step) cycle
       x = node_of(self%sources(i)%x, self%spacing, self%layout%nx)
       z = node_of(self%sources(i)%z, self%spacing, self%layout%nz)
       if (z < self%layout%first .or. z > self%layout%last) cycle
       self%after%values(x, z) = self%after%values(x, z) + &
            wavelet((self%step - self%sources(i)%from_step) * self%dt, self%frequency)
    end do
  end subroutine inject

  pure integer function node_of(place, spacing, nodes)
    real(dp), intent(in) :: place, spacing
    integer, intent(in) :: nodes
    node_of = min(max(1 + nint(place / spacing), 1), nodes)
  end function node_of

  ! The pressure at a station, if this process has it.
  logical function at(self, station, pressure)
    class(wave_t), intent(in) :: self
    type(station_t), intent(in) :: station
    real(dp), intent(out) :: pressure
    integer :: x, z
    x = node_of(station%x, self%spacing, self%layout%nx)
    z = node_of(station%z, self%spacing, self%layout%nz)
    at = z >= self%layout%first .and. z <= self%layout%last
    pressure = 0
    if (at) pressure = self%now%values(x, z)
  end function at

  subroutine finish(self)
    class(wave_t), intent(inout) :: self
    call self%halo%close()
    deallocate (self%halo)
  end subroutine finish

end module waves
