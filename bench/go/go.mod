module punctual/bench

go 1.21
