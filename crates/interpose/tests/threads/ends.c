/* Threads end by return, pthread_exit and cancellation, joined or detached; many share few pthread_t.
 * EXPECT: 1<2 3<4 5<6
 */
#include "mark.h"
#include <pthread.h>
#include <stdlib.h>

static void on_cancellation(void *argument)
{
    (void)argument;
    mark(3);
}

static void *wait_for_cancellation(void *argument)
{
    mark(1);
    pthread_cleanup_push(on_cancellation, NULL);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return argument;
}

static void *leave_early(void *argument)
{
    mark(5);
    pthread_exit(argument);
}

static void *nothing(void *argument) { return argument; }

static pthread_mutex_t recursive;

static void *count(void *counter)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        *(int *)counter += 1;
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;
    begin();

    pthread_create(&thread, NULL, wait_for_cancellation, NULL);
    after(1);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED)
        abort();
    mark(2);
    mark(4);

    pthread_create(&thread, NULL, leave_early, &thread);
    pthread_join(thread, &result);
    if (result != &thread)
        abort();
    mark(6);

    for (int i = 0; i < 200; i++) {
        pthread_create(&thread, NULL, nothing, NULL);
        if (i % 2)
            pthread_detach(thread);
        else
            pthread_join(thread, NULL);
    }

    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_t threads[4];
    int counter = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, count, &counter);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    if (counter != 4000)
        abort();
    end();
    return 0;
}
