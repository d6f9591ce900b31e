// Command ticker waits with Go's time.Ticker, a block of periods at a time, for the benchmark
// beside it.
//
// It reads lines of "period_ns periods" and answers each with a line of "missed processor_ns
// elapsed_ns", followed by how long each missed tick was past when that was found, and by the lateness
// of every other tick, in nanoseconds. It ends when its input does.
package main

import (
	"bufio"
	"fmt"
	"os"
	"syscall"
	"time"
)

func processorTime() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fmt.Fprintln(os.Stderr, "getrusage:", err)
		os.Exit(1)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for {
		var period, periods int64
		if _, err := fmt.Fscan(in, &period, &periods); err != nil {
			return
		}
		latenesses := make([]int64, 0, periods)
		var passed []int64
		var last, elapsed int64
		used := processorTime()
		// The ticker reads the clock itself a moment later; its ticks are that much later than this
		// grid, some tens of nanoseconds.
		start := time.Now()
		ticker := time.NewTicker(time.Duration(period))
		for last < periods {
			<-ticker.C
			elapsed = int64(time.Since(start))
			index := elapsed / period
			if index == last {
				// A tick that lay in the channel while its reader was late, and was made up for by
				// the last.
				continue
			}
			latenesses = append(latenesses, elapsed-(last+1)*period)
			// The ticker drops the ticks that its reader was too late for, and does not say so.
			for missed := last + 2; missed <= min(index, periods); missed++ {
				passed = append(passed, elapsed-missed*period)
			}
			last = index
		}
		ticker.Stop()
		used = processorTime() - used
		fmt.Fprint(out, len(passed), " ", used, " ", elapsed)
		for _, lateness := range append(passed, latenesses...) {
			fmt.Fprint(out, " ", lateness)
		}
		fmt.Fprintln(out)
		out.Flush()
	}
}
