-- Archives are of accounts (user) or of guilds.
alter table archives.archives rename column account_id to subject_id;
alter table archives.archives add column subject_type text not null default 'user';
alter index archives.archives_of_account rename to archives_of_subject;
