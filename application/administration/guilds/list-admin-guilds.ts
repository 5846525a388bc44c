import { guildId, type GuildId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import { reject } from '../../commands/refused.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import type { OffsetPage } from '../../ports/queries/account-search-queries.ts'
import type { FoundGuilds } from '../../ports/queries/guild-search-queries.ts'
import type { Ports } from '../../ports.ts'
import { adminGuildObject, type AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'

export interface ListedGuilds {
  readonly guilds: readonly AdminGuildObject[]
  /** How many there are on all pages. */
  readonly total: number
}

type Needs = Pick<Ports, 'queries'>

/**
 * A page of the guilds that a text finds, oldest first; an empty text finds all. The guild whose id the text is comes before them.
 * Refuses with FEATURE_TEMPORARILY_DISABLED for a text if searching is off on this instance (rules/administration#guilds).
 */
export function listAdminGuilds(needs: Needs) {
  return async (text: string, page: OffsetPage): Promise<ListedGuilds> => {
    const { ids, total } = await find(needs, text, page)
    return { guilds: await objectsOf(needs, ids), total }
  }
}

async function find({ queries: { guildSearch, guilds } }: Needs, text: string, page: OffsetPage): Promise<FoundGuilds> {
  if (text === '') return guildSearch.oldest(page)
  if (!(await guildSearch.canSearch())) return reject('FEATURE_TEMPORARILY_DISABLED')
  const searched = { text: text.toLowerCase(), except: undefined }
  const parsed = /^[0-9]+$/.test(text) ? parseSnowflake(text) : undefined
  const exact = parsed?.ok === true ? (await guilds.namesOf([guildId(parsed.id)]))[0]?.id : undefined
  if (exact === undefined) return guildSearch.matching(searched, page)
  // It is the first of the list, and the search gives the others.
  const isFirstPage = page.offset === 0
  const others = isFirstPage ? { limit: page.limit - 1, offset: 0 } : { ...page, offset: page.offset - 1 }
  const { ids, total } = await guildSearch.matching({ ...searched, except: exact }, others)
  return { ids: isFirstPage ? [exact, ...ids] : ids, total: total + 1 }
}

/** In the order of the ids. A guild that the search has and the guilds have not is left out. */
async function objectsOf({ queries }: Needs, ids: readonly GuildId[]): Promise<readonly AdminGuildObject[]> {
  const summaries = await queries.guilds.summariesOf(ids)
  const owners = await usersOf({ queries }, [...new Set(summaries.map(({ ownerId }) => ownerId))])
  const byId = new Map(summaries.map((summary) => [summary.id, summary]))
  return ids.flatMap((id) => {
    const guild = byId.get(id)
    return guild ? [adminGuildObject(guild, owners.get(guild.ownerId), undefined)] : []
  })
}
