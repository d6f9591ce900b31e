//! Everything that is not due next: lists of entries in a radix tree that is only as deep as the
//! front of the queue needs.

use super::lists::{Entry, List, Lists, NONE};
use alloc::vec::Vec;

/// Bits of `latest` that a node tells apart: at most as many children as a word has bits.
const BITS: u32 = 6;
pub(super) const CHILDREN: usize = 1 << BITS;

/// A radix tree over `latest`. Its leaves are lists in order of insertion; a leaf is cut up only
/// when it is the first of all, and then by three bits or more: an entry moves at most 22 times and
/// mostly one or two.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub lists: Lists,
    root: Child,
    nodes: Vec<Node>,
    free: Vec<u32>,
}

/// What is below a place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Child {
    Nothing,
    List(List),
    Node(u32),
}

/// Where a child hangs. No node: the root.
#[derive(Debug, Clone, Copy)]
struct Place {
    node: Option<u32>,
    digit: u32,
}

const ROOT: Place = Place {
    node: None,
    digit: 0,
};

/// Tells 64 spans of time apart, each `1 << shift` nanoseconds long.
#[derive(Debug, Clone)]
struct Node {
    /// Where it hangs.
    parent: Place,
    /// Where the first span starts.
    start: u64,
    shift: u32,
    /// Which children there are.
    occupied: u64,
    /// Which of them are nodes. The others are lists.
    inner: u64,
    children: [u32; CHILDREN],
}

/// What is first in the tree.
pub(super) struct Leaf {
    pub list: List,
    /// Nothing that is left in the tree is before this.
    pub end: u64,
    /// How many dead entries were dropped on the way to it.
    pub dropped: usize,
}

/// A list of more entries is cut up: a timer that is due next is inserted by moving those that are
/// due before it. (This and the two below are what `bench -- timers` was fastest with.)
const LEAF: usize = 512;

/// What is cut up is cut into so many lists that about so many entries are in each if they are
/// spread evenly.
const PART: usize = 128;

/// A leaf of fewer entries is taken together with those that follow.
const ENOUGH: usize = 64;

impl Tree {
    pub const fn new() -> Self {
        Self {
            lists: Lists::new(),
            root: Child::Nothing,
            nodes: Vec::new(),
            free: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.root == Child::Nothing
    }

    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.lists.clear();
        self.root = Child::Nothing;
        self.nodes.clear();
        self.free.clear();
    }

    /// Puts an entry behind all that have the same `latest`.
    // The fewer instructions, the more insertions whose memory the processor waits for at once.
    #[inline(always)]
    pub fn insert(&mut self, entry: Entry) {
        let mut below = self.root;
        if let Child::List(list) = below {
            self.root = Child::List(self.lists.push(list, entry));
            return;
        }
        while let Child::Node(index) = below {
            let node = &mut self.nodes[index as usize];
            let Some(digit) = node.digit(entry.latest) else {
                break;
            };
            below = node.child(digit);
            if let Child::List(list) = below {
                node.children[digit as usize] = self.lists.push(list, entry).0;
                return;
            }
        }
        self.insert_where_no_list_is(entry);
    }

    #[cold]
    fn insert_where_no_list_is(&mut self, entry: Entry) {
        let place = self.place_of(entry.latest);
        let list = match self.child(place) {
            Child::List(list) => self.lists.push(list, entry),
            _ => self.lists.single(entry),
        };
        self.set(place, Child::List(list));
    }

    /// Puts entries of one `latest` before all that have the same.
    pub fn prepend(&mut self, latest: u64, list: List) {
        let place = self.place_of(latest);
        let list = match self.child(place) {
            Child::List(after) => self.lists.concatenate(list, after),
            _ => list,
        };
        self.set(place, Child::List(list));
    }

    /// Takes what is first: a few lists, or one that was cut up until it is short or all of one
    /// instant. If asked to, drops the dead from what is cut up.
    pub fn take_first(
        &mut self,
        drops_dead: bool,
        is_live: impl Fn(Entry) -> bool,
    ) -> Option<Leaf> {
        let mut dropped = 0;
        loop {
            let (place, list, end) = self.first()?;
            let mut len = self.lists.len_to(list, LEAF);
            if len > LEAF && drops_dead {
                dropped += self.lists.retain(list, &is_live);
                len = self.lists.len_to(list, LEAF);
            }
            if len <= LEAF {
                let (list, end) = self.detach_with_followers(place, list, end, len);
                return Some(Leaf { list, end, dropped });
            }
            let (latest, differences) = self.lists.spread(list);
            if differences == 0 {
                self.detach(place);
                // What is yet to come at this instant is appended in the tree.
                let end = latest;
                return Some(Leaf { list, end, dropped });
            }
            // The entries spread over more than half of what their differences span.
            let parts = self.lists.len_to(list, CHILDREN * PART) / PART;
            let bits = (parts.ilog2() + 1).min(BITS);
            let shift = (differences.ilog2() + 1).saturating_sub(bits);
            let node = self.allocate(Node::new(latest, shift, place));
            self.set(place, Child::Node(node));
            self.distribute(list, node);
        }
    }

    /// Detaches a list, and those after it in the same node until there are enough entries.
    /// Returns all as one, and the end of what they span.
    fn detach_with_followers(
        &mut self,
        mut place: Place,
        mut list: List,
        mut end: u64,
        mut len: usize,
    ) -> (List, u64) {
        while len < ENOUGH {
            let Some((next_place, next, next_end)) = self.follower(place) else {
                break;
            };
            len += self.lists.len_to(next, LEAF);
            if len > LEAF {
                break;
            }
            self.set(place, Child::Nothing);
            list = self.lists.concatenate(list, next);
            (place, end) = (next_place, next_end);
        }
        self.detach(place);
        (list, end)
    }

    /// Where the list of this instant hangs, or would: makes the node if there is none yet.
    fn place_of(&mut self, latest: u64) -> Place {
        let mut place = ROOT;
        while let Child::Node(index) = self.child(place) {
            let node = &self.nodes[index as usize];
            match node.digit(latest) {
                Some(digit) => {
                    place = Place {
                        node: Some(index),
                        digit,
                    }
                }
                None => {
                    // This instant is beyond what the node spans: one that spans both goes between.
                    let start = node.start;
                    // As fine as tells these two apart, but so that one child spans the whole node.
                    let highest_difference = (start ^ latest).ilog2();
                    let shift = (highest_difference + 1 - BITS).max(node.shift + BITS);
                    let above = self.allocate(Node::new(start, shift, place));
                    let digit = self.nodes[above as usize].digit_within(start);
                    let below = Place {
                        node: Some(above),
                        digit,
                    };
                    self.nodes[index as usize].parent = below;
                    self.set(below, Child::Node(index));
                    self.set(place, Child::Node(above));
                }
            }
        }
        place
    }

    /// The first list, where it hangs, and the end of what it spans.
    fn first(&self) -> Option<(Place, List, u64)> {
        let (mut place, mut end) = (ROOT, u64::MAX);
        loop {
            match self.child(place) {
                Child::Nothing => return None,
                Child::List(list) => return Some((place, list, end)),
                Child::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let digit = node.occupied.trailing_zeros();
                    end = node.end_of(digit);
                    place = Place {
                        node: Some(index),
                        digit,
                    };
                }
            }
        }
    }

    /// What comes after a place in its node, if it is a list, and the end of what that spans.
    fn follower(&self, place: Place) -> Option<(Place, List, u64)> {
        let node = &self.nodes[place.node? as usize];
        let after = node.occupied & (u64::MAX << place.digit << 1);
        if after == 0 {
            return None;
        }
        let digit = after.trailing_zeros();
        match node.child(digit) {
            Child::List(list) => Some((Place { digit, ..place }, list, node.end_of(digit))),
            _ => None,
        }
    }

    fn distribute(&mut self, list: List, node: u32) {
        let node = &mut self.nodes[node as usize];
        node.children = self
            .lists
            .distribute(list, |latest| node.digit_within(latest));
        for (digit, &list) in (0..).zip(&node.children) {
            node.occupied |= u64::from(list != NONE) << digit;
        }
    }

    fn child(&self, place: Place) -> Child {
        match place.node {
            None => self.root,
            Some(node) => self.nodes[node as usize].child(place.digit),
        }
    }

    fn set(&mut self, place: Place, child: Child) {
        match place.node {
            None => self.root = child,
            Some(node) => self.nodes[node as usize].set(place.digit, child),
        }
    }

    /// Takes a child away, and the nodes above it that this leaves without children.
    fn detach(&mut self, mut place: Place) {
        self.set(place, Child::Nothing);
        while let Some(index) = place.node {
            let node = &self.nodes[index as usize];
            if node.occupied != 0 {
                return;
            }
            place = node.parent;
            self.set(place, Child::Nothing);
            self.free.push(index);
        }
    }

    fn allocate(&mut self, node: Node) -> u32 {
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index;
        }
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("fewer nodes than timers")
    }
}

impl Node {
    /// A node without children whose spans are as long as the shift says, one of which has this
    /// instant in it.
    fn new(latest: u64, shift: u32, parent: Place) -> Self {
        Self {
            parent,
            // Two steps, because together they may be the whole of a word.
            start: latest >> shift >> BITS << BITS << shift,
            shift,
            occupied: 0,
            inner: 0,
            children: [0; CHILDREN],
        }
    }

    /// The child that spans this instant, if any does.
    #[inline]
    fn digit(&self, latest: u64) -> Option<u32> {
        // Within the span only the bits of the digit and those below it differ from the start.
        let digit = (latest ^ self.start) >> self.shift;
        (digit < CHILDREN as u64).then(|| self.digit_within(latest))
    }

    /// The child that spans this instant, which is within what the node spans.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "six bits")]
    fn digit_within(&self, latest: u64) -> u32 {
        (latest >> self.shift) as u32 % CHILDREN as u32
    }

    /// The end of what a child spans.
    fn end_of(&self, digit: u32) -> u64 {
        let start = self.start + (u64::from(digit) << self.shift);
        start.saturating_add(1 << self.shift)
    }

    #[inline]
    fn child(&self, digit: u32) -> Child {
        let child = self.children[digit as usize];
        if self.occupied & (1 << digit) == 0 {
            Child::Nothing
        } else if self.inner & (1 << digit) == 0 {
            Child::List(List(child))
        } else {
            Child::Node(child)
        }
    }

    fn set(&mut self, digit: u32, child: Child) {
        let bit = 1 << digit;
        self.occupied |= bit;
        self.inner &= !bit;
        match child {
            Child::Nothing => self.occupied &= !bit,
            Child::List(List(list)) => self.children[digit as usize] = list,
            Child::Node(node) => {
                self.inner |= bit;
                self.children[digit as usize] = node;
            }
        }
    }
}
