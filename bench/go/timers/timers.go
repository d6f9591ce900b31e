// Command timers keeps many periodic timers with Go's time.AfterFunc, for the benchmark beside it.
//
// It reads lines of "lead_ns duration_ns count", followed by the phase and the period of each timer in
// nanoseconds, and answers each with a line of "missed processor_ns elapsed_ns sleeps", followed by
// the lateness of every firing in nanoseconds. It ends when its input does.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

func usage() (processor, sleeps int64) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fmt.Fprintln(os.Stderr, "getrusage:", err)
		os.Exit(1)
	}
	return usage.Utime.Nano() + usage.Stime.Nano(), usage.Nvcsw
}

// task is one timer: it fires at phase, and once a period from there on.
type task struct {
	mutex      sync.Mutex
	start      time.Time
	end        time.Duration
	next       time.Duration
	period     time.Duration
	timer      *time.Timer
	latenesses []int64
	missed     int64
}

func (t *task) fire() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	now := time.Since(t.start)
	if t.next >= t.end {
		return
	}
	t.latenesses = append(t.latenesses, int64(now-t.next))
	t.next += t.period
	now = time.Since(t.start)
	for t.next <= now {
		t.missed++
		t.next += t.period
	}
	if t.next < t.end {
		t.timer.Reset(t.next - now)
	}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for {
		var lead, duration, count int64
		if _, err := fmt.Fscan(in, &lead, &duration, &count); err != nil {
			return
		}
		tasks := make([]*task, count)
		for i := range tasks {
			var phase, period int64
			if _, err := fmt.Fscan(in, &phase, &period); err != nil {
				return
			}
			tasks[i] = &task{
				end:        time.Duration(duration),
				next:       time.Duration(phase),
				period:     time.Duration(period),
				latenesses: make([]int64, 0, duration/period+2),
			}
		}
		processorBefore, sleepsBefore := usage()
		start := time.Now().Add(time.Duration(lead))
		for _, t := range tasks {
			t.mutex.Lock()
			t.start = start
			t.timer = time.AfterFunc(t.next-time.Since(start), t.fire)
			t.mutex.Unlock()
		}
		time.Sleep(time.Duration(duration) - time.Since(start))
		elapsed := time.Since(start)
		processorAfter, sleepsAfter := usage()
		var missed int64
		for _, t := range tasks {
			t.mutex.Lock()
			t.timer.Stop()
			t.next = t.end
			missed += t.missed
			t.mutex.Unlock()
		}
		fmt.Fprint(out, missed, " ", processorAfter-processorBefore, " ", int64(elapsed), " ", sleepsAfter-sleepsBefore)
		for _, t := range tasks {
			for _, lateness := range t.latenesses {
				fmt.Fprint(out, " ", lateness)
			}
		}
		fmt.Fprintln(out)
		out.Flush()
	}
}
