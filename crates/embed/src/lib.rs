//! The face of the checkout component in a page: mount() and <tua-checkout>
