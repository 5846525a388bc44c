import type { Guild } from '../../domain/guild/state.ts'
import { accountId, type AccountId, type GuildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Newcomer } from '../ports/queries/guild-ban-queries.ts'
import type {
  AtPosition,
  GuildQueries,
  GuildsAtPosition,
  GuildWithMember,
  GuildWithNewcomer,
} from '../ports/queries/guild-queries.ts'
import type { MemberQueries } from '../ports/queries/member-queries.ts'
import type { Cache } from './cache.ts'
import { GuildCache } from './guild-cache.ts'
import type { Reading } from './readings.ts'

export interface CachedGuildsSettings {
  readonly guilds: GuildQueries
  readonly members: MemberQueries
  /** The same queries, with the position at which they read. */
  readonly atPosition: GuildsAtPosition
  /** `forget` has received every event up to this position. Undefined while nothing is cached. It only grows. */
  readonly published: () => Position | undefined
}

interface Reads {
  readonly kept: GuildCache
  readonly atPosition: GuildsAtPosition
}

/** No account has this id. It stands for the account in reads of the guild alone. */
const nobody = accountId(snowflake('0'))

/** The queries of guilds. The reads that members need most are answered from memory when cached. */
export function cachedGuilds({ guilds, members, atPosition, published }: CachedGuildsSettings) {
  const kept = new GuildCache(published)
  const reads = { kept, atPosition }
  return {
    queries: {
      guilds: {
        ...guilds,
        find: async (id) => kept.guild(id) ?? (await findFor(reads, id, nobody))?.guild,
        findFor: (id, account) => findFor(reads, id, account),
        findByChannel: async (channel, account) => {
          const id = kept.guildOf(channel)
          const found = id === undefined ? undefined : await findKept(reads, id, account)
          if (found?.guild.channels.some((each) => each.id === channel)) return found
          return readGuild(reads, account, () => atPosition.findByChannel(channel, account))
        },
        findForNewcomer: async (id, newcomer, now) =>
          (await findNewcomer(reads, id, newcomer, now)) ??
          readGuild(reads, newcomer.accountId, () => atPosition.findForNewcomer(id, newcomer, now)),
      } satisfies GuildQueries,
      members: {
        ...members,
        find: async (id, account) => kept.membership(id, account)?.member ?? members.find(id, account),
        countOf: async (id) => kept.count(id) ?? readCount(reads, id),
        guildCountOf: async (account) => kept.guildCount(account) ?? members.guildCountOf(account),
      } satisfies MemberQueries,
    },
    forget: (event) => kept.forget(event),
    forgetAll: () => kept.forgetAll(),
  } satisfies Cache<unknown>
}

async function findFor(reads: Reads, id: GuildId, account: AccountId): Promise<GuildWithMember | undefined> {
  const found = await findKept(reads, id, account)
  return found ?? readGuild(reads, account, () => reads.atPosition.findFor(id, account))
}

/** A guild that is kept; the membership and the count are read where they are not, in one statement. */
async function findKept(reads: Reads, id: GuildId, account: AccountId): Promise<GuildWithMember | undefined> {
  const found = reads.kept.membership(id, account)
  if (!found) return readMembership(reads, id, account)
  return { ...found, memberCount: reads.kept.count(id) ?? (await readCount(reads, id)) }
}

function readGuild<Found extends AtPosition<GuildWithMember>>(
  { kept }: Reads,
  account: AccountId,
  ask: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return kept.read(ask, (found, reading) => kept.keepGuild(found, account, reading))
}

async function readMembership(reads: Reads, id: GuildId, account: AccountId): Promise<GuildWithMember | undefined> {
  const found = await readBeside(reads, id, account, () => reads.atPosition.memberOf(id, account))
  return found && { guild: found.guild, member: found.member, memberCount: found.memberCount }
}

type MemberRecord = AtPosition<Pick<GuildWithMember, 'member' | 'memberCount'>>

/** What `ask` reads, with the guild as it is kept. Undefined if the guild is not kept, or changed while it was read. */
async function readBeside<Found extends MemberRecord>(
  { kept }: Reads,
  id: GuildId,
  account: AccountId,
  ask: () => Promise<Found>,
  keep?: (found: Found, reading: Reading) => void,
): Promise<(Found & { readonly guild: Guild }) | undefined> {
  const guild = kept.guild(id)
  if (!guild) return undefined
  let fits = false
  const found = await kept.read(ask, (read, reading) => {
    const { member, memberCount } = read
    fits = kept.fits(guild, account, reading)
    kept.keepCount(id, memberCount, reading)
    if (member) kept.keepMembership({ guild, member }, account, reading)
    keep?.(read, reading)
  })
  return fits && found ? { ...found, guild } : undefined
}

/**
 * A kept guild for an account that may join. If the membership is not kept, it is read, with the bans that match the
 * account.
 */
async function findNewcomer(
  reads: Reads,
  id: GuildId,
  newcomer: Newcomer,
  now: Timestamp,
): Promise<GuildWithNewcomer | undefined> {
  const { kept, atPosition } = reads
  const account = newcomer.accountId
  const member = kept.membership(id, account)
  if (member) return { ...member, memberCount: kept.count(id) ?? (await readCount(reads, id)), keptOutBy: undefined }
  const found = await readBeside(
    reads,
    id,
    account,
    () => atPosition.newcomerOf(id, newcomer, now),
    ({ guildCount }, reading) => kept.keepGuildCount(account, guildCount, reading),
  )
  return (
    found && { guild: found.guild, member: found.member, memberCount: found.memberCount, keptOutBy: found.keptOutBy }
  )
}

async function readCount({ kept, atPosition }: Reads, id: GuildId): Promise<number> {
  const found = await kept.read(
    () => atPosition.countOf(id),
    ({ memberCount }, reading) => kept.keepCount(id, memberCount, reading),
  )
  return found?.memberCount ?? 0
}
