mod export;
mod lists;
mod totals;
