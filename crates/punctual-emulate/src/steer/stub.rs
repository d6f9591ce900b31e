//! Code that is put into a program, so that a wait stops it only once.
//!
//! At a timed call the tracer skips the call and sends the thread to its slot of this code. The slot makes
//! the rewritten call, keeps its result and when it ended, tells the program what is left of its time if the
//! call does so, puts back the registers that the rewriting changed, and jumps back behind the program's call. It
//! leaves flags as they were and does not touch the stack: programs may use memory below their stack pointer, and
//! some switch stacks themselves.

/// Where the first block is put: high, for Chromium keeps the lowest 4 GiB for itself, and below where Linux
/// puts libraries and stacks.
pub(crate) const BASE: u64 = 0x2f1f_0000_0000;
/// From there on, calls are the stub's.
pub(crate) const REACH: u64 = 0x0100_0000;
/// A block is code and then data, of this length each.
pub(crate) const HALF: u64 = 0x1_0000;
/// A thread's part of each.
const SLOT: u64 = 256;
/// Threads that one block serves.
pub(crate) const SLOTS_PER_BLOCK: u64 = HALF / SLOT;
/// Threads that can be served at once.
pub(crate) const SLOTS: u64 = REACH / (2 * HALF) * SLOTS_PER_BLOCK;

/// Where a slot's data has what.
const RETURN: u64 = 48;
const RESULT: u64 = 56;
const STAMP: u64 = 64;
const SCRATCH: u64 = 72;
const SCRATCH_FROM: usize = 72;
const TELLS: u64 = 104;
const BEYOND: u64 = 112;
const UNIT: u64 = 120;

/// As long as the longest thing that a rewritten call points to, `struct itimerspec`.
pub(crate) const SCRATCH_LENGTH: usize = 32;
/// The data of a slot.
pub(crate) const DATA_LENGTH: usize = SCRATCH_FROM + SCRATCH_LENGTH + 24;

/// What the program is told of what is left of its time: that of the rewritten call, less what that is longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tells {
    /// Where. The program can be written to there.
    pub(crate) address: u64,
    /// How much later the rewritten call ends, in nanoseconds.
    pub(crate) beyond: i64,
    /// The nanoseconds of what its fraction of a second is counted in.
    pub(crate) unit_nanos: u64,
}

/// A thread's slot, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot(pub(crate) u64);

/// What a slot kept of the last wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept {
    /// What the call returned.
    pub(crate) result: i64,
    /// The processor's time stamp at its end. None if it has not ended, or not here.
    pub(crate) stamp: Option<u64>,
}

/// Where in a slot a thread is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// Before the call.
    Before,
    /// Behind it; its result is in the register.
    Behind,
    /// Further; its result is kept.
    Kept,
}

impl Slot {
    pub(crate) fn block(self) -> u64 {
        self.0 / SLOTS_PER_BLOCK
    }

    /// Where its code is.
    pub(crate) fn code(self) -> u64 {
        code_of(self.block()) + self.0 % SLOTS_PER_BLOCK * SLOT
    }

    /// Where its data is.
    pub(crate) fn data(self) -> u64 {
        self.code() + HALF
    }

    /// Where its scratch memory is.
    pub(crate) fn scratch(self) -> u64 {
        self.data() + SCRATCH
    }

    /// Where it keeps the result and the stamp.
    pub(crate) fn kept(self) -> u64 {
        self.data() + RESULT
    }

    /// Where in it an instruction pointer is.
    pub(crate) fn at(self, pointer: u64) -> Option<At> {
        match pointer.checked_sub(self.code())? {
            0 => Some(At::Before),
            // The call is two bytes, the instruction that keeps its result seven.
            2 => Some(At::Behind),
            9..SLOT => Some(At::Kept),
            _ => None,
        }
    }
}

/// Where a block's code is.
pub(crate) fn code_of(block: u64) -> u64 {
    BASE + block * 2 * HALF
}

/// Whether an instruction pointer is anywhere in the stub.
pub(crate) fn holds(pointer: u64) -> bool {
    (BASE..BASE + REACH).contains(&pointer)
}

/// The data of a slot before a wait.
pub(crate) fn data(
    args: [u64; 6],
    back: u64,
    scratch: [u8; SCRATCH_LENGTH],
    tells: Option<Tells>,
) -> [u8; DATA_LENGTH] {
    let mut all = [0; DATA_LENGTH];
    for (into, value) in all.chunks_exact_mut(8).zip(args.into_iter().chain([back])) {
        into.copy_from_slice(&value.to_le_bytes());
    }
    let (_, behind_kept) = all.split_at_mut(SCRATCH_FROM);
    let (into, told) = behind_kept.split_at_mut(SCRATCH_LENGTH);
    into.copy_from_slice(&scratch);
    if let Some(tells) = tells {
        let values = [
            tells.address,
            tells.beyond.cast_unsigned(),
            tells.unit_nanos,
        ];
        for (into, value) in told.chunks_exact_mut(8).zip(values) {
            into.copy_from_slice(&value.to_le_bytes());
        }
    }
    all
}

/// Reads what a slot kept.
pub(crate) fn kept(bytes: [u8; 16]) -> Kept {
    let word = |at: usize| {
        u64::from_le_bytes(
            bytes[at..at + 8]
                .try_into()
                .expect("eight bytes are a word"),
        )
    };
    Kept {
        result: word(0).cast_signed(),
        stamp: Some(word(8)).filter(|&stamp| stamp != 0),
    }
}

/// A second in nanoseconds, as an instruction has it.
const SECOND: [u8; 4] = 1_000_000_000_u32.to_le_bytes();

/// Instructions, one after the other.
#[derive(Debug, Default)]
struct Code(Vec<u8>);

impl Code {
    /// One that names a field of the slot's data. It finds it by how far away it is, so the code of all slots is
    /// the same.
    fn with(&mut self, opcode: &[u8], field: u64) {
        self.0.extend(opcode);
        // Counted from the end of the instruction.
        let from = self.0.len() as u64 + 4;
        let distance = u32::try_from(HALF + field - from).expect("the data is near");
        self.0.extend(distance.to_le_bytes());
    }

    fn add(&mut self, instruction: &[u8]) {
        self.0.extend(instruction);
    }
}

/// The code of any slot.
pub(crate) fn code() -> Vec<u8> {
    let mut code = Code::default();
    code.add(&[0x0f, 0x05]); // syscall
    code.with(&[0x48, 0x89, 0x05], RESULT); // mov [result], rax
    code.with(&[0x0f, 0x31, 0x89, 0x05], STAMP); // rdtsc; mov [stamp], eax
    code.with(&[0x89, 0x15], STAMP + 4); // mov [stamp + 4], edx

    // A call changes rcx anyway, and this jump looks at no flag.
    code.with(&[0x48, 0x8b, 0x0d], TELLS); // mov rcx, [tells]
    code.add(&[0xe3, 0]); // jrcxz, over what tells
    let from = code.0.len();
    tell(&mut code);
    code.0[from - 1] = i8::try_from(code.0.len() - from)
        .expect("a short jump")
        .cast_unsigned();

    code.with(&[0x48, 0x8b, 0x3d], 0); // mov rdi, [0]
    code.with(&[0x48, 0x8b, 0x35], 8); // mov rsi, [8]
    code.with(&[0x48, 0x8b, 0x15], 16); // mov rdx, [16]
    code.with(&[0x4c, 0x8b, 0x15], 24); // mov r10, [24]
    code.with(&[0x4c, 0x8b, 0x05], 32); // mov r8, [32]
    code.with(&[0x4c, 0x8b, 0x0d], 40); // mov r9, [40]
    code.with(&[0x48, 0x8b, 0x05], RESULT); // mov rax, [result]
    code.with(&[0xff, 0x25], RETURN); // jmp [return]
    code.0
}

/// Tells the program what is left: what the kernel wrote to the scratch memory, less what is beyond. Nothing is left
/// if that is negative, or if the call returned zero: its time had come.
fn tell(code: &mut Code) {
    code.with(&[0x48, 0x8b, 0x05], SCRATCH); // mov rax, [scratch]
    code.add(&[0xbe]); // mov esi, SECOND
    code.add(&SECOND);
    code.add(&[0x48, 0xf7, 0xe6]); // mul rsi
    code.with(&[0x48, 0x03, 0x05], SCRATCH + 8); // add rax, [scratch + 8]
    code.with(&[0x48, 0x2b, 0x05], BEYOND); // sub rax, [beyond]
    code.add(&[0x48, 0x89, 0xc2]); // mov rdx, rax
    code.add(&[0x48, 0xc1, 0xfa, 0x3f]); // sar rdx, 63
    code.add(&[0x48, 0xf7, 0xd2]); // not rdx
    code.add(&[0x48, 0x21, 0xd0]); // and rax, rdx
    code.with(&[0x48, 0x8b, 0x15], RESULT); // mov rdx, [result]
    code.add(&[0x48, 0xf7, 0xda]); // neg rdx
    code.add(&[0x48, 0x19, 0xd2]); // sbb rdx, rdx
    code.add(&[0x48, 0x21, 0xd0]); // and rax, rdx
    code.add(&[0x31, 0xd2]); // xor edx, edx
    code.add(&[0x48, 0xf7, 0xf6]); // div rsi
    code.add(&[0x48, 0x89, 0x01]); // mov [rcx], rax
    code.add(&[0x89, 0xd0]); // mov eax, edx
    code.add(&[0x31, 0xd2]); // xor edx, edx
    code.with(&[0xf7, 0x35], UNIT); // div dword [unit]
    code.add(&[0x48, 0x89, 0x41, 0x08]); // mov [rcx + 8], rax

    // The call put the flags into r11. All that arithmetic changes are in its lowest byte, but for one. Only the
    // first processors of this kind, before 2006, do not have the last instruction.
    code.add(&[0x41, 0x0f, 0xba, 0xe3, 0x0b]); // bt r11d, 11
    code.add(&[0x0f, 0x92, 0xc0]); // setc al
    code.add(&[0x04, 0x7f]); // add al, 127: overflows if it was set
    code.add(&[0x44, 0x89, 0xd8]); // mov eax, r11d
    code.add(&[0x86, 0xc4]); // xchg ah, al
    code.add(&[0x9e]); // sahf
}

#[cfg(test)]
mod tests;
