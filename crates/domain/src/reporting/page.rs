//! Pages of a list, newest first, that can be read forwards and backwards.

use crate::{Transaction, listing::Cursor};

/// Where a page begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Position {
    /// With the newest transaction.
    #[default]
    First,
    /// With the next older one after this position.
    After(Cursor),
    /// It ends with the next newer one before this position.
    Before(Cursor),
}

/// Which page of a report's list to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportPageRequest {
    /// The maximum number of transactions.
    pub limit: u32,
    /// Where the page begins in the list, or ends if it is read backwards.
    pub position: Position,
}

/// A page, with the positions of the pages before and after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListPage {
    /// The transactions, newest first.
    pub transactions: Vec<Transaction>,
    /// The page of newer transactions, if there is one.
    pub newer: Option<Cursor>,
    /// The page of older transactions, if there is one.
    pub older: Option<Cursor>,
}

impl ListPage {
    /// A page from what the store found: newest first, and one transaction more than `limit` if
    /// there are more.
    #[must_use]
    pub fn of(mut found: Vec<Transaction>, limit: usize, position: &Position) -> Self {
        let has_more = found.len() > limit;
        if has_more {
            match position {
                Position::First | Position::After(_) => found.truncate(limit),
                // The list was read backwards, so the additional one is the newest.
                Position::Before(_) => drop(found.drain(..found.len() - limit)),
            }
        }
        let (has_newer, has_older) = match position {
            Position::First => (false, has_more),
            Position::After(_) => (true, has_more),
            Position::Before(_) => (has_more, true),
        };
        let newer = found.first().filter(|_| has_newer).map(Cursor::after);
        let older = found.last().filter(|_| has_older).map(Cursor::after);
        Self { transactions: found, newer, older }
    }
}
