-- People as a sign-in provider (OpenID Connect) names them (docs/reference/dashboard.md).
CREATE TABLE identities (
    id            TEXT PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id),
    issuer        TEXT NOT NULL,
    -- The provider's identifier of the person, which never changes. An e-mail address may.
    subject       TEXT NOT NULL,
    -- 1: the person came by claims, and each sign-in sets exactly the roles of the mapping.
    manages_roles INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    used_at       INTEGER,
    CONSTRAINT identities_subject UNIQUE (issuer, subject),
    CONSTRAINT identities_of_user UNIQUE (user_id, issuer)
) STRICT, WITHOUT ROWID;
