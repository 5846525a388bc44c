import { createHash } from 'node:crypto'
import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Word } from './vocabulary.ts'

/** A listed guild as it is searched. */
export interface SearchedGuild {
  readonly id: GuildId
  readonly memberCount: number
  readonly categoryType: number
  readonly language: DirectoryLanguage
  readonly name: string
  /** Normalised. */
  readonly tags: readonly string[]
  readonly description: string
}

/** What the index holds of a guild. */
export interface HeldGuild extends Pick<SearchedGuild, 'id' | 'memberCount' | 'categoryType' | 'language' | 'tags'> {
  /** The words of its name, tags and description, each once. */
  readonly words: readonly Word[]
  /** Of everything but the number of members (`digestOf`). */
  readonly digest: string
}

/** Listed guilds, each at a slot that it keeps while it is there. */
export interface HeldGuilds {
  /** A slot for a guild that is not there. The next one may get the slot of one that is removed. */
  add(guild: SearchedGuild, found: Pick<HeldGuild, 'words' | 'digest'>): number
  /** Changes how many members a guild has. */
  setMembers(slot: number, memberCount: number): void
  remove(slot: number): void
  /** The slot of a guild; undefined if it is not there. */
  slotOf(id: GuildId): number | undefined
  at(slot: number): HeldGuild
  /** As of the guild at this slot: all that are found are counted by it. */
  readonly categoryOf: (slot: number) => number
  /** How many slots there are, with a guild or without. */
  count(): number
  /** The order of two slots: the guild with more members first, then by id. */
  readonly byMembers: (a: number, b: number) => number
}

/** Makes an empty one. */
export function heldGuilds(): HeldGuilds {
  const slots = new Map<GuildId, number>()
  const guilds: (HeldGuild | undefined)[] = []
  const categories: number[] = []
  const free: number[] = []

  function at(slot: number): HeldGuild {
    const guild = guilds[slot]
    if (!guild) throw new Error(`No guild is at slot ${slot} of the index`)
    return guild
  }

  return {
    add({ id, memberCount, categoryType, language, tags }, { words, digest }) {
      const slot = free.pop() ?? guilds.length
      slots.set(id, slot)
      guilds[slot] = { id, memberCount, categoryType, language, tags, words, digest }
      categories[slot] = categoryType
      return slot
    },
    setMembers(slot, memberCount) {
      guilds[slot] = { ...at(slot), memberCount }
    },
    remove(slot) {
      slots.delete(at(slot).id)
      guilds[slot] = undefined
      free.push(slot)
    },
    slotOf: (id) => slots.get(id),
    at,
    categoryOf: (slot) => categories[slot] ?? 0,
    count: () => guilds.length,
    byMembers(a, b) {
      const [one, other] = [at(a), at(b)]
      return other.memberCount - one.memberCount || byId(one.id, other.id)
    },
  }
}

/** Tells listings apart that are found by other words, or under other filters. */
export function digestOf({ categoryType, language, name, tags, description }: SearchedGuild): string {
  return createHash('sha256')
    .update(JSON.stringify([categoryType, language, name, tags, description]))
    .digest('base64')
}

/** Snowflakes: the one with fewer digits is the lower. */
function byId(a: GuildId, b: GuildId): number {
  return a.length - b.length || (a < b ? -1 : 1)
}
