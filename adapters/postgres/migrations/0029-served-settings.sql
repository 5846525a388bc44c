create schema served;

-- What the API that started last is set up with, for commands that are run without its settings.
create table served.settings (
  only_row      boolean primary key default true check (only_row),
  service_name  text    not null,
  public_url    text    not null,
  webapp_url    text    not null,
  hosted        boolean not null,
  can_send_mail boolean not null
);
