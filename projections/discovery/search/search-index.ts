import type { DirectorySearch, FoundListings } from '../../../application/ports/queries/directory-search-queries.ts'
import type { OffsetPage } from '../../../application/ports/queries/account-search-queries.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { searchWords, searchWordsOfName } from '../../../domain/text/search-words.ts'
import { countsOf, filtered, ofCategory, pageOf } from './found-guilds.ts'
import { digestOf, heldGuilds, type SearchedGuild } from './held-guilds.ts'
import { meaningsOf } from './meanings.ts'
import { orderedPlaces } from './ordered-places.ts'
import { parts, placeOfUse, ranker, use, type Found, type Part } from './ranks.ts'
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
  const order = orderedPlaces(guilds.byMembers)
  const ordered = { all: order.all, byMembers: guilds.byMembers }

  function add(guild: SearchedGuild, digest: string): void {
    const taken = [...partsOf(guild)].map(([text, part]) => ({ word: words.take(text, guild.language), part }))
    const place = guilds.add(guild, { words: taken.map(({ word }) => word), digest })
    for (const { word, part } of taken) words.addUse(word, use(place, part))
    order.add(place)
  }

  function remove(place: number): void {
    order.remove(place)
    const guild = guilds.at(place)
    for (const word of guild.words) {
      takeUse(word, place)
      if (word.uses.length === 0) words.drop(word)
    }
    guilds.remove(place)
  }

  function foundBy({ words: wanted = [], byMembers }: DirectorySearch): Found {
    if (wanted.length === 0) return { places: order.all(), ranks: new Uint8Array(guilds.count()).fill(1) }
    const meanings = wanted.map((word) => meaningsOf(words, word))
    const found = ranked(meanings, guilds.count())
    if (byMembers) for (const place of found.places) found.ranks[place] = 1
    return found
  }

  return {
    put(guild) {
      const digest = digestOf(guild)
      const place = guilds.placeOf(guild.id)
      if (place === undefined || guilds.at(place).digest !== digest) {
        if (place !== undefined) remove(place)
        add(guild, digest)
      } else if (guilds.at(place).memberCount !== guild.memberCount) {
        order.remove(place)
        guilds.setMembers(place, guild.memberCount)
        order.add(place)
      }
    },
    remove(id) {
      const place = guilds.placeOf(id)
      if (place !== undefined) remove(place)
    },
    search(wanted, page, except) {
      const found = filtered(foundBy(wanted), wanted, { guilds, except })
      const counts = countsOf(found, guilds)
      const places = pageOf(ofCategory(found, wanted.categoryType, guilds), page, ordered)
      return { ids: places.map((place) => guilds.at(place).id), counts }
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

function takeUse({ uses }: Word, place: number): void {
  const at = uses.findIndex((packed) => placeOfUse(packed) === place)
  const last = uses.pop()
  if (last !== undefined && at >= 0 && at < uses.length) uses[at] = last
}
