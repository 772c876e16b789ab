//! Values that operators define.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    sync::Arc,
};

/// One value of each type that an operator defines. A type that was not set has its default.
#[derive(Clone, Default)]
pub struct PerOperator(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl PerOperator {
    /// The value of this type.
    #[must_use]
    pub fn get<T: Any + Clone + Default>(&self) -> T {
        let found = self.0.get(&TypeId::of::<T>()).and_then(|value| value.downcast_ref::<T>());
        found.cloned().unwrap_or_default()
    }

    /// Sets the value of this type.
    pub fn set<T: Any + Send + Sync>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// The same with another value of this type.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.set(value);
        self
    }
}

/// How many values were set. They are credentials in part.
impl fmt::Debug for PerOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PerOperator").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_value_or_its_default() {
        let values = PerOperator::default().with(7_u8).with("a".to_owned()).with(8_u8);
        assert_eq!((values.get::<u8>(), values.get::<String>()), (8, "a".to_owned()));
        assert_eq!(values.get::<i64>(), 0);
        assert_eq!(format!("{values:?}"), "PerOperator(2)");
    }
}
