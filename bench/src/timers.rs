//! Timer queues, side by side.
mod structures;
mod workload;
use structures::*;
pub fn quick() {
    let sizes: Vec<u64> = std::env::args()
        .skip(2)
        .filter_map(|s| s.parse().ok())
        .collect();
    let all = std::env::args().any(|a| a == "all");
    for n in sizes {
        for seed in 0..3 {
            let w = workload::Workload { timers: n, seed };
            println!("{n} punctual {:.1?}", w.run::<punctual::Punctual>());
            if all && seed == 0 {
                println!("{n} heap {:.1?}", w.run::<binary_heap::LazyHeap>());
                println!("{n} btree {:.1?}", w.run::<btree_map::Sorted>());
                println!("{n} nexus {:.1?}", w.run::<nexus::Nexus>());
                println!("{n} tokio {:.1?}", w.run::<tokio_util::TokioUtil>());
                println!(
                    "{n} hier {:.1?}",
                    w.run::<hierarchical_hash_wheel::HierarchicalHashWheel>()
                );
            }
        }
    }
}
