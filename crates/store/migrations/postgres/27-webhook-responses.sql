-- The beginning of the body with which an endpoint responded to the last attempt; NULL where it was empty, or there was no
-- response.
ALTER TABLE webhook_deliveries ADD COLUMN response TEXT COLLATE "C";
