! Images move amounts between accounts on image 1: each under a lock, the number of moves by an atomic.
! Planted: image 2 closes an account while image 1 counts.
program bank
    use iso_fortran_env
    implicit none
    integer, parameter :: accounts = 4, moves = 6
    type(lock_type) :: door[*]
    integer :: account(accounts)[*], move, from, to, amount, me
    integer(atomic_int_kind) :: done[*]

    me = this_image()
    account = 100
    call atomic_define(done, 0)
    sync all
    do move = 1, moves
        from = mod(me + move, accounts) + 1
        to = mod(from, accounts) + 1
        lock (door[1])
        amount = account(from)[1] / 10
        account(from)[1] = account(from)[1] - amount
        account(to)[1] = account(to)[1] + amount
        unlock (door[1])
        call atomic_add(done[1], 1)
    end do
    sync all
#ifdef PLANTED
    if (me == 2) account(1)[1] = 0
#endif
    if (me == 1) then
        call atomic_ref(move, done)
        print '(a,i5,a,i3)', 'sum', sum(account), ' moves', move
    end if
    sync all
end program bank
