import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.js'
import type { GuildColumns } from './guild-columns.js'
import { notFound, tagUse } from './guild-hashes.js'
import { addPlace, hasPlace, keepCommon, type PlaceBits } from './place-bits.js'
import type { FoundPlaces, PlacesByHash } from './places-by-hash.js'

/** What is looked for. Words and tag are hashes. */
export interface WantedHashes {
  readonly words: readonly number[]
  readonly tag: number | undefined
  readonly language: DirectoryLanguage | undefined
}

/** The places that are found: by their names; by names and tags, those before included; all. */
export type FoundTiers = readonly [PlaceBits, PlaceBits, PlaceBits]

export interface SearchedPlaces {
  readonly guilds: Pick<GuildColumns, 'count' | 'languageOf' | 'hashes'>
  readonly byHash: Pick<PlacesByHash, 'of'>
  /** The listed guilds, of the wanted language if there is one. */
  readonly within: PlaceBits
}

/**
 * Looks at each guild that has the rarest of the wanted hashes. Where many guilds have each of them, what is common to all is found by
 * bits instead.
 */
export function foundTiers({ guilds, byHash, within }: SearchedPlaces, wanted: WantedHashes): FoundTiers {
  const words = wanted.words.map((word) => byHash.of(word))
  const tag = wanted.tag === undefined ? undefined : byHash.of(wanted.tag)
  const few = rarest(tag ? [...words, tag] : words)
  if (few) return lookedAt(few, guilds, wanted)
  const tiers: FoundTiers = [within.slice(), within.slice(), within.slice()]
  for (const [use, tier] of tiers.entries()) {
    for (const word of words) keepUse(tier, word, use)
    if (tag) keepUse(tier, tag, tagUse)
  }
  return tiers
}

function rarest(found: readonly FoundPlaces[]): readonly number[] | undefined {
  let least: readonly number[] | undefined
  for (const places of found) if ('few' in places && (!least || places.few.length < least.length)) least = places.few
  return least
}

function lookedAt(
  places: readonly number[],
  { count, languageOf, hashes }: SearchedPlaces['guilds'],
  { words, tag, language }: WantedHashes,
): FoundTiers {
  const length = (count() + 31) >>> 5
  const tiers: FoundTiers = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)]
  for (const place of places) {
    if (language !== undefined && languageOf(place) !== language) continue
    const lowest = hashes.tierOf(place, words, tag)
    if (lowest === notFound || hasPlace(tiers[2], place)) continue
    for (const [tier, bits] of tiers.entries()) if (tier >= lowest) addPlace(bits, place)
  }
  return tiers
}

function keepUse(tier: PlaceBits, found: FoundPlaces, use: number): void {
  const places = 'byUse' in found ? found.byUse[use] : undefined
  if (places) keepCommon(tier, places)
}
