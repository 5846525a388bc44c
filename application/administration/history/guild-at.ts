import type { GuildState } from '../../../domain/guild/state.ts'
import type { DiscoveryApplicationState } from '../../../domain/discovery-application/state.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { InviteState } from '../../../domain/invite/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { MembershipState } from '../../../domain/membership/state.ts'
import { idOf, streamName, type StreamName } from '../../../domain/streams.ts'
import type { Ports } from '../../ports.ts'
import type { Revealed } from './masked-event.ts'
import type { Moment } from './moments.ts'
import { stateAs, stateAt, stateIfBegun, type StreamState } from './stream-states.ts'
import { accountOf, invitesThatStand, isTo, membershipsThatAre, reads_max } from './streams-of-guild.ts'

/** Which moment of a guild is wanted, now if undefined, and which pages: what they come after, and how much each has at most. */
export interface GuildQuestion {
  readonly at?: Timestamp | undefined
  readonly membersAfter?: AccountId | undefined
  readonly bansAfter?: AccountId | undefined
  /** A code. */
  readonly invitesAfter?: string | undefined
  readonly limit: number
}

/** What one stream of a guild comes to, with null for what is left out, and JSON pointers to that. */
interface Shown<State> {
  readonly state: State
  readonly leftOut: readonly string[]
}

type Member = Extract<MembershipState, { readonly status: 'member' }>
type Banned = Extract<MembershipState, { readonly status: 'banned' }>

/** A guild at a moment, with what the streams that concern it come to. */
export interface GuildAt extends Shown<GuildState> {
  /** A page by account, in the order of their ids. */
  readonly members: readonly (readonly [AccountId, Shown<Member>])[]
  /** How many there are on all pages. */
  readonly memberCount: number
  /** A page by account, in the order of their ids. */
  readonly bans: readonly (readonly [AccountId, Shown<Banned>])[]
  /** How many there are on all pages. */
  readonly banCount: number
  /** A page by code, in the order of codes; custom codes that the guild holds among them. */
  readonly invites: readonly (readonly [string, Shown<InviteState>])[]
  /** Undefined for a guild that had not applied to the directory. */
  readonly directory: Shown<DiscoveryApplicationState> | undefined
}

/**
 * A guild as it was at a time, or as it is now, folded from its own events. The index of events tells which members, bans and invites
 * it had, so that no stream is read but those of the answer. Refuses with NOT_FOUND for a guild without events, and with
 * INVALID_FORM_BODY at `at`: TIME_BEFORE_FIRST_EVENT (rules/administration#history).
 */
export async function guildAt(
  { events, queries, revealed }: Pick<Ports, 'events' | 'queries'> & { readonly revealed: Revealed },
  guildId: GuildId,
  { at: time, membersAfter, bansAfter, invitesAfter = '', limit }: GuildQuestion,
): Promise<GuildAt> {
  const moment: Moment = time === undefined ? { by: 'end' } : { by: 'time', time }
  const reading = { events, revealed }
  const guild = await stateAt(reading, streamName('guild', guildId), moment)
  const read = (stream: StreamName): Promise<StreamState> => stateAt(reading, stream, moment)
  const [members, bans, invites, directory] = await Promise.all([
    membershipsThatAre(queries, guildId, 'member', { time, after: membersAfter, limit }),
    membershipsThatAre(queries, guildId, 'banned', { time, after: bansAfter, limit }),
    invitesThatStand(queries, guildId, time),
    stateIfBegun(reading, streamName('discovery_application', guildId), moment),
  ])
  const found = await statesOf([...members.streams, ...bans.streams], read)
  const memberships = found.map((one) => [accountOf(one.stream), shownAs<MembershipState>(one)] as const)
  const later = invites.filter((stream) => idOf(stream) > invitesAfter).toSorted()
  const codes = await invitesOf(later, { read, guildId, limit })
  return {
    ...shownAs<GuildState>(guild),
    members: memberships.flatMap(([id, { state, leftOut }]) =>
      state.status === 'member' ? [[id, { state, leftOut }] as const] : [],
    ),
    memberCount: members.total_count,
    bans: memberships.flatMap(([id, { state, leftOut }]) =>
      state.status === 'banned' ? [[id, { state, leftOut }] as const] : [],
    ),
    banCount: bans.total_count,
    invites: codes,
    directory: directory && shownAs<DiscoveryApplicationState>(directory),
  }
}

type Read = (stream: StreamName) => Promise<StreamState>

/** The first of these invites that are the guild's. Custom codes that it once had are not, and do not count. */
async function invitesOf(
  streams: readonly StreamName[],
  { read, guildId, limit }: { readonly read: Read; readonly guildId: GuildId; readonly limit: number },
): Promise<GuildAt['invites']> {
  const found: GuildAt['invites'][number][] = []
  for (let first = 0; first < streams.length && found.length < limit; first += reads_max) {
    // oxlint-disable-next-line no-await-in-loop -- Groups one after another bound what is read at once.
    const states = await Promise.all(streams.slice(first, first + reads_max).map(read))
    const invites = states.map((one) => [idOf(one.stream), shownAs<InviteState>(one)] as const)
    found.push(...invites.filter(([, { state }]) => isTo(state, guildId)))
  }
  return found.slice(0, limit)
}

/** The states of streams, in their order. */
async function statesOf(streams: readonly StreamName[], read: Read): Promise<readonly StreamState[]> {
  const found: StreamState[] = []
  for (let first = 0; first < streams.length; first += reads_max)
    // oxlint-disable-next-line no-await-in-loop -- Groups one after another bound what is read at once.
    found.push(...(await Promise.all(streams.slice(first, first + reads_max).map(read))))
  return found
}

function shownAs<State>({ state, leftOut }: StreamState): Shown<State> {
  return { state: stateAs<State>(state), leftOut }
}
