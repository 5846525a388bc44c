-- Reports, without anything that is personal to somebody.
create table reports (
  report_id         int8         primary key,
  reporter_id       int8         not null,
  -- message, user or guild.
  kind              text         not null,
  category          text         not null,
  reported_at       timestamptz  not null,
  -- The author of a message, or the account itself.
  account_id        int8,
  guild_id          int8,
  guild_name        text,
  guild_icon        text,
  guild_nsfw        boolean,
  channel_id        int8,
  channel_name      text,
  channel_nsfw      boolean,
  message_id        int8,
  guild_context_id  int8,
  invite_code       text,
  claimed_by        int8,
  claimed_at        timestamptz,
  -- Null while pending.
  resolved_by       int8,
  resolved_at       timestamptz
);

create index reports_pending on reports (report_id) where resolved_at is null;
create index reports_by_account on reports (account_id, report_id);
create index reports_by_reporter on reports (reporter_id, report_id);

-- What is personal to the reporter. It goes with the reporter.
create table words (
  report_id        int8  primary key,
  reporter_id      int8  not null,
  additional_info  text,
  public_comment   text
);

create index words_by_reporter on words (reporter_id);

-- What is personal to the reported account. It goes with that account.
create table evidence (
  report_id   int8   primary key,
  account_id  int8   not null,
  profile     jsonb,
  messages    jsonb
);

create index evidence_by_account on evidence (account_id);
