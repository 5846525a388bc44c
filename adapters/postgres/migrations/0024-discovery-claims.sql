create schema discovery_claims;

-- Which administrator reviews the application of which guild. Rows that have ended are removed by the next claim.
create table discovery_claims.claims (
  guild_id       int8         primary key,
  claimed_by     int8         not null,
  claimed_until  timestamptz  not null
);
