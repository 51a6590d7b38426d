// The threads of the C++ standard library.
// EXPECT: 1<2 3<4 5<6 7<8 8<9
#include "mark.h"
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main()
{
    begin();
    mark(1);
    std::thread first([] {
        mark(2);
        mark(3);
    });
    first.join();
    mark(4);

    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::thread second([&] {
        std::unique_lock<std::mutex> lock(mutex);
        while (!ready)
            condition.wait_for(lock, std::chrono::milliseconds(10)); // pthread_cond_clockwait
        mark(6);
    });
    mark(5);
    {
        std::lock_guard<std::mutex> lock(mutex);
        ready = true;
    }
    condition.notify_all();
    second.join();

    // A routine that throws did not run.
    std::once_flag flag;
    try {
        std::call_once(flag, [] { throw 1; });
        std::abort();
    } catch (int) {
    }
    bool called = false;
    std::call_once(flag, [&] { called = true; });
    if (!called)
        std::abort();

    std::shared_mutex shared;
    mark(7);
    std::thread third([&] {
        std::shared_lock<std::shared_mutex> lock(shared);
        mark(8);
    });
    third.join();
    std::unique_lock<std::shared_mutex> lock(shared);
    mark(9);
    end();
}
