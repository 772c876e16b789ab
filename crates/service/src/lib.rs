//! The payments service behind Tua
