import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Category } from '../../domain/aggregates.ts'
import { categoryOf, idOf } from '../../domain/streams.ts'

/** Streams whose later events bring others in: a tag that somebody else takes, a member of a group. */
const openToOthers: readonly (Category | undefined)[] = [
  'email_address',
  'gift',
  'handle',
  'invite',
  'private_channel',
  'registration_url',
  'single_sign_on_identity',
  'store_purchase',
]

/** A member of an event's data that names something by its id or its code. */
const names = /(?:^|[a-z])(?:id|Id|code)$/

/** What an id or a code may look like: not a text of a person, and not a number of the kind that counts. */
const namelike = /^[A-Za-z0-9_-]{2,64}$/

/**
 * What an event's stream concerns, as far as this event tells: the ids in the name of the stream, and those that its first event has
 * as members, for instance the guild of an invite. Of some streams later events too.
 */
export function subjectsOf({
  stream,
  revision,
  data,
}: Pick<RecordedEvent, 'stream' | 'revision' | 'data'>): readonly string[] {
  const isFirst = revision === 0
  if (!isFirst && !openToOthers.includes(categoryOf(stream))) return []
  const named = Object.entries(data).flatMap(([member, value]) =>
    typeof value === 'string' && names.test(member) && namelike.test(value) ? [value] : [],
  )
  const inName = isFirst ? [idOf(stream), ...idOf(stream).split('-')] : []
  return [...new Set([...inName, ...named])]
}
