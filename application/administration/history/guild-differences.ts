import type { GuildState } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
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

/** The most changes in one answer. */
export const changes_max = 1000

/** Between which times; from the founding on, and until now, where nothing is said. */
export interface GuildSpan {
  readonly from?: Timestamp | undefined
  readonly to?: Timestamp | undefined
}

/** A difference of a guild between two moments, in words, with the event that made it. */
export interface GuildChangeObject extends DifferenceObject {
  readonly text: string
  readonly stream: string
}

/** The differences, in the order of the events that made them. */
export interface GuildChangesObject {
  readonly changes: readonly GuildChangeObject[]
  /** Whether there are more than these. */
  readonly truncated: boolean
}

/** What differs in a guild between two times, for administrators. Refuses as `guildChanges`. */
export function readGuildChanges(ports: Pick<Ports, 'events' | 'queries'>) {
  return (caller: Caller, guildId: GuildId, { reveal, ...span }: GuildSpan & { readonly reveal: boolean }) =>
    guildChanges({ ...ports, revealed: revealedTo(caller, reveal) }, guildId, span)
}

/**
 * What differs between two times in a guild, its memberships, its invites and its directory listing. What was changed and changed
 * back is no difference. Refuses with NOT_FOUND for a guild without events, and with INVALID_FORM_BODY at `to`:
 * TIME_BEFORE_FIRST_EVENT, RANGE_ENDS_BEFORE_START (rules/administration#history).
 */
export async function guildChanges(
  { events, queries, revealed }: Pick<Ports, 'events' | 'queries'> & { readonly revealed: Revealed },
  guildId: GuildId,
  { from, to }: GuildSpan,
): Promise<GuildChangesObject> {
  const moments = {
    from: from === undefined ? beforeFirst : { by: 'time', time: from },
    to: to === undefined ? atEnd : { by: 'time', time: to },
  } as const satisfies { readonly from: Moment; readonly to: Moment }
  const guild = streamName('guild', guildId)
  const reading = { events, revealed }
  const ofGuild = await streamDifference(reading, guild, moments)
  const names = namesIn(ofGuild.state)
  const made = [...changesIn(ofGuild)]
  const differenceOf = (stream: StreamName): Promise<StreamDifference> => streamDifference(reading, stream, moments)
  const streams = await streamsThatChanged(queries, guildId, { from, to })
  for (let first = 0; first < streams.length; first += reads_max) {
    if (isSettled(made, streams[first])) break
    const group = streams.slice(first, first + reads_max)
    // oxlint-disable-next-line no-await-in-loop -- Groups one after another bound what is read at once.
    const read = await Promise.all(group.map(({ stream }) => differenceOf(stream)))
    made.push(...read.filter((one) => concerns(one, guildId)).flatMap(changesIn))
  }
  return {
    changes: made
      .toSorted((one, other) => Number(one.difference.by.position - other.difference.by.position))
      .slice(0, changes_max)
      .map(({ stream, difference }) => changeObject(stream, difference, names, revealed)),
    truncated: made.length > changes_max,
  }
}

/** A difference with the stream that it is in. */
interface Change {
  readonly stream: StreamName
  readonly difference: MadeDifference
}

/** Whether more changes than an answer has come before all of a stream, and so of those after it. */
function isSettled(made: readonly Change[], next: ChangedStream | undefined): boolean {
  return (
    next !== undefined && made.filter(({ difference }) => difference.by.position < next.position).length > changes_max
  )
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
