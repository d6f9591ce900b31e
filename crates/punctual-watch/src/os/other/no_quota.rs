//! Systems that tell nothing for how long a quota held a program back. Programs on Windows can be limited by a job,
//! which does not.

/// Never known.
#[derive(Debug, Default)]
pub(crate) struct OwnQuota {}

impl OwnQuota {
    /// There is nothing to find.
    pub(crate) fn find(&self) {
        let Self {} = self;
    }

    /// Never known.
    pub(crate) fn throttled_ns(&self) -> Option<u64> {
        let Self {} = self;
        None
    }
}
