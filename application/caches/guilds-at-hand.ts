import { accountId, type AccountId, type GuildId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import type { Position } from '../ports/event-store.js'
import type { GuildQueries, GuildsAtPosition, GuildWithMember } from '../ports/queries/guild-queries.js'
import type { MemberQueries } from '../ports/queries/member-queries.js'
import type { Held } from './held.js'
import { KeptGuilds, type MembershipOf } from './kept-guilds.js'

export interface GuildsAtHandSettings {
  readonly guilds: GuildQueries
  readonly members: MemberQueries
  /** The same queries, with the position at which they read. */
  readonly atPosition: GuildsAtPosition
  /** `forget` has received every event up to this position. Undefined while nothing is cached. It only grows. */
  readonly published: () => Position | undefined
}

interface Reads {
  readonly kept: KeptGuilds
  readonly atPosition: GuildsAtPosition
}

/** No account has this id. It stands for the account in reads of the guild alone. */
const nobody = accountId(snowflake('0'))

/** The queries of guilds. The reads that members need most are answered from memory when cached. */
export function guildsAtHand({ guilds, members, atPosition, published }: GuildsAtHandSettings) {
  const kept = new KeptGuilds(published)
  const reads = { kept, atPosition }
  return {
    queries: {
      guilds: {
        ...guilds,
        find: async (id) => kept.guild(id) ?? (await findFor(reads, id, nobody))?.guild,
        findFor: (id, account) => findFor(reads, id, account),
        findByChannel: async (channel, account) => {
          const id = kept.placeOf(channel)
          const found = id === undefined ? undefined : await findKept(reads, id, account)
          if (found?.guild.channels.some((each) => each.id === channel)) return found
          return readGuild(reads, account, () => atPosition.findByChannel(channel, account))
        },
      } satisfies GuildQueries,
      members: {
        ...members,
        find: async (id, account) => kept.membership(id, account)?.member ?? members.find(id, account),
        countOf: async (id) => kept.count(id) ?? readCount(reads, id),
      } satisfies MemberQueries,
    },
    forget: (event) => kept.forget(event),
    forgetAll: () => kept.forgetAll(),
  } satisfies Held<unknown>
}

async function findFor(reads: Reads, id: GuildId, account: AccountId): Promise<GuildWithMember | undefined> {
  const found = await findKept(reads, id, account)
  return found ?? readGuild(reads, account, () => reads.atPosition.findFor(id, account))
}

/** A cached guild. Reads the membership and the count if they are not cached. */
async function findKept(reads: Reads, id: GuildId, account: AccountId): Promise<GuildWithMember | undefined> {
  const found = reads.kept.membership(id, account) ?? (await readMembership(reads, id, account))
  return found && { ...found, memberCount: reads.kept.count(id) ?? (await readCount(reads, id)) }
}

function readGuild(
  { kept }: Reads,
  account: AccountId,
  ask: () => ReturnType<GuildsAtPosition['findFor']>,
): Promise<GuildWithMember | undefined> {
  return kept.read(ask, (found, reading) => kept.keepGuild(found, account, reading))
}

/** Reads the membership alone. Undefined if the guild is not cached, or was replaced during the read. */
async function readMembership(
  { kept, atPosition }: Reads,
  id: GuildId,
  account: AccountId,
): Promise<MembershipOf | Omit<GuildWithMember, 'memberCount'> | undefined> {
  const guild = kept.guild(id)
  if (!guild) return undefined
  let fits = false
  const found = await kept.read(
    () => atPosition.memberOf(id, account),
    ({ member }, reading) => {
      fits = kept.fits(guild, account, reading)
      if (member) kept.keepMembership({ guild, member }, account, reading)
    },
  )
  return fits && found ? { guild, member: found.member } : undefined
}

async function readCount({ kept, atPosition }: Reads, id: GuildId): Promise<number> {
  const found = await kept.read(
    () => atPosition.countOf(id),
    ({ memberCount }, reading) => kept.keepCount(id, memberCount, reading),
  )
  return found?.memberCount ?? 0
}
