import type { GuildState } from '../../../domain/guild/state.ts'
import type { DiscoveryApplicationState } from '../../../domain/discovery-application/state.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { InviteState } from '../../../domain/invite/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { MembershipState } from '../../../domain/membership/state.ts'
import { categoryOf, idOf, streamName, type StreamName } from '../../../domain/streams.ts'
import type { Ports } from '../../ports.ts'
import { beforeAll } from '../../../domain/kernel/position.ts'
import type { Revealed } from './masked-event.ts'
import type { Moment } from './moments.ts'
import { stateAs, stateAt, type StreamState } from './stream-states.ts'

/** What one stream of a guild comes to, with null for what is left out, and JSON pointers to that. */
interface Shown<State> {
  readonly state: State
  readonly leftOut: readonly string[]
}

/** A guild at a moment, with what the streams that concern it come to. */
export interface GuildAt extends Shown<GuildState> {
  /** By account, in the order of their ids: members, bans, and accounts that left. */
  readonly memberships: readonly (readonly [AccountId, Shown<MembershipState>])[]
  /** By code, in the order in which they began to concern the guild; custom codes that it holds among them. */
  readonly invites: readonly (readonly [string, Shown<InviteState>])[]
  /** Undefined for a guild that had not applied to the directory. */
  readonly directory: Shown<DiscoveryApplicationState> | undefined
}

/** How many streams are looked up at once, and how many are read at once: as many as a store may join into one statement. */
const lookup_max = 1000
export const reads_max = 100

/**
 * A guild as it was at a time, or as it is now, folded from its own events. Streams that began later are left out. Refuses with
 * NOT_FOUND for a guild without events, and with INVALID_FORM_BODY at `at`: TIME_BEFORE_FIRST_EVENT
 * (rules/administration#history).
 */
export async function guildAt(
  { events, queries, revealed }: Pick<Ports, 'events' | 'queries'> & { readonly revealed: Revealed },
  guildId: GuildId,
  time: Timestamp | undefined,
): Promise<GuildAt> {
  const moment: Moment = time === undefined ? { by: 'end' } : { by: 'time', time }
  const read = (stream: StreamName): Promise<StreamState> => stateAt({ events, revealed }, stream, moment)
  const guild = await read(streamName('guild', guildId))
  const found: StreamState[] = []
  for await (const streams of streamsOfGuild(queries, guildId, time)) {
    for (let first = 0; first < streams.length; first += reads_max)
      // oxlint-disable-next-line no-await-in-loop -- Groups one after another bound what is read at once.
      found.push(...(await Promise.all(streams.slice(first, first + reads_max).map(read))))
  }
  const directory = found.find(({ stream }) => categoryOf(stream) === 'discovery_application')
  return {
    ...shownAs<GuildState>(guild),
    memberships: found
      .filter(({ stream }) => categoryOf(stream) === 'membership')
      .map((one) => [accountOf(one.stream), shownAs<MembershipState>(one)] as const)
      .toSorted(([one], [other]) => (BigInt(one) < BigInt(other) ? -1 : 1)),
    invites: found
      .filter(({ stream }) => categoryOf(stream) === 'invite')
      .map((one) => [idOf(one.stream), shownAs<InviteState>(one)] as const)
      .filter(([, { state }]) => isTo(state, guildId)),
    directory: directory && shownAs<DiscoveryApplicationState>(directory),
  }
}

/** The streams of a guild's members, invites and directory listing that had begun at a time, in pages. */
export async function* streamsOfGuild(
  { history }: Pick<Ports, 'queries'>['queries'],
  guildId: GuildId,
  time: Timestamp | undefined,
): AsyncGenerator<readonly StreamName[], void, undefined> {
  let after = beforeAll
  const seen = new Set<StreamName>()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- A page begins where the one before it ended.
    const page = await history.streamsOf(guildId, after, lookup_max)
    yield page
      .filter(({ stream, first }) => isOfGuild(stream, guildId) && (time === undefined || first.at <= time))
      .map(({ stream }) => stream)
      .filter((stream) => !seen.has(stream) && seen.add(stream))
    const last = page.at(-1)
    if (!last || page.length < lookup_max) return
    after = last.named
  }
}

/** Whether a stream is a part of what a guild is; an invite's may be another guild's at the moment that is asked for. */
function isOfGuild(stream: StreamName, guildId: GuildId): boolean {
  return (
    stream.startsWith(`membership-${guildId}-`) ||
    stream === streamName('discovery_application', guildId) ||
    categoryOf(stream) === 'invite'
  )
}

/** Whether an invite or a custom code is a guild's. */
export function isTo(state: InviteState, guildId: GuildId): boolean {
  if (state.status === 'custom') return state.guildId === guildId
  return state.status === 'created' && 'guildId' in state.terms && state.terms.guildId === guildId
}

const accountOf = (membership: StreamName): AccountId => idOf(membership).split('-')[1] as AccountId

function shownAs<State>({ state, leftOut }: StreamState): Shown<State> {
  return { state: stateAs<State>(state), leftOut }
}
