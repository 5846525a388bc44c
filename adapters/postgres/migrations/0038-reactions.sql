-- The reactions to messages. One of them is a row; a message also holds how many there are with each emoji, so that lists of messages
-- read them with the messages. Both change in one function, under the lock of the message's row.
create table messages.reactions (
  channel_id bigint           not null,
  message_id bigint           not null,
  -- The emoji itself for one of Unicode, the id of a custom one.
  emoji      text collate "C" not null,
  account_id bigint           not null,
  primary key (channel_id, message_id, emoji, account_id)
);

create index reactions_by_account on messages.reactions (account_id, channel_id, message_id);

-- In the order in which the first of each emoji came: [{"name": "👍", "count": 2}, {"id": "71", "name": "wave", "animated": true,
-- "count": 1}]. Null for none.
alter table messages.messages add column reactions jsonb;

-- The emoji of a reaction, and the session that the request named.
alter table messages.notices add column emoji jsonb;
alter table messages.notices add column session_id text;

-- What tells the emojis of a group, or of a change, apart.
create function messages.emoji_key(emoji jsonb) returns text language sql immutable as $$
  select coalesce(emoji ->> 'id', emoji ->> 'name')
$$;

create function messages.tell_reaction(
  told text, of_channel bigint, of_message bigint, held bigint, place jsonb, account bigint, emoji jsonb, session text
) returns void language plpgsql volatile as $$
begin
  insert into messages.notices
    (kind, channel_id, channel_type, guild_id, parent_id, recipients, after, message_ids, author_id, emoji, session_id)
  values (
    told, of_channel, (place ->> 'channel_type')::int2, (place ->> 'guild_id')::int8, (place ->> 'parent_id')::int8,
    case when jsonb_typeof(place -> 'recipients') = 'array'
      then array(select r::int8 from jsonb_array_elements_text(place -> 'recipients') r) end,
    greatest((place ->> 'after')::int8, held), array[of_message], account, emoji, session);
end
$$;

-- Carries out changes of the reactions to one message, in their order, each with its notice. Gives for each what became of it:
--   unknown  there is no such message
--   added    the reaction is there now
--   present  it was there
--   new      nobody reacted with the emoji yet, and the change may not be the first
--   full     so many accounts or emojis are there already
--   removed  what the change removes is gone, or was not there
-- Each statement of a function sees what was committed before it, so what others did while the lock was waited for counts.
create function messages.change_reactions(
  of_channel bigint, of_message bigint, hidden_types smallint[], held bigint, changes jsonb
) returns table (outcome text) language plpgsql volatile as $$
declare
  groups jsonb;
  kept jsonb;
  of_type smallint;
  is_there boolean;
  change jsonb;
  place jsonb;
  key text;
  account bigint;
  at_index integer;
  users integer;
begin
  select coalesce(m.reactions, '[]'), m.type into groups, of_type from messages.messages m
    where m.channel_id = of_channel and m.id = of_message for no key update;
  is_there := found and not of_type = any(hidden_types);
  kept := groups;
  for change in select c.value from jsonb_array_elements(changes) with ordinality c order by c.ordinality loop
    if not is_there then
      outcome := 'unknown';
      return next;
      continue;
    end if;
    place := change -> 'place';
    key := messages.emoji_key(change -> 'emoji');
    account := (change ->> 'account_id')::int8;
    at_index := (
      select g.ordinality - 1 from jsonb_array_elements(groups) with ordinality g where messages.emoji_key(g.value) = key
    );
    users := coalesce((groups -> at_index ->> 'count')::int, 0);
    case change ->> 'kind'
      when 'add' then
        if exists (
          select from messages.reactions r
          where r.channel_id = of_channel and r.message_id = of_message and r.emoji = key and r.account_id = account
        ) then
          outcome := 'present';
        elsif at_index is null and not (change ->> 'may_be_first')::boolean then
          outcome := 'new';
        elsif users >= (change ->> 'users_max')::int
          or at_index is null and jsonb_array_length(groups) >= (change ->> 'emojis_max')::int then
          outcome := 'full';
        else
          outcome := 'added';
          insert into messages.reactions (channel_id, message_id, emoji, account_id)
            values (of_channel, of_message, key, account);
          perform messages.tell_reaction(
            'reaction_added', of_channel, of_message, held, place, account,
            case when at_index is null then change -> 'emoji' else (groups -> at_index) - 'count' - 'animated' end,
            change ->> 'session_id');
          groups := case
            when at_index is null then groups || jsonb_build_array((change -> 'emoji') || '{"count": 1}')
            else jsonb_set(groups, array[at_index::text, 'count'], to_jsonb(users + 1))
          end;
        end if;
      when 'remove' then
        outcome := 'removed';
        delete from messages.reactions r
          where r.channel_id = of_channel and r.message_id = of_message and r.emoji = key and r.account_id = account;
        if found then
          groups := case
            when users <= 1 then groups - at_index
            else jsonb_set(groups, array[at_index::text, 'count'], to_jsonb(users - 1))
          end;
        end if;
        perform messages.tell_reaction(
          'reaction_removed', of_channel, of_message, held, place, account, (change -> 'emoji') - 'animated',
          change ->> 'session_id');
      when 'remove_emoji' then
        outcome := 'removed';
        delete from messages.reactions r
          where r.channel_id = of_channel and r.message_id = of_message and r.emoji = key;
        if at_index is not null then groups := groups - at_index; end if;
        perform messages.tell_reaction(
          'reactions_of_emoji_removed', of_channel, of_message, held, place, null, (change -> 'emoji') - 'animated', null);
      when 'remove_all' then
        outcome := 'removed';
        delete from messages.reactions r where r.channel_id = of_channel and r.message_id = of_message;
        groups := '[]';
        perform messages.tell_reaction('reactions_removed', of_channel, of_message, held, place, null, null, null);
    end case;
    return next;
  end loop;
  if groups <> kept then
    update messages.messages m set reactions = nullif(groups, '[]')
      where m.channel_id = of_channel and m.id = of_message;
  end if;
end
$$;

-- Removes an account's reactions to so many messages, and gives to how many. Nobody is told.
create function messages.drop_reactions_of(of_account bigint, messages_max integer) returns integer
language plpgsql volatile as $$
declare
  reacted record;
  gone text[];
  passed integer := 0;
begin
  for reacted in
    select distinct r.channel_id, r.message_id from messages.reactions r where r.account_id = of_account
    order by r.channel_id, r.message_id limit messages_max
  loop
    passed := passed + 1;
    perform from messages.messages m where m.channel_id = reacted.channel_id and m.id = reacted.message_id for no key update;
    with deleted as (
      delete from messages.reactions r
      where r.account_id = of_account and r.channel_id = reacted.channel_id and r.message_id = reacted.message_id
      returning r.emoji
    )
    select coalesce(array_agg(d.emoji), '{}') into gone from deleted d;
    update messages.messages m set reactions = (
      select jsonb_agg(
        case when messages.emoji_key(g.value) = any(gone)
          then jsonb_set(g.value, '{count}', to_jsonb((g.value ->> 'count')::int - 1)) else g.value end
        order by g.ordinality)
      from jsonb_array_elements(m.reactions) with ordinality g
      where messages.emoji_key(g.value) <> all(gone) or (g.value ->> 'count')::int > 1
    ) where m.channel_id = reacted.channel_id and m.id = reacted.message_id and gone <> '{}';
  end loop;
  return passed;
end
$$;

-- A message takes its reactions along, whatever deletes it: also one that was added while the deletion waited for its lock.
create function messages.drop_reactions_with_messages() returns trigger language plpgsql as $$
begin
  if exists (select from gone g where g.reactions is not null) then
    delete from messages.reactions r using gone g
      where g.reactions is not null and r.channel_id = g.channel_id and r.message_id = g.id;
  end if;
  return null;
end
$$;

create trigger drop_reactions after delete on messages.messages referencing old table as gone
  for each statement execute function messages.drop_reactions_with_messages();
