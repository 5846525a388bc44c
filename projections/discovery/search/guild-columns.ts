import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.js'
import type { GuildId } from '../../../domain/ids/ids.js'
import { hashColumns, type GuildHashes, type HashColumns } from './guild-hashes.js'

/** A listed guild as it is searched. */
export interface SearchedGuild extends GuildHashes {
  readonly id: GuildId
  readonly memberCount: number
  readonly categoryType: number
  readonly language: DirectoryLanguage
}

/** Listed guilds, each at a place that it keeps while it is there. */
export interface GuildColumns {
  /** Adds a guild that is not there. Gives its place. */
  add(guild: SearchedGuild): number
  /** The place of a guild; undefined if it is not there. */
  placeOf(id: GuildId): number | undefined
  /** The next one may get its place. */
  remove(id: GuildId): void
  /** How many places there are, with a guild or without. */
  count(): number
  idOf(place: number): GuildId
  categoryOf(place: number): number
  languageOf(place: number): DirectoryLanguage
  readonly hashes: Omit<HashColumns, 'add' | 'remove'>
  /** The order of two places: the guild with more members first, then by id. */
  readonly byMembers: (a: number, b: number) => number
}

/** Makes an empty one. Each member of a guild has an array of its own: objects would take more memory. */
export function guildColumns(): GuildColumns {
  const hashes = hashColumns()
  const places = new Map<GuildId, number>()
  const free: number[] = []
  const ids: GuildId[] = []
  const members: number[] = []
  const categories: number[] = []
  const languages: DirectoryLanguage[] = []

  return {
    add(guild) {
      const place = free.pop() ?? ids.length
      places.set(guild.id, place)
      ids[place] = guild.id
      members[place] = guild.memberCount
      categories[place] = guild.categoryType
      languages[place] = guild.language
      hashes.add(place, guild)
      return place
    },
    placeOf: (id) => places.get(id),
    remove(id) {
      const place = places.get(id)
      if (place === undefined) return
      places.delete(id)
      hashes.remove(place)
      free.push(place)
    },
    count: () => ids.length,
    idOf: (place) => ids[place] ?? never(place),
    categoryOf: (place) => categories[place] ?? never(place),
    languageOf: (place) => languages[place] ?? never(place),
    hashes,
    byMembers: (a, b) => (members[b] ?? 0) - (members[a] ?? 0) || byId(ids[a] ?? never(a), ids[b] ?? never(b)),
  }
}

/** Snowflakes: the one with fewer digits is the lower. */
function byId(a: GuildId, b: GuildId): number {
  return a.length - b.length || (a < b ? -1 : 1)
}

function never(place: number): never {
  throw new Error(`No guild is at place ${place} of the index`)
}
