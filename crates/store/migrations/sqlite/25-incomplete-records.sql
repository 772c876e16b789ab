-- Of the record of a scope's events: since when it is to get the events from before it began. NULL once it has them.
ALTER TABLE webhook_endpoints ADD COLUMN incomplete_since INTEGER;
