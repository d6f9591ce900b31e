// Waits in C++, and how long each took: waits ENTRY NANOSECONDS COUNT.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

int main(int, char **arguments) {
  const std::string entry = arguments[1];
  const std::chrono::nanoseconds length(std::atoll(arguments[2]));
  std::vector<std::chrono::nanoseconds> took(std::atoi(arguments[3]));
  std::condition_variable never;
  std::mutex lock;
  std::unique_lock<std::mutex> held(lock);
  for (auto &each : took) {
    const auto begin = Clock::now();
    if (entry == "sleep")
      std::this_thread::sleep_for(length);
    else if (entry == "condvar")
      never.wait_for(held, length);
    else
      return 2;
    each = Clock::now() - begin;
  }
  for (const auto each : took)
    std::cout << each.count() << '\n';
}
