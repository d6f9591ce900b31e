use super::*;

#[test]
fn the_code_fits_and_names_the_data_of_its_slot() {
    let code = code();
    assert!(code.len() as u64 <= SLOT, "{} bytes", code.len());
    // Each instruction that has a distance: where it stands, its opcode's length, the field it names.
    let behind = 128;
    let named = [
        (2, 3, RESULT),
        (9, 4, STAMP),
        (17, 2, STAMP + 4),
        (23, 3, TELLS),
        (32, 3, SCRATCH),
        (47, 3, SCRATCH + 8),
        (54, 3, BEYOND),
        (74, 3, RESULT),
        (102, 2, UNIT),
        (behind, 3, 0),
        (behind + 7, 3, 8),
        (behind + 14, 3, 16),
        (behind + 21, 3, 24),
        (behind + 28, 3, 32),
        (behind + 35, 3, 40),
        (behind + 42, 3, RESULT),
        (behind + 49, 2, RETURN),
    ];
    for (at, opcode, field) in named {
        let from = at + opcode;
        let distance: [u8; 4] = code[from..from + 4].try_into().expect("four bytes");
        let reaches = from as u64 + 4 + u64::from(u32::from_le_bytes(distance));
        assert_eq!(reaches, HALF + field, "the instruction at {at}");
    }
    assert_eq!(code.len(), behind + 55);
}

#[test]
fn slots_do_not_overlap_and_stay_within_reach() {
    assert!(DATA_LENGTH as u64 <= SLOT);
    assert_eq!(SCRATCH, SCRATCH_FROM as u64);
    let last = Slot(SLOTS - 1);
    assert!(holds(last.code()));
    assert!(holds(last.data() + SLOT - 1));
    assert!(!holds(last.data() + SLOT));
    let block = Slot(SLOTS_PER_BLOCK);
    assert_eq!(block.code(), code_of(1));
    assert_eq!(Slot(SLOTS_PER_BLOCK - 1).data() + SLOT, block.code());
    assert_eq!(Slot(1).code() - Slot(0).code(), SLOT);
}

#[test]
fn a_thread_is_found_in_its_slot() {
    let slot = Slot(7);
    assert_eq!(slot.at(slot.code()), Some(At::Before));
    assert_eq!(slot.at(slot.code() + 2), Some(At::Behind));
    assert_eq!(slot.at(slot.code() + 9), Some(At::Kept));
    assert_eq!(slot.at(slot.code() + 72), Some(At::Kept));
    assert_eq!(slot.at(slot.code() - 1), None);
    assert_eq!(slot.at(Slot(8).code()), None);
}

#[test]
fn data_is_where_the_code_takes_it() {
    let data = data([1, 2, 3, 4, 5, 6], 0x1234, [9; SCRATCH_LENGTH], None);
    assert_eq!(data[0], 1);
    assert_eq!(data[40], 6);
    assert_eq!(data[48..50], [0x34, 0x12]);
    assert_eq!(data[72..104], [9; SCRATCH_LENGTH]);
    // Nothing is told.
    assert_eq!(data[104..112], [0; 8]);
    // No result yet, and no stamp.
    let fresh: [u8; 16] = data[56..72].try_into().expect("sixteen bytes");
    assert_eq!(
        kept(fresh),
        Kept {
            result: 0,
            stamp: None
        }
    );
    let mut over = fresh;
    over[..8].copy_from_slice(&(-110_i64).to_le_bytes());
    over[8] = 5;
    assert_eq!(
        kept(over),
        Kept {
            result: -110,
            stamp: Some(5)
        }
    );
}
