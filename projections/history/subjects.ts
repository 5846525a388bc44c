import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { idOf } from '../../domain/streams.ts'

/** Events by which a stream that stands already comes to concern somebody else: a tag that another takes, a member of a group. */
const bringing: ReadonlySet<string> = new Set([
  'CustomCodeClaimed',
  'EmailAddressAwaited',
  'EmailAddressClaimed',
  'GiftRedeemed',
  'GroupRecipientAdded',
  'HandleClaimed',
  'RegistrationUrlUsed',
  'SingleSignOnIdentityClaimed',
  'StorePurchaseLinked',
])

/** The members of an event's data that name what people ask for. Each costs a row with the first event of a stream. */
const naming: ReadonlySet<string> = new Set([
  'accountId',
  'code',
  'creatorId',
  'guildId',
  'inviterId',
  'ownerId',
  'parentId',
])

/** What an id or a code may look like: not a text of a person, and not a number of the kind that counts. */
const namelike = /^[A-Za-z0-9_-]{2,64}$/

/**
 * What an event's stream concerns, as far as this event tells: the ids within that in the name of the stream, and those that its first
 * event has as members, for instance the guild of an invite. Later events too, where they bring in somebody else. Not the id in the name
 * itself, by which the stream is found without a row.
 */
export function subjectsOf({
  stream,
  revision,
  type,
  data,
}: Pick<RecordedEvent, 'stream' | 'revision' | 'type' | 'data'>): readonly string[] {
  const isFirst = revision === 0
  if (!isFirst && !bringing.has(type)) return []
  const named = Object.entries(data).flatMap(([member, value]) =>
    typeof value === 'string' && naming.has(member) && namelike.test(value) ? [value] : [],
  )
  const id = idOf(stream)
  const within = id.split('-')
  const wanted = isFirst ? [...within, ...named] : named.filter((name) => !within.includes(name))
  return [...new Set(wanted)].filter((name) => name !== id)
}
