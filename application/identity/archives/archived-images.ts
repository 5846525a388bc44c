import type { ArchiveEntry } from '../../ports/archives.js'
import type { ImagePlace } from '../../ports/images.js'
import { placesOfAccount, placesOfMember, type PersonPlaces } from '../../images/person-images.js'
import type { ArchivedAccount } from './archived-account.js'

/** Reads an image from the store; undefined if it is gone. */
export type ReadStoredImage = (place: ImagePlace, hash: string) => Promise<Uint8Array | undefined>

/** The images of the account itself, then those that it has in guilds. */
export async function* archivedImages(
  read: ReadStoredImage,
  { account, stays }: Pick<ArchivedAccount, 'account' | 'stays'>,
): AsyncGenerator<ArchiveEntry> {
  yield* imagesOf(read, 'assets/user', placesOfAccount(account.id), account.profile)
  for (const stay of stays)
    yield* imagesOf(read, `assets/guilds/${stay.guildId}`, placesOfMember(stay.guildId, account.id), stay)
}

const names = ['avatar', 'banner'] as const

async function* imagesOf(
  read: ReadStoredImage,
  folder: string,
  places: PersonPlaces,
  hashes: Readonly<Record<(typeof names)[number], string | null>>,
): AsyncGenerator<ArchiveEntry> {
  for (const name of names) {
    const hash = hashes[name]
    const bytes = hash === null ? undefined : await read(places[name], hash)
    if (bytes) yield { path: `${folder}/${name}.webp`, content: once(bytes) }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
