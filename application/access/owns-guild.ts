import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { Ports } from '../ports.ts'

/** The largest page of an account's guilds. */
const page_guilds = 200

/** Whether an account owns a guild. */
export async function ownsGuild(ports: Pick<Ports, 'queries'>, account: AccountId): Promise<boolean> {
  for await (const _ of ownedGuilds(ports, account)) return true
  return false
}

/** The names of the guilds that an account owns, by id. */
export async function guildsOwnedBy(
  ports: Pick<Ports, 'queries'>,
  account: AccountId,
): Promise<readonly Pick<Guild, 'id' | 'name'>[]> {
  const owned: Pick<Guild, 'id' | 'name'>[] = []
  for await (const { id, name } of ownedGuilds(ports, account)) owned.push({ id, name })
  return owned
}

/** An owner is always a member, so this reads the account's guilds, page by page. */
async function* ownedGuilds({ queries }: Pick<Ports, 'queries'>, account: AccountId): AsyncGenerator<Guild> {
  let after: GuildId | undefined
  for (;;) {
    const page = await queries.guilds.ofMember(account, { limit: page_guilds, ...(after ? { after } : {}) })
    yield* page.map(({ guild }) => guild).filter(({ ownerId }) => ownerId === account)
    after = page.at(-1)?.guild.id
    if (page.length < page_guilds) return
  }
}
