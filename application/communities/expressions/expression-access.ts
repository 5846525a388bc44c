import type { Guild } from '../../../domain/guild/state.ts'
import type { ExpressionActor } from '../../../domain/guild-expressions/commands.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { requireGuild, requirePermission, type GuildAccess } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import type { ImageLocation } from '../../ports/images.ts'
import type { Ports } from '../../ports.ts'

export type ExpressionKind = 'emoji' | 'sticker'

/** The slots of a guild with UNLIMITED_EMOJI or UNLIMITED_STICKERS, whatever its limits say. */
const unlimitedSlots = 999_999

const kinds = {
  emoji: { unlimited: 'UNLIMITED_EMOJI', slots: 'max_guild_emojis', bytes: 'emoji_max_size', images: 'emojis' },
  sticker: {
    unlimited: 'UNLIMITED_STICKERS',
    slots: 'max_guild_stickers',
    bytes: 'sticker_max_size',
    images: 'stickers',
  },
} as const

/** How many expressions of a kind a guild may have, and how large an image of one may be. */
export interface ExpressionBounds {
  readonly slots: number
  readonly bytes_max: number
}

/** The bounds of a guild (rules/expressions#slots). */
export async function expressionBounds(
  { limits }: Pick<Ports, 'limits'>,
  guild: Pick<Guild, 'features'>,
  kind: ExpressionKind,
): Promise<ExpressionBounds> {
  const { unlimited, slots, bytes } = kinds[kind]
  const values = await limits.ofGuild(guild)
  return { slots: guild.features.includes(unlimited) ? unlimitedSlots : values[slots], bytes_max: values[bytes] }
}

/** Where the image of an expression is stored. */
export function imageLocationOf(kind: ExpressionKind, guildId: GuildId, id: string): ImageLocation {
  return { kind: kinds[kind].images, owner: `${guildId}/${id}` }
}

/** Gives the guild to a member with CREATE_EXPRESSIONS. Refuses as `requireGuild` does, then with MISSING_PERMISSIONS. */
export async function requireCreator(
  ports: Pick<Ports, 'queries'>,
  caller: Caller,
  guildId: GuildId,
): Promise<GuildAccess> {
  const access = await requireGuild(ports, caller, guildId)
  requirePermission(access, 'CREATE_EXPRESSIONS')
  return access
}

/** The member as somebody who changes or deletes expressions. */
export function expressionActor({ member, can }: GuildAccess): ExpressionActor {
  return {
    accountId: member.accountId,
    mayCreate: can('CREATE_EXPRESSIONS'),
    mayManage: can('MANAGE_EXPRESSIONS'),
  }
}
