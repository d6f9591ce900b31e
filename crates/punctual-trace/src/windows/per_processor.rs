//! Something of every processor.

/// Something of every processor, up to the highest that was asked for.
#[derive(Debug, Clone)]
pub(super) struct PerProcessor<T>(Vec<T>);

impl<T> Default for PerProcessor<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> PerProcessor<T> {
    pub(super) fn get(&self, processor: u16) -> Option<&T> {
        self.0.get(usize::from(processor))
    }

    pub(super) fn of(&mut self, processor: u16) -> &mut T {
        let index = usize::from(processor);
        if self.0.len() <= index {
            self.0.resize_with(index + 1, T::default);
        }
        &mut self.0[index]
    }

    pub(super) fn into_all(self) -> impl Iterator<Item = T> {
        self.0.into_iter()
    }

    /// Each with its number.
    pub(super) fn all(&self) -> impl Iterator<Item = (u16, &T)> {
        (0..=u16::MAX).zip(&self.0)
    }
}
