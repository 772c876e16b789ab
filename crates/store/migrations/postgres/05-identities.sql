-- People as a sign-in provider (OpenID Connect) names them (docs/reference/dashboard.md).
CREATE TABLE identities (
    id            TEXT COLLATE "C" PRIMARY KEY,
    user_id       TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    issuer        TEXT COLLATE "C" NOT NULL,
    -- The provider's identifier of the person, which never changes. An e-mail address may.
    subject       TEXT COLLATE "C" NOT NULL,
    -- 1: the person came by claims, and each sign-in sets exactly the roles of the mapping.
    manages_roles BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    used_at       BIGINT,
    CONSTRAINT identities_subject UNIQUE (issuer, subject),
    CONSTRAINT identities_of_user UNIQUE (user_id, issuer)
);
