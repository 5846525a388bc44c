-- The configuration and other settings of the server, sealed; null from a server of the version before.
alter table served.settings add column more bytea;
