-- The days that a statement covers, first and last, in days since 1970 (UTC): those that its file
-- was imported for, or those of its lines. Payments of these days are compared with the lines.
-- NULL for statements of earlier versions, and for files without lines.
ALTER TABLE statements ADD COLUMN covers_from BIGINT;
ALTER TABLE statements ADD COLUMN covers_to BIGINT;
