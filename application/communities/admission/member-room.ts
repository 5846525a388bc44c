import type { Guild } from '../../../domain/guild/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import { reject } from '../../commands/refused.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'queries' | 'room' | 'limits'>

/**
 * Runs an act that adds an account to one more guild, if the account may be in one more: else 400 MAX_GUILDS. The act resolves
 * once the read models hold what it wrote. Its result must not be undefined, which would mean that it did not run.
 */
export async function withinAccountsGuilds<Result extends object | string>(
  { queries, room, limits }: Needs,
  account: AccountRecord,
  act: () => Promise<Result>,
): Promise<Result> {
  const count = (): Promise<number> => queries.members.guildCountOf(account.id)
  const { max_guilds: guilds_max } = await limits.ofAccount(account)
  const done = await room.within(guildsOf(account.id), guilds_max, count, act)
  return done ?? reject('MAX_GUILDS')
}

/** The same, if the guild may have one more member: else 400 MAX_GUILD_MEMBERS. */
export async function withinGuildsMembers<Result extends object | string>(
  { queries, room, limits }: Needs,
  guild: Guild,
  act: () => Promise<Result>,
): Promise<Result> {
  const count = (): Promise<number> => queries.members.countOf(guild.id)
  const { max_guild_members: members_max } = await limits.ofGuild(guild)
  const done = await room.within(`members of guild ${guild.id}`, members_max, count, act)
  return done ?? reject('MAX_GUILD_MEMBERS')
}

/** Runs an act that adds an account to one more guild whatever the limit, and counts it nevertheless. */
export async function countedAmongGuilds(
  { queries, room }: Pick<Ports, 'queries' | 'room'>,
  accountId: AccountId,
  act: () => Promise<void>,
): Promise<void> {
  const count = (): Promise<number> => queries.members.guildCountOf(accountId)
  await room.within(guildsOf(accountId), Number.MAX_SAFE_INTEGER, count, act)
}

const guildsOf = (accountId: AccountId): string => `guilds of account ${accountId}`
