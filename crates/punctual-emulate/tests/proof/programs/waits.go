// Waits in Go, and how long each took: waits ENTRY NANOSECONDS COUNT.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	nanoseconds, _ := strconv.Atoi(os.Args[2])
	count, _ := strconv.Atoi(os.Args[3])
	length := time.Duration(nanoseconds)
	var wait func()
	switch os.Args[1] {
	case "sleep":
		wait = func() { time.Sleep(length) }
	case "ticker":
		ticker := time.NewTicker(length)
		wait = func() { <-ticker.C }
	case "after":
		wait = func() { <-time.After(length) }
	default:
		panic(os.Args[1])
	}
	took := make([]time.Duration, count)
	last := time.Now()
	for i := range took {
		wait()
		now := time.Now()
		took[i] = now.Sub(last)
		last = now
	}
	for _, length := range took {
		fmt.Println(length.Nanoseconds())
	}
}
