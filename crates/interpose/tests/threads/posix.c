/* Every synchronising object of POSIX and C11 threads.
 * EXPECT: 1<2 2<3 4|2
 * EXPECT: 10<11 12|11
 * EXPECT: 20<21
 * EXPECT: 30<31 32|31
 * EXPECT: 40<41 42|41
 * EXPECT: 60<61 62<61 60<63 62<63 64|65
 * EXPECT: 70<71 70<72 71|72 71<73 72<73
 * EXPECT: 80<81
 * EXPECT: 90<91 92|91 93<94
 */
#define _GNU_SOURCE
#include "mark.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static sem_t semaphore;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static mtx_t c11_mutex;

static void *child(void *argument)
{
    mark(2);
    return argument;
}

static void *lock_first(void *argument)
{
    pthread_mutex_lock(&mutex);
    mark(10);
    pthread_mutex_unlock(&mutex);
    mark(12);
    return argument;
}

static void *wait_for_condition(void *argument)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    mark(21);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *wait_for_semaphore(void *argument)
{
    sem_wait(&semaphore);
    mark(31);
    return argument;
}

static void *spin_first(void *argument)
{
    pthread_spin_lock(&spin);
    mark(40);
    pthread_spin_unlock(&spin);
    mark(42);
    return argument;
}

static void pass_barriers(int before, int after, int beyond)
{
    for (int i = 0; i < 5; i++)
        pthread_barrier_wait(&barrier);
    mark(before);
    pthread_barrier_wait(&barrier);
    mark(after);
    mark(beyond);
    for (int i = 0; i < 5; i++)
        pthread_barrier_wait(&barrier);
}

static void *other_side(void *argument)
{
    pass_barriers(60, 63, 64);
    return argument;
}

static void *reader(void *number)
{
    after(70);
    pthread_rwlock_rdlock(&rwlock);
    mark(*(int *)number);
    pthread_rwlock_unlock(&rwlock);
    return number;
}

static void first_time(void) { mark(80); }

static void *do_once(void *argument)
{
    pthread_once(&once, first_time);
    mark(81);
    return argument;
}

static int c11_lock_first(void *argument)
{
    mtx_lock(&c11_mutex);
    mark(90);
    mtx_unlock(&c11_mutex);
    mark(92);
    return argument != NULL;
}

static int c11_exit(void *argument)
{
    (void)argument;
    mark(93);
    thrd_exit(9);
}

int main(void)
{
    pthread_t thread, second;
    void *result;
    begin();

    mark(1);
    pthread_create(&thread, NULL, child, &ready);
    mark(4);
    pthread_join(thread, &result);
    mark(3);
    if (result != &ready)
        abort();

    pthread_create(&thread, NULL, lock_first, NULL);
    after(10);
    pthread_mutex_lock(&mutex);
    mark(11);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);

    pthread_create(&thread, NULL, wait_for_condition, NULL);
    nap(10);
    mark(20);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&condition);
    pthread_join(thread, NULL);

    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, wait_for_semaphore, NULL);
    mark(30);
    sem_post(&semaphore);
    mark(32);
    pthread_join(thread, NULL);

    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, spin_first, NULL);
    after(40);
    pthread_spin_lock(&spin);
    mark(41);
    pthread_spin_unlock(&spin);
    pthread_join(thread, NULL);

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, other_side, NULL);
    pass_barriers(62, 61, 65);
    pthread_join(thread, NULL);

    int numbers[2] = {71, 72};
    pthread_create(&thread, NULL, reader, &numbers[0]);
    pthread_create(&second, NULL, reader, &numbers[1]);
    pthread_rwlock_wrlock(&rwlock);
    mark(70);
    pthread_rwlock_unlock(&rwlock);
    after(71);
    after(72);
    pthread_rwlock_wrlock(&rwlock);
    mark(73);
    pthread_rwlock_unlock(&rwlock);
    pthread_join(thread, NULL);
    pthread_join(second, NULL);

    pthread_create(&thread, NULL, do_once, NULL);
    do_once(NULL);
    pthread_join(thread, NULL);

    thrd_t c11_thread;
    int c11_result;
    mtx_init(&c11_mutex, mtx_plain);
    thrd_create(&c11_thread, c11_lock_first, &ready);
    after(90);
    mtx_lock(&c11_mutex);
    mark(91);
    mtx_unlock(&c11_mutex);
    thrd_join(c11_thread, &c11_result);
    if (c11_result != 1)
        abort();
    thrd_create(&c11_thread, c11_exit, NULL);
    thrd_join(c11_thread, &c11_result);
    mark(94);
    if (c11_result != 9)
        abort();
    end();
    return 0;
}
