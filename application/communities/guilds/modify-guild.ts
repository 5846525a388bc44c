import { lacking } from '../../../domain/permissions/authority.ts'
import { imagesWithoutFeature } from '../../../domain/guild/decisions/modify-guild.ts'
import type { GuildChanges } from '../../../domain/guild/modify.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { readImage } from '../../images/read-image.ts'
import { removeReplaced } from '../../images/remove-replaced.ts'
import { guildObject, type GuildObject } from '../../wire-objects/communities/guild-objects.ts'
import type { ReadImage } from '../../ports/images.ts'
import type { ImageKind } from '../../../domain/images/image-kinds.ts'
import type { Ports } from '../../ports.ts'

/** The parsed body of Modify guild: the images as sent, and all other changes. */
export interface GuildWrites {
  readonly images: { readonly [Name in ImageName]?: Uint8Array | null }
  readonly changes: Omit<GuildChanges, ImageName>
}

type ImageName = 'icon' | 'banner' | 'splash' | 'embedSplash'

type Needs = Pick<Ports, 'deferred' | 'aggregates' | 'blocklistBox' | 'images' | 'limits' | 'queries'>

/**
 * Changes a guild. If the MFA level changes, `proveSudo` is called before the check of ownership; it refuses callers
 * without a sudo proof. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED,
 * SUDO_MODE_REQUIRED, INVALID_FORM_BODY with the codes of the fields, and CONTENT_BLOCKED for a listed image. See
 * rules/guilds#modify.
 */
export function modifyGuild(ports: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    { images, changes }: GuildWrites,
    proveSudo: () => Promise<void>,
  ): Promise<GuildObject> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_GUILD')
    const { settings } = access.guild
    if (changes.mfaLevel !== undefined && changes.mfaLevel !== settings.mfaLevel) {
      await proveSudo()
      // Refused before the images are read, so that only the owner's images are stored.
      if (access.guild.ownerId !== caller.account.id) return reject(lacking('ownership'))
    }
    // An image without its feature is also refused here: the contract checks the feature before the format.
    const withoutFeature = imagesWithoutFeature(access.guild, images)
    if (withoutFeature.length > 0) return reject('INVALID_FORM_BODY', ...withoutFeature)
    const read = await readImages(ports, caller, images)
    const written = await store(guildId, read)
    const { aggregates } = ports
    const { actor: by } = access
    const { context } = caller
    const wanted = { changes: { ...changes, ...written }, bannerMoves: read.banner?.animated ?? false }
    const command = { type: 'ModifyGuild', by, ...wanted, now: context.now } as const
    const { state } = await aggregates.guild.execute(guildId, command, context)
    if (state.status !== 'active') return reject('UNKNOWN_GUILD')
    removePrevious(ports, access.guild, state)
    return guildObject(state)
  }
}

interface ImageRule {
  readonly kind: ImageKind
  /** The image's member in the body. */
  readonly path: string
  /** Whether the image must be still and in a format of still images. */
  readonly mustBeStill: boolean
}

const imageRules: Readonly<Record<ImageName, ImageRule>> = {
  icon: { kind: 'icons', path: 'icon', mustBeStill: false },
  banner: { kind: 'banners', path: 'banner', mustBeStill: false },
  splash: { kind: 'splashes', path: 'splash', mustBeStill: true },
  embedSplash: { kind: 'embed-splashes', path: 'embed_splash', mustBeStill: true },
}

const imageNames = ['icon', 'banner', 'splash', 'embedSplash'] as const satisfies readonly ImageName[]

type ReadImages = { readonly [Name in ImageName]?: ReadImage | null }

async function readImages(
  ports: Pick<Needs, 'blocklistBox' | 'images' | 'limits' | 'queries'>,
  caller: Caller,
  sent: GuildWrites['images'],
): Promise<ReadImages> {
  const { avatar_max_size: bytes_max } = await ports.limits.ofAccount(caller.account)
  const read: { [Name in ImageName]?: ReadImage | null } = {}
  for (const name of imageNames) {
    const bytes = sent[name]
    if (bytes === undefined) continue
    const { path, mustBeStill } = imageRules[name]
    const image = bytes && (await readImage(ports, caller, { path, bytes, bytes_max }))
    if (image?.isStill === false && mustBeStill) reject('INVALID_FORM_BODY', field(path, 'INVALID_IMAGE_FORMAT'))
    read[name] = image
  }
  return read
}

/** Stores the new images before the guild names them. If one fails, the previous image stays. */
async function store(owner: GuildId, read: ReadImages): Promise<Pick<GuildChanges, ImageName>> {
  const stored = async (name: ImageName) => read[name]?.store({ kind: imageRules[name].kind, owner }) ?? null
  return {
    ...(read.icon === undefined ? {} : { icon: (await stored('icon'))?.hash ?? null }),
    ...(read.banner === undefined ? {} : { banner: await stored('banner') }),
    ...(read.splash === undefined ? {} : { splash: await stored('splash') }),
    ...(read.embedSplash === undefined ? {} : { embedSplash: await stored('embedSplash') }),
  }
}

/** Removes the previous images after the answer, except those that were set again meanwhile. */
export function removePrevious(
  ports: Pick<Ports, 'aggregates' | 'deferred' | 'images'>,
  before: Guild,
  after: Guild,
): void {
  for (const name of imageNames) {
    const location = { kind: imageRules[name].kind, owner: after.id }
    removeReplaced(ports, location, { before: hashOf(before, name), after: hashOf(after, name) }, async () => {
      const { state } = await ports.aggregates.guild.load(after.id)
      return state.status === 'active' ? hashOf(state, name) : null
    })
  }
}

function hashOf({ settings }: Guild, name: ImageName): string | null {
  return name === 'icon' ? settings.icon : (settings[name]?.hash ?? null)
}
