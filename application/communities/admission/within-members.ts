import type { Guild } from '../../../domain/guild/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { reject } from '../../commands/refused.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Counted } from '../../ports/reservations.ts'
import { unlimited } from '../../access/unlimited.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries' | 'reservations' | 'limits'>

/**
 * Runs an act that adds an account to one more guild, if the account may be in one more: else 400 MAX_GUILDS. The act resolves
 * once the read models hold what it wrote.
 */
export async function withinAccountsGuilds<Result>(
  ports: Needs,
  account: AccountRecord,
  act: () => Promise<Result>,
): Promise<Result> {
  return ports.reservations.within([await guildsOf(ports, account)], act)
}

/** The same, if the guild may have one more member: else 400 MAX_GUILD_MEMBERS. */
export async function withinGuildsMembers<Result>(
  ports: Needs,
  guild: Guild,
  act: () => Promise<Result>,
): Promise<Result> {
  return ports.reservations.within([await membersOf(ports, guild)], act)
}

/** Both: MAX_GUILDS comes before MAX_GUILD_MEMBERS. */
export async function withinAccountsAndGuild<Result>(
  ports: Needs,
  account: AccountRecord,
  guild: Guild,
  act: () => Promise<Result>,
): Promise<Result> {
  return ports.reservations.within([await guildsOf(ports, account), await membersOf(ports, guild)], act)
}

/** Runs an act that adds an account to one more guild whatever the limit, and counts it nevertheless. */
export function countedAmongGuilds(
  ports: Pick<Ports, 'queries' | 'reservations'>,
  accountId: AccountId,
  act: () => Promise<void>,
): Promise<void> {
  return ports.reservations.within([{ ...guildCountOf(ports, accountId), ...unlimited }], act)
}

async function guildsOf(ports: Needs, account: AccountRecord): Promise<Counted> {
  const { max_guilds: limit } = await ports.limits.ofAccount(account)
  return { ...guildCountOf(ports, account.id), limit, refuse: () => reject('MAX_GUILDS') }
}

function guildCountOf({ queries }: Pick<Ports, 'queries'>, id: AccountId) {
  return { key: `guilds of account ${id}`, count: () => queries.members.guildCountOf(id) }
}

async function membersOf({ queries, limits }: Needs, guild: Guild): Promise<Counted> {
  const { max_guild_members: limit } = await limits.ofGuild(guild)
  return {
    key: `members of guild ${guild.id}`,
    limit,
    count: () => queries.members.countOf(guild.id),
    refuse: () => reject('MAX_GUILD_MEMBERS'),
  }
}
