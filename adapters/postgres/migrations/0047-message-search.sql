-- The words and terms by which a message is found (domain/messages/search-terms.ts); null until they are computed. A process that
-- posts a message writes them with it. Whatever else changes what they follow from empties them, and a worker computes them anew.
alter table messages.messages add column words tsvector;

create index messages_words on messages.messages using gin (words) with (gin_pending_list_limit = 512);
create index messages_without_words on messages.messages (channel_id, id) where words is null;

create function messages.empty_words() returns trigger language plpgsql as $$
begin
  new.words := null;
  return new;
end
$$;

create trigger empty_words before update of content, flags, embeds, attachments, snapshots, mentions on messages.messages
  for each row when (
    (old.content, old.flags & 4, old.embeds, old.attachments, old.snapshots, old.mentions)
      is distinct from (new.content, new.flags & 4, new.embeds, new.attachments, new.snapshots, new.mentions))
  execute function messages.empty_words();
