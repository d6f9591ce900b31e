//! The code of a slot, in the processor's own language.

use super::{BEYOND, HALF, RESULT, RETURN, SCRATCH, STAMP, TELLS, UNIT};

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
