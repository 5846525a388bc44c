import type { Profile } from '../../domain/account/profile.ts'
import { membershipId, type AccountId, type GuildId } from '../../domain/ids/ids.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { requireUnlistedAvatar } from '../content-rules/require-unlisted-file.ts'
import { reject } from '../commands/refused.ts'
import type { Asker } from '../ports/asker.ts'
import type { ImageLocation, ReadImage } from '../ports/images.ts'
import type { LimitedAccount } from '../ports/limits.ts'
import type { Ports } from '../ports.ts'
import { readImage, type ReadingNeeds } from './read-image.ts'
import { removeReplaced, type ReplacingNeeds } from './remove-replaced.ts'

/** The images of an account, for all guilds or for one. */
export type PersonImage = 'avatar' | 'banner'

/** One entry per image; left out if the image does not change. */
type OfImages<Value> = { readonly [Name in PersonImage]?: Value | undefined }

/** The images as sent; null removes one. */
export type SentImages = OfImages<Uint8Array | null>
export type ReadImages = OfImages<ReadImage | null>
/** The names of stored images: hashes. */
export type NamedImages = { readonly [Name in PersonImage]?: string | null }

const names = ['avatar', 'banner'] as const satisfies readonly PersonImage[]

/** Where the images of an account or member are stored. */
export type PersonImageLocations = Readonly<Record<PersonImage, ImageLocation>>

export function imageLocationsOfAccount(owner: AccountId): PersonImageLocations {
  return { avatar: { kind: 'avatars', owner }, banner: { kind: 'banners', owner } }
}

export function imageLocationsOfMember(guild: GuildId, account: AccountId): PersonImageLocations {
  const owner = membershipId(guild, account)
  return { avatar: { kind: 'member-avatars', owner }, banner: { kind: 'member-banners', owner } }
}

/**
 * Reads the new images of an account. Refuses with INVALID_FORM_BODY: BANNERS_REQUIRE_PREMIUM, the refusals of `charge`
 * and of `readImage`, and ANIMATED_AVATARS_REQUIRE_PREMIUM. Refuses an avatar whose hash is listed with
 * CONTENT_BLOCKED.
 */
export async function readPersonImages(
  ports: ReadingNeeds & Pick<Ports, 'limits'>,
  asker: Asker,
  account: LimitedAccount,
  { avatar, banner }: SentImages,
  charge: (image: PersonImage) => Promise<void> = () => Promise.resolve(),
): Promise<ReadImages> {
  if (avatar === undefined && banner === undefined) return {}
  const limits = await ports.limits.ofAccount(account)
  const {
    avatar_max_size: bytes_max,
    feature_animated_avatar: mayMove,
    feature_animated_banner: mayHaveBanner,
  } = limits
  if (banner && mayHaveBanner === 0) reject('INVALID_FORM_BODY', field('banner', 'BANNERS_REQUIRE_PREMIUM'))
  if (avatar) await charge('avatar')
  if (banner !== undefined) await charge('banner')
  const readAvatar = avatar && (await readImage(ports, asker, { path: 'avatar', bytes: avatar, bytes_max }))
  if (readAvatar?.animated === true && mayMove === 0)
    reject('INVALID_FORM_BODY', field('avatar', 'ANIMATED_AVATARS_REQUIRE_PREMIUM'))
  if (readAvatar) await requireUnlistedAvatar(ports, readAvatar.hash)
  const readBanner = banner && (await readImage(ports, asker, { path: 'banner', bytes: banner, bytes_max }))
  return { avatar: readAvatar, banner: readBanner }
}

/** Stores new images before anything names them. If storing fails, the previous image stays. */
export async function storePersonImages(read: ReadImages, locations: PersonImageLocations): Promise<NamedImages> {
  const stored: { [Name in PersonImage]?: string | null } = {}
  for (const name of names) {
    const image = read[name]
    if (image !== undefined) stored[name] = image && (await image.store(locations[name])).hash
  }
  return stored
}

/** The dominant colours of an account's new images; null for a removed image. */
export function coloursOf({ avatar, banner }: ReadImages): Partial<Pick<Profile, 'avatarColor' | 'bannerColor'>> {
  return {
    ...(avatar === undefined ? {} : { avatarColor: avatar?.colour ?? null }),
    ...(banner === undefined ? {} : { bannerColor: banner?.colour ?? null }),
  }
}

/** Removes images that are no longer named. `now` gives the current names at the time of removal. */
export function removeReplacedOfPerson(
  ports: ReplacingNeeds,
  locations: PersonImageLocations,
  { before, after }: { readonly before: Readonly<Record<PersonImage, string | null>>; readonly after: NamedImages },
  now: () => Promise<NamedImages>,
): void {
  for (const name of names) {
    const changed = after[name]
    if (changed === undefined) continue
    const named = async (): Promise<string | null> => (await now())[name] ?? null
    removeReplaced(ports, locations[name], { before: before[name], after: changed }, named)
  }
}
