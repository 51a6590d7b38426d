// Threads, atomics, exceptions, virtual calls, lambdas and the library, all instrumented.
#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
};

static int thrower(int depth) {
    std::string held(20, 'x');
    if (depth == 0) throw std::runtime_error("deep");
    return thrower(depth - 1) + static_cast<int>(held.size());
}

int main() {
    std::atomic<int> count{0};
    std::atomic<bool> ready{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            while (!ready.load(std::memory_order_acquire)) {}
            for (int j = 0; j < 1000; ++j) count.fetch_add(1, std::memory_order_relaxed);
        });
    }
    ready.store(true, std::memory_order_release);
    for (auto &thread : threads) thread.join();

    int caught = 0;
    for (int i = 0; i < 10; ++i) {
        try {
            thrower(i);
        } catch (const std::runtime_error &) {
            ++caught;
        }
    }
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 3; ++i) shapes.push_back(std::make_unique<Square>(i));
    double area = 0;
    for (const auto &shape : shapes) area += shape->area();
    std::printf("%d %d %g\n", count.load(), caught, area);
}
