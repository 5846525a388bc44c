import type { GuildState } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { InviteState } from '../../../domain/invite/state.ts'
import { categoryOf, streamName, type StreamName } from '../../../domain/streams.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { ChangedStream } from '../../ports/queries/history-queries.ts'
import { inWords, type GuildNames } from './changes-in-words.ts'
import type { Json } from './differences.ts'
import type { Revealed } from './masked-event.ts'
import { atEnd, beforeFirst, type Moment } from './moments.ts'
import { revealedTo } from './read-stream.ts'
import { objectOfDifference, type DifferenceObject } from './objects-for-readers.ts'
import { streamDifference, type MadeDifference, type StreamDifference } from './stream-differences.ts'
import { stateAs } from './stream-states.ts'
import { isTo, reads_max, streamsThatChanged } from './streams-of-guild.ts'

/** Between which times, from the founding on and until now where nothing is said, and which page of the changes. */
export interface GuildSpan {
  readonly from?: Timestamp | undefined
  readonly to?: Timestamp | undefined
  /** That of an event: the page has what later ones made. */
  readonly after?: Position | undefined
  /** How many changes; those that one event made stay together, also beyond it. */
  readonly limit: number
}

/** A difference of a guild between two moments, in words, with the event that made it. */
export interface GuildChangeObject extends DifferenceObject {
  readonly text: string
  readonly stream: string
}

/** A page of the differences, in the order of the events that made them. */
export interface GuildChangesObject {
  readonly changes: readonly GuildChangeObject[]
  /** Whether more follow, after the position of the last one's event. */
  readonly truncated: boolean
}

/** What differs in a guild between two times, for administrators. Refuses as `guildChanges`. */
export function readGuildChanges(ports: Pick<Ports, 'events' | 'queries'>) {
  return (caller: Caller, guildId: GuildId, { reveal, ...span }: GuildSpan & { readonly reveal: boolean }) =>
    guildChanges({ ...ports, revealed: revealedTo(caller, reveal) }, guildId, span)
}

/**
 * A page of what differs between two times in a guild, its memberships, its invites, its webhooks and its directory listing. What was changed and changed
 * back is no difference. Refuses with NOT_FOUND for a guild without events, and with INVALID_FORM_BODY at `to`:
 * TIME_BEFORE_FIRST_EVENT, RANGE_ENDS_BEFORE_START (rules/administration#history).
 */
export async function guildChanges(
  { events, queries, revealed }: Pick<Ports, 'events' | 'queries'> & { readonly revealed: Revealed },
  guildId: GuildId,
  { from, to, after = beforeAll, limit }: GuildSpan,
): Promise<GuildChangesObject> {
  const moments = {
    from: from === undefined ? beforeFirst : { by: 'time', time: from },
    to: to === undefined ? atEnd : { by: 'time', time: to },
  } as const satisfies { readonly from: Moment; readonly to: Moment }
  const guild = streamName('guild', guildId)
  const reading = { events, revealed }
  const ofGuild = await streamDifference(reading, guild, moments)
  const names = namesIn(ofGuild.state)
  const isOnPage = ({ difference }: Change): boolean => difference.by.position > after
  const made = changesIn(ofGuild).filter(isOnPage)
  const streams = await streamsThatChanged(queries, guildId, { from, to, after })
  for (let first = 0; first < streams.length; first += reads_max) {
    if (isSettled(made, streams[first], limit)) break
    const group = streams.slice(first, first + reads_max)
    // oxlint-disable-next-line no-await-in-loop -- Groups one after another bound what is read at once.
    const read = await Promise.all(group.map(({ stream }) => streamDifference(reading, stream, moments)))
    const found = read.filter((one) => concerns(one, guildId)).flatMap(changesIn)
    made.push(...found.filter(isOnPage))
  }
  const page = firstChanges(made, limit)
  return {
    changes: page.map(({ stream, difference }) => changeObject(stream, difference, names, revealed)),
    truncated: made.length > page.length,
  }
}

/** The first changes by the events that made them: so many, and those of the last one's event. */
function firstChanges(made: readonly Change[], limit: number): readonly Change[] {
  const sorted = made.toSorted((one, other) => Number(positionOf(one) - positionOf(other)))
  const last = sorted[limit - 1]
  return last ? sorted.filter((one) => positionOf(one) <= positionOf(last)) : sorted
}

const positionOf = ({ difference }: Change): Position => difference.by.position

/** A difference with the stream that it is in. */
interface Change {
  readonly stream: StreamName
  readonly difference: MadeDifference
}

/**
 * Whether all changes of a stream, and so of those after it, come later than the first `limit` that are made, those of the same event,
 * and one more.
 */
function isSettled(made: readonly Change[], next: ChangedStream | undefined, limit: number): boolean {
  if (next === undefined) return false
  const earlier = made.filter((one) => positionOf(one) < next.position)
  return earlier.length > firstChanges(earlier, limit).length
}

/** Whether a stream was a part of the guild at one of the moments: an invite may be another guild's, or gone by both. */
function concerns({ stream, stateBefore, state }: StreamDifference, guildId: GuildId): boolean {
  if (categoryOf(stream) !== 'invite') return true
  return [stateBefore, state].some((one) => isTo(stateAs<InviteState>(one), guildId))
}

/** What begins or ends as a whole is one change, as all its members differ then; what changed since it began follows. */
function changesIn({ stream, differences, sinceStatus }: StreamDifference): readonly Change[] {
  const status = differences.find(({ path }) => path === '/status')
  return (status ? [status, ...sinceStatus] : differences).map((difference) => ({ stream, difference }))
}

function changeObject(
  stream: StreamName,
  difference: MadeDifference,
  names: GuildNames,
  revealed: Revealed,
): GuildChangeObject {
  return { text: inWords(stream, difference, names), stream, ...objectOfDifference(difference, revealed) }
}

/** What the roles and channels of a guild are called; of one that is deleted, nothing. */
function namesIn(guild: Json): GuildNames {
  const state = stateAs<GuildState>(guild)
  const named = (things: readonly { readonly id: string; readonly name: string | null }[]) =>
    new Map(things.map(({ id, name }) => [id, name ?? id]))
  const active = state.status === 'active' ? state : undefined
  return { roles: named(active?.roles ?? []), channels: named(active?.channels ?? []) }
}
