! Particles on their way through the slab.
module histories
  use problem
  use tables
  use chances
  implicit none
  private

  ! Counts are integers, so that sums do not depend on their order. Track lengths are in millionths.
  integer, parameter, public :: tally_absorbed = 1, tally_reflected = 2, tally_transmitted = 3, tally_collisions = 4
  integer, parameter, public :: tally_histories = 5, tally_words = 8
  real(dp), parameter, public :: grain = 1.0e6_dp

  public :: run_history

contains

  integer function layer_at(p, x, mu)
    type(problem_t), intent(in) :: p
    real(dp), intent(in) :: x, mu
    integer :: i
    layer_at = p%layers
    do i = 1, p%layers
       if (x < p%edge(i) .or. (mu < 0.0_dp .and. x <= p%edge(i))) then
          layer_at = i
          return
       end if
    end do
  end function layer_at

  ! Adds a piece of track from a to b to the cells that it crosses.
  subroutine add_track(p, flux, a, b, mu)
    type(problem_t), intent(in) :: p
    integer(long), intent(inout) :: flux(:)
    real(dp), intent(in) :: a, b, mu
    real(dp) :: low, high, width, from, to
    integer :: first, last, c
    low = min(a, b)
    high = max(a, b)
    width = p%edge(p%layers) / p%cells
    first = max(1, min(p%cells, int(low / width) + 1))
    last = max(1, min(p%cells, int(high / width) + 1))
    do c = first, last
       from = max(low, (c - 1) * width)
       to = min(high, c * width)
       if (to > from) flux(c) = flux(c) + nint((to - from) / max(abs(mu), 1e-6_dp) * grain, long)
    end do
  end subroutine add_track

  subroutine run_history(p, t, history, tally, flux)
    type(problem_t), intent(in) :: p
    type(tables_t), intent(in) :: t
    integer(long), intent(in) :: history
    integer(long), intent(inout) :: tally(:), flux(:)
    type(stream_t) :: s
    real(dp) :: x, mu, free, border, chance
    integer :: group, layer, m, outcome
    call start_stream(s, p%seed, history)
    x = 0.0_dp
    mu = 1.0_dp
    if (.not. p%beam) mu = sqrt(next_chance(s))
    group = 1
    layer = 1
    free = flight(s, t)
    tally(tally_histories) = tally(tally_histories) + 1
    do
       m = p%filling(layer)
       border = merge(p%edge(layer), p%edge(layer - 1), mu > 0.0_dp)
       ! `free` is the way left in mean free paths.
       if (abs(border - x) * t%total(group, m) < free * abs(mu)) then
          call add_track(p, flux, x, border, mu)
          free = free - abs(border - x) * t%total(group, m) / abs(mu)
          x = border
          layer = layer + merge(1, -1, mu > 0.0_dp)
          if (layer < 1) then
             tally(tally_reflected) = tally(tally_reflected) + 1
             return
          else if (layer > p%layers) then
             tally(tally_transmitted) = tally(tally_transmitted) + 1
             return
          end if
          cycle
       end if
       border = x + mu * free / t%total(group, m)
       call add_track(p, flux, x, border, mu)
       x = border
       tally(tally_collisions) = tally(tally_collisions) + 1
       chance = next_chance(s)
       outcome = 1
       do while (outcome < t%outcomes .and. chance > t%chance(outcome, group, m))
          outcome = outcome + 1
       end do
       if (outcome == 1) then
          tally(tally_absorbed) = tally(tally_absorbed) + 1
          return
       end if
       group = outcome - 1
       mu = 2.0_dp * next_chance(s) - 1.0_dp
       if (abs(mu) < 1e-9_dp) mu = sign(1e-9_dp, mu)
       layer = layer_at(p, x, mu)
       free = flight(s, t)
    end do
  end subroutine run_history

  ! A free flight from the table, linear between its points; beyond them by the logarithm.
  real(dp) function flight(s, t)
    type(stream_t), intent(inout) :: s
    type(tables_t), intent(in) :: t
    real(dp) :: chance, place, part
    integer :: i
    chance = next_chance(s)
    place = chance * t%points + 0.5_dp
    i = int(place)
    if (i < 4 .or. i >= t%points) then
       flight = -log(chance)
    else
       part = place - i
       flight = (1.0_dp - part) * t%length(i) + part * t%length(i + 1)
    end if
  end function flight

end module histories
