-- A removed member kept the identity at a provider, so that person could not sign in with it again.
delete from identities using users where users.id = identities.user_id and users.removed_at is not null;
