import type { Guild } from '../../../domain/guild/state.ts'
import type { ArchiveEntry } from '../../ports/archives.ts'
import type { ImagePlace } from '../../ports/images.ts'
import { placesOfAccount, placesOfMember, type PersonPlaces } from '../../images/person-images.ts'
import type { ArchivedAccount } from './archived-account.ts'

/** Reads an image from the store; undefined if it is gone. */
export type ReadStoredImage = (place: ImagePlace, hash: string) => Promise<Uint8Array | undefined>

/** The images of the account itself, then those that it has in guilds. */
export async function* archivedImages(
  read: ReadStoredImage,
  { account, stays }: Pick<ArchivedAccount, 'account' | 'stays'>,
): AsyncGenerator<ArchiveEntry> {
  yield* imagesOf(read, 'assets/user', ofPerson(placesOfAccount(account.id), account.profile))
  for (const stay of stays)
    yield* imagesOf(read, `assets/guilds/${stay.guildId}`, ofPerson(placesOfMember(stay.guildId, account.id), stay))
}

/** The images of a guild itself. */
export function archivedGuildImages(
  read: ReadStoredImage,
  { id: owner, settings: { icon, banner, splash, embedSplash } }: Pick<Guild, 'id' | 'settings'>,
): AsyncGenerator<ArchiveEntry> {
  return imagesOf(read, 'assets/guild', [
    { name: 'icon', place: { kind: 'icons', owner }, hash: icon },
    { name: 'banner', place: { kind: 'banners', owner }, hash: banner?.hash ?? null },
    { name: 'splash', place: { kind: 'splashes', owner }, hash: splash?.hash ?? null },
    { name: 'embed_splash', place: { kind: 'embed-splashes', owner }, hash: embedSplash?.hash ?? null },
  ])
}

interface NamedImage {
  readonly name: string
  readonly place: ImagePlace
  /** Null for none. */
  readonly hash: string | null
}

const names = ['avatar', 'banner'] as const

function ofPerson(
  places: PersonPlaces,
  hashes: Readonly<Record<(typeof names)[number], string | null>>,
): readonly NamedImage[] {
  return names.map((name) => ({ name, place: places[name], hash: hashes[name] }))
}

async function* imagesOf(
  read: ReadStoredImage,
  folder: string,
  images: readonly NamedImage[],
): AsyncGenerator<ArchiveEntry> {
  for (const { name, place, hash } of images) {
    const bytes = hash === null ? undefined : await read(place, hash)
    if (bytes) yield { path: `${folder}/${name}.webp`, content: once(bytes) }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
