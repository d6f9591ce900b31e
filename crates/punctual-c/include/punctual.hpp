// Punctual for C++: precise sleeps, loops that do not drift, and many timers on one thread.
//
// A header over the C library: link libpunctual. C++20, and C++17 without stop tokens and coroutines. Each
// part can be included alone.
#ifndef PUNCTUAL_HPP
#define PUNCTUAL_HPP

#include <punctual/clock.hpp>
#include <punctual/coroutine.hpp>
#include <punctual/driver.hpp>
#include <punctual/error.hpp>
#include <punctual/guards.hpp>
#include <punctual/period.hpp>
#include <punctual/schedule.hpp>
#include <punctual/sleeper.hpp>
#include <punctual/stats.hpp>
#include <punctual/stop.hpp>
#include <punctual/ticker.hpp>

#endif
