import type { Guild } from '../../../domain/guild/state.ts'
import type { Emoji, Expressions, Sticker } from '../../../domain/guild-expressions/state.ts'
import { imageLocationOf, type ExpressionKind } from '../../communities/expressions/expression-access.ts'
import type { ArchiveEntry } from '../../ports/archives.ts'
import type { ImageLocation } from '../../ports/images.ts'
import {
  imageLocationsOfAccount,
  imageLocationsOfMember,
  type PersonImageLocations,
} from '../../images/person-images.ts'
import type { ArchivedAccount } from './archived-account.ts'

/** Reads an image from the store; undefined if it is gone. */
export type ReadStoredImage = (location: ImageLocation, hash: string) => Promise<Uint8Array | undefined>

/** The images of the account itself, then those that it has in guilds. */
export async function* archivedImages(
  read: ReadStoredImage,
  { account, stays }: Pick<ArchivedAccount, 'account' | 'stays'>,
): AsyncGenerator<ArchiveEntry> {
  yield* imagesOf(read, 'assets/user', ofPerson(imageLocationsOfAccount(account.id), account.profile))
  for (const stay of stays)
    yield* imagesOf(
      read,
      `assets/guilds/${stay.guildId}`,
      ofPerson(imageLocationsOfMember(stay.guildId, account.id), stay),
    )
}

/** The images of a guild itself. */
export function archivedGuildImages(
  read: ReadStoredImage,
  { id: owner, settings: { icon, banner, splash, embedSplash } }: Pick<Guild, 'id' | 'settings'>,
): AsyncGenerator<ArchiveEntry> {
  return imagesOf(read, 'assets/guild', [
    { name: 'icon', location: { kind: 'icons', owner }, hash: icon },
    { name: 'banner', location: { kind: 'banners', owner }, hash: banner?.hash ?? null },
    { name: 'splash', location: { kind: 'splashes', owner }, hash: splash?.hash ?? null },
    { name: 'embed_splash', location: { kind: 'embed-splashes', owner }, hash: embedSplash?.hash ?? null },
  ])
}

/** The images of a guild's emojis and stickers, by their ids. */
export async function* archivedExpressionImages(
  read: ReadStoredImage,
  { id: guildId }: Pick<Guild, 'id'>,
  { emojis, stickers }: Expressions,
): AsyncGenerator<ArchiveEntry> {
  const named = (kind: ExpressionKind) => (each: Emoji | Sticker) => ({
    name: each.id,
    location: imageLocationOf(kind, guildId, each.id),
    hash: each.image,
  })
  yield* imagesOf(read, 'assets/emojis', emojis.map(named('emoji')))
  yield* imagesOf(read, 'assets/stickers', stickers.map(named('sticker')))
}

interface NamedImage {
  readonly name: string
  readonly location: ImageLocation
  /** Null for none. */
  readonly hash: string | null
}

const names = ['avatar', 'banner'] as const

function ofPerson(
  locations: PersonImageLocations,
  hashes: Readonly<Record<(typeof names)[number], string | null>>,
): readonly NamedImage[] {
  return names.map((name) => ({ name, location: locations[name], hash: hashes[name] }))
}

async function* imagesOf(
  read: ReadStoredImage,
  folder: string,
  images: readonly NamedImage[],
): AsyncGenerator<ArchiveEntry> {
  for (const { name, location, hash } of images) {
    const bytes = hash === null ? undefined : await read(location, hash)
    if (bytes) yield { path: `${folder}/${name}.webp`, content: once(bytes) }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
