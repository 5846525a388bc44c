import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { Ports } from '../ports.js'

/** The page size of List current user guilds (contract part 1). */
const page_guilds = 200

/** Whether an account owns a guild. An owner is always a member, so this checks the account's guilds, page by page. */
export async function ownsGuild({ queries }: Pick<Ports, 'queries'>, account: AccountId): Promise<boolean> {
  let after: GuildId | undefined
  for (;;) {
    const page = await queries.guilds.ofMember(account, { limit: page_guilds, ...(after ? { after } : {}) })
    if (page.some(({ guild }) => guild.ownerId === account)) return true
    after = page.at(-1)?.guild.id
    if (page.length < page_guilds) return false
  }
}
