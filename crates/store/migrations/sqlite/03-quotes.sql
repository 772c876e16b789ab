-- What the operator is asked for, in pesewas, where it is not the amount: with the fee that the payer bears. NULL: the amount.
ALTER TABLE transactions ADD COLUMN payer_pays INTEGER;
-- The operator's fee by the tariff of that moment, in pesewas.
ALTER TABLE transactions ADD COLUMN expected_fee INTEGER;
