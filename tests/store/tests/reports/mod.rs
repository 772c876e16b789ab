mod export;
mod lists;
mod selections;
mod summary;
mod totals;
