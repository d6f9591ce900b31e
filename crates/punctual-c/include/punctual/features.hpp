// What the compiler and its library have.
#ifndef PUNCTUAL_FEATURES_HPP
#define PUNCTUAL_FEATURES_HPP

#if __has_include(<version>)
#include <version>
#endif

// C++20, and libc++ has it from version 20 on.
#if defined(__cpp_lib_jthread)
#define PUNCTUAL_HAS_STOP_TOKEN 1
#else
#define PUNCTUAL_HAS_STOP_TOKEN 0
#endif

// C++20.
#if defined(__cpp_impl_coroutine) && defined(__cpp_lib_coroutine)
#define PUNCTUAL_HAS_COROUTINES 1
#else
#define PUNCTUAL_HAS_COROUTINES 0
#endif

#endif
