//! Synthesised traces: each a few events written down here, for what cannot be provoked at will, and
//! for every cause by itself.

mod causes;
mod held;
mod periodic;
mod rows;
mod scene;
mod stacks;
mod sums;
mod traps;
mod turns;
mod wakers;
