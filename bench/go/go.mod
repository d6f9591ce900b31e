module punctual/bench/ticker

go 1.21
