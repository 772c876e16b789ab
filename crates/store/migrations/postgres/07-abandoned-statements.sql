-- When people gave up an import whose file is lost. Its lines stay, because each of them was checked.
ALTER TABLE statements ADD COLUMN abandoned_at BIGINT;
