/* What every project here builds: it waits, and says how late it was. */
#include <inttypes.h>
#include <punctual.h>
#include <stdio.h>

int main(void) {
    punctual_sleeper *sleeper = NULL;
    punctual_wake wake = {.size = sizeof wake};
    if (punctual_sleeper_new(NULL, &sleeper) != PUNCTUAL_OK ||
        punctual_sleep_for(sleeper, PUNCTUAL_MILLISECOND, NULL, &wake) != PUNCTUAL_OK) {
        fprintf(stderr, "%s\n", punctual_last_error());
        return 1;
    }
    printf("%" PRIu64 " ns late\n", wake.woke_ns - wake.deadline_ns);
    punctual_sleeper_free(sleeper);
    return wake.woke_ns < wake.deadline_ns;
}
