import type { DirectorySearch, FoundListings } from '../../../application/ports/queries/directory-search-queries.ts'
import type { OffsetPage } from '../../../application/ports/queries/account-search-queries.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { searchWords, searchWordsOfName } from '../../../domain/text/search-words.ts'
import { countsOf, filtered, ofCategory, pageOf } from './found-guilds.ts'
import { digestOf, heldGuilds, type SearchedGuild } from './held-guilds.ts'
import { meaningsOf } from './meanings.ts'
import { orderedSlots } from './ordered-slots.ts'
import { parts, slotOfUse, ranker, use, type Found, type Part } from './ranks.ts'
import { vocabulary, type Word } from './vocabulary.ts'

/** The listed guilds in memory, to be searched by words. */
export interface SearchIndex {
  /** Adds a guild, or replaces what it was searched by. */
  put(guild: SearchedGuild): void
  remove(id: GuildId): void
  /** As `DirectorySearchQueries.search`, without the guilds in `except`. */
  search(wanted: DirectorySearch, page: OffsetPage, except: ReadonlySet<GuildId>): FoundListings
}

/** Makes an empty index. A guild takes about 500 bytes, in addition to its words (`vocabulary`). */
export function searchIndex(): SearchIndex {
  const guilds = heldGuilds()
  const words = vocabulary()
  const ranked = ranker()
  const order = orderedSlots(guilds.byMembers)
  const ordered = { all: order.all, byMembers: guilds.byMembers }

  function add(guild: SearchedGuild, digest: string): void {
    const taken = [...partsOf(guild)].map(([text, part]) => ({ word: words.take(text, guild.language), part }))
    const slot = guilds.add(guild, { words: taken.map(({ word }) => word), digest })
    for (const { word, part } of taken) words.addUse(word, use(slot, part))
    order.add(slot)
  }

  function remove(slot: number): void {
    order.remove(slot)
    const guild = guilds.at(slot)
    for (const word of guild.words) {
      takeUse(word, slot)
      if (word.uses.length === 0) words.drop(word)
    }
    guilds.remove(slot)
  }

  function foundBy({ words: wanted = [], byMembers }: DirectorySearch): Found {
    if (wanted.length === 0) return { slots: order.all(), ranks: new Uint8Array(guilds.count()).fill(1) }
    const meanings = wanted.map((word) => meaningsOf(words, word))
    const found = ranked(meanings, guilds.count())
    if (byMembers) for (const slot of found.slots) found.ranks[slot] = 1
    return found
  }

  return {
    put(guild) {
      const digest = digestOf(guild)
      const slot = guilds.slotOf(guild.id)
      if (slot === undefined || guilds.at(slot).digest !== digest) {
        if (slot !== undefined) remove(slot)
        add(guild, digest)
      } else if (guilds.at(slot).memberCount !== guild.memberCount) {
        order.remove(slot)
        guilds.setMembers(slot, guild.memberCount)
        order.add(slot)
      }
    },
    remove(id) {
      const slot = guilds.slotOf(id)
      if (slot !== undefined) remove(slot)
    },
    search(wanted, page, except) {
      const found = filtered(foundBy(wanted), wanted, { guilds, except })
      const counts = countsOf(found, guilds)
      const slots = pageOf(ofCategory(found, wanted.categoryType, guilds), page, ordered)
      return { ids: slots.map((slot) => guilds.at(slot).id), counts }
    },
  }
}

/** The words of a guild, and the first part that has each. */
function partsOf({ name, tags, description }: SearchedGuild): ReadonlyMap<string, Part> {
  const all = new Map<string, Part>()
  for (const word of searchWords(description)) all.set(word, parts.description)
  for (const word of searchWordsOfName(tags.join('\n'))) all.set(word, parts.tags)
  for (const word of searchWordsOfName(name)) all.set(word, parts.name)
  return all
}

function takeUse({ uses }: Word, slot: number): void {
  const at = uses.findIndex((packed) => slotOfUse(packed) === slot)
  const last = uses.pop()
  if (last !== undefined && at >= 0 && at < uses.length) uses[at] = last
}
