import { asError } from '../../application/concurrency/as-error.js'
import { atMost, inBatches } from '../../application/concurrency/batches.js'
import { rowOf, sql, type Queries } from '../../application/ports/database.js'
import type { Posted, Posting } from '../../application/ports/messages.js'
import { Unavailable } from '../../application/ports/unavailable.js'
import { writtenColumns } from './message-rows.js'
import { isCounted } from './tallies.js'
import { noticeColumns } from './tell.js'

const together_max = 100
const waiting_max = 10_000

/** More messages wait to be written than the process takes. */
class TooManyMessages extends Unavailable {
  override readonly name = 'TooManyMessages'
  override readonly part = 'requests'
}

/** Whether a message may race another one of its author in its channel. */
export function hasRival({ nonce, slowMode_s = 0 }: Posting): boolean {
  return nonce !== undefined || slowMode_s > 0
}

/** Whether a message is written whatever other messages there are, so that it may go into one statement with others. */
export function isPlain(wanted: Posting): boolean {
  return !hasRival(wanted) && wanted.once_ms === undefined && !isCounted(wanted.telling)
}

/**
 * Posts plain messages. Those that arrive while others are being written go into one statement: the disk is waited for once. If that
 * fails for another reason than that Postgres is unavailable, or an id was there already, `alone` says what becomes of each.
 */
export function postingTogether(
  queries: Queries,
  alone: (wanted: Posting) => Promise<Posted>,
): (wanted: Posting) => Promise<Posted> {
  async function all(postings: readonly Posting[]): Promise<readonly (Posted | Error)[]> {
    const written = await write(queries, postings).catch((error: unknown) => {
      if (error instanceof Unavailable) throw error
      return new Set<string>()
    })
    return Promise.all(
      postings.map(async (wanted): Promise<Posted | Error> => {
        const { message } = wanted
        return written.has(message.id) ? { outcome: 'posted', message } : alone(wanted).catch(asError)
      }),
    )
  }
  const batches = inBatches<Posting, Posted>({
    run: async (postings) => {
      const [first, ...others] = postings
      return first && others.length === 0 ? [await alone(first).catch(asError)] : all(postings)
    },
    begin: atMost(together_max),
    refusal: ({ items }) => (items < waiting_max ? undefined : new TooManyMessages('too many messages wait')),
  })
  return (wanted) => batches.add(wanted)
}

const idRow = rowOf(({ id }: { readonly id: string }) => id)

/** Writes the messages that are not there, with a notice each, in the order of the postings; gives the ids that were written. */
async function write(queries: Queries, postings: readonly Posting[]): Promise<ReadonlySet<string>> {
  const ids = await queries.any(sql.type(idRow)`
    with items as materialized (
      select * from json_to_recordset(${JSON.stringify(postings.map(itemOf))}::json) as i (
        id int8, channel_id int8, guild_id int8, author_id int8, type int2, flags int4, content text, edited_at timestamptz,
        tts bool, mentions_everyone bool, mentions_here bool, mentions int8[], mention_roles int8[], reference jsonb,
        channel_type int2, parent_id int8, recipients int8[], after int8, place int4)
    ), posted as (
      insert into messages.messages (${writtenColumns})
      select ${writtenColumns} from items order by place
      on conflict (channel_id, id) do nothing
      returning id, channel_id
    ), told as (
      insert into messages.notices (${noticeColumns})
      select 'created', i.channel_id, i.channel_type, i.guild_id, i.parent_id, i.recipients, i.after, array[i.id], i.author_id
      from posted p join items i on i.channel_id = p.channel_id and i.id = p.id order by i.place
    )
    select id from posted`)
  return new Set(ids)
}

/** The columns of a message and of its notice, and its place among the postings. */
function itemOf({ message, telling }: Posting, place: number) {
  return {
    id: message.id,
    channel_id: message.channelId,
    guild_id: message.guildId,
    author_id: message.authorId,
    type: message.type,
    flags: message.flags,
    content: message.content,
    edited_at: message.editedAt,
    tts: message.tts,
    mentions_everyone: message.mentionsEveryone,
    mentions_here: message.mentionsHere,
    mentions: message.mentions,
    mention_roles: message.mentionRoles,
    reference: message.reference,
    channel_type: telling.channelType,
    parent_id: telling.parentId,
    recipients: telling.recipients,
    after: telling.after.toString(),
    place,
  }
}
