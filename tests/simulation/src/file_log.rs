//! A file as its process sees it, and as it may be after a loss of power.

/// The unit that a disk writes whole, in bytes.
const SECTOR: usize = 512;

/// What a loss of power leaves of the writes that were not synced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survival {
    /// Only what was synced.
    Nothing,
    /// Also everything that was not synced.
    All,
    /// The first half, in the order of writing. The write in the middle is cut at a sector.
    Prefix,
    /// A part that this seed chooses, sector by sector, in no order. The last sector is never in
    /// it.
    Sectors(u64),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Durability {
    /// The next sync makes it durable.
    Pending,
    /// Its sync failed: it may be lost, whatever is synced later.
    Doubtful,
    /// It is durable, but an earlier change may be lost.
    Durable,
}

/// The content of a file, with the changes since it was certainly durable.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct FileLog {
    content: Vec<u8>,
    durable: Vec<u8>,
    changes: Vec<(Durability, Change)>,
}

impl FileLog {
    /// What a process reads.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// Writes at an offset; a gap is filled with zeros.
    pub fn write(&mut self, offset: u64, data: &[u8]) {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        self.change(Change::Write(offset, data.to_vec()));
    }

    /// Cuts or extends the file.
    pub fn truncate(&mut self, length: u64) {
        self.change(Change::Truncate(usize::try_from(length).unwrap_or(usize::MAX)));
    }

    fn change(&mut self, change: Change) {
        apply(&mut self.content, &change);
        self.changes.push((Durability::Pending, change));
    }

    /// Makes all changes durable, except those whose sync failed.
    pub fn sync(&mut self) {
        for (durability, _) in &mut self.changes {
            if *durability == Durability::Pending {
                *durability = Durability::Durable;
            }
        }
        if self.changes.iter().all(|(durability, _)| *durability == Durability::Durable) {
            for (_, change) in self.changes.drain(..) {
                apply(&mut self.durable, &change);
            }
        }
    }

    /// Leaves it open whether the changes since the last sync will be durable.
    pub fn fail_sync(&mut self) {
        for (durability, _) in &mut self.changes {
            if *durability == Durability::Pending {
                *durability = Durability::Doubtful;
            }
        }
    }

    /// The file after a loss of power.
    #[must_use]
    pub fn after_loss(&self, survival: Survival) -> Self {
        let is_uncertain = |durability: &Durability| *durability != Durability::Durable;
        let uncertain = self.changes.iter().filter(|(one, _)| is_uncertain(one)).count();
        let mut content = self.durable.clone();
        let mut seen = 0;
        for (durability, change) in &self.changes {
            if !is_uncertain(durability) {
                apply(&mut content, change);
                continue;
            }
            seen += 1;
            match survival {
                Survival::Nothing => {}
                Survival::All => apply(&mut content, change),
                Survival::Prefix if seen * 2 <= uncertain => apply(&mut content, change),
                Survival::Prefix if seen == uncertain / 2 + 1 => {
                    apply_sectors(&mut content, change, |sector, count| sector < count / 2);
                }
                Survival::Prefix => {}
                Survival::Sectors(seed) => {
                    let mut random = fastrand::Rng::with_seed(seed ^ seen as u64);
                    let is_last = seen == uncertain;
                    apply_sectors(&mut content, change, |sector, count| {
                        random.bool() && !(is_last && sector + 1 == count)
                    });
                }
            }
        }
        Self { durable: content.clone(), content, changes: Vec::new() }
    }
}

fn apply(content: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Truncate(length) => content.resize(*length, 0),
        Change::Write(offset, data) => {
            let end = offset + data.len();
            if content.len() < end {
                content.resize(end, 0);
            }
            content[*offset..end].copy_from_slice(data);
        }
    }
}

/// Applies the sectors of a write that `keeps` chooses by their number and count; a truncation as
/// one sector.
fn apply_sectors(
    content: &mut Vec<u8>,
    change: &Change,
    mut keeps: impl FnMut(usize, usize) -> bool,
) {
    match change {
        Change::Truncate(_) => {
            if keeps(0, 1) {
                apply(content, change);
            }
        }
        Change::Write(offset, data) => {
            let count = data.len().div_ceil(SECTOR);
            for (number, sector) in data.chunks(SECTOR).enumerate() {
                if keeps(number, count) {
                    apply(content, &Change::Write(offset + number * SECTOR, sector.to_vec()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_synced_survives_for_certain() {
        let mut file = FileLog::default();
        file.write(0, b"durable");
        file.sync();
        file.write(0, b"written");
        assert_eq!(file.content(), b"written");
        assert_eq!(file.after_loss(Survival::Nothing).content(), b"durable");
        assert_eq!(file.after_loss(Survival::All).content(), b"written");
    }

    #[test]
    fn what_a_failed_sync_leaves_open_is_not_certain_after_a_later_sync() {
        let mut file = FileLog::default();
        file.write(0, b"aaaa");
        file.fail_sync();
        file.write(2, b"bb");
        file.sync();
        assert_eq!(file.after_loss(Survival::Nothing).content(), b"\0\0bb");
        assert_eq!(file.after_loss(Survival::All).content(), b"aabb");
    }

    #[test]
    fn a_write_is_torn_at_sectors_and_never_whole() {
        let mut file = FileLog::default();
        file.write(0, &[1; 4 * SECTOR]);
        for seed in 0..100 {
            let torn = file.after_loss(Survival::Sectors(seed));
            assert!(torn.content().len() < 4 * SECTOR);
        }
        let mut torn = (0..100).map(|seed| file.after_loss(Survival::Sectors(seed)));
        assert!(torn.any(|torn| torn.content().contains(&1)), "a part of it can survive");
    }
}
