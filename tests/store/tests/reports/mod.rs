mod export;
mod lists;
mod summary;
mod totals;
