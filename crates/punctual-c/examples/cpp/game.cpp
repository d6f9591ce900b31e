// A game loop with SDL: 60 frames a second, five in the background, and none that the loop was too late for.
// Escape or the window's button ends it.
//
//     game [FRAMES]        SDL_VIDEODRIVER=dummy for a machine without a screen
#include <punctual.hpp>

#include <SDL.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace {

constexpr int width = 640;
constexpr int height = 360;
constexpr punctual::hertz in_front{60};
constexpr punctual::hertz in_the_background{5};

/// A ball between two walls. It moves by the ticks that have passed, drawn or not, and so never slows down.
class ball {
public:
    void move(std::uint64_t ticks) { travelled_ += 4 * ticks; }

    [[nodiscard]] SDL_Rect place() const
    {
        constexpr std::uint64_t range = width - size;
        const auto along = travelled_ % (2 * range);
        return {static_cast<int>(along < range ? along : 2 * range - along), (height - size) / 2, size, size};
    }

private:
    static constexpr int size = 40;
    std::uint64_t travelled_ = 0;
};

/// Whether the game goes on.
bool handle_events(punctual::ticker& frames)
{
    for (SDL_Event event; SDL_PollEvent(&event) != 0;) {
        if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE)) {
            return false;
        }
        if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            frames.set_period(in_the_background);
        }
        if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_FOCUS_GAINED) {
            frames.set_period(in_front);
        }
    }
    return true;
}

void draw(SDL_Renderer* renderer, const ball& ball)
{
    SDL_SetRenderDrawColor(renderer, 20, 20, 40, SDL_ALPHA_OPAQUE);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 240, 200, 60, SDL_ALPHA_OPAQUE);
    const auto place = ball.place();
    SDL_RenderFillRect(renderer, &place);
    SDL_RenderPresent(renderer);
}

int play(SDL_Renderer* renderer, std::uint64_t most)
{
    ball ball;
    punctual::lateness_stats stats;
    punctual::ticker frames{in_front};
    for (const auto& frame : frames) {
        if (frame.index >= most || !handle_events(frames)) {
            break;
        }
        ball.move(1 + frame.missed);
        draw(renderer, ball);
        if (const auto second = stats.record(frame)) {
            std::printf("%.2f frames a second, %llu missed, p99 %.3f ms late\n", second->rate_hertz,
                static_cast<unsigned long long>(second->missed), static_cast<double>(second->p99.count()) / 1e6);
        }
    }
    return EXIT_SUCCESS;
}

} // namespace

int main(int arguments, char** values)
{
    const auto most = arguments > 1 ? std::strtoull(values[1], nullptr, 10) : std::numeric_limits<std::uint64_t>::max();
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        std::fprintf(stderr, "error: %s\n", SDL_GetError());
        return EXIT_FAILURE;
    }
    auto* const window = SDL_CreateWindow("Punctual", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, 0);
    // Without the renderer's own wait for the screen: the ticker says when.
    auto* const renderer = window != nullptr ? SDL_CreateRenderer(window, -1, 0) : nullptr;
    int status = EXIT_FAILURE;
    if (renderer != nullptr) {
        status = play(renderer, most);
    } else {
        std::fprintf(stderr, "error: %s\n", SDL_GetError());
    }
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return status;
}
