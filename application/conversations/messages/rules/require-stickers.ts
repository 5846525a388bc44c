import type { StickerId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { StickerItem } from '../../../../domain/messages/parts.ts'
import { lacking } from '../../../../domain/permissions/authority.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import type { Ports } from '../../../ports.ts'
import type { TextPlace } from '../text-places.ts'

/**
 * The stickers that a message shows, each once, in the order of the request. Refuses with field codes on `sticker`:
 * CUSTOM_STICKER_NOT_FOUND; without the perk of expressions everywhere CUSTOM_STICKERS_IN_DMS_REQUIRE_PREMIUM in a private channel, and
 * CUSTOM_STICKERS_REQUIRE_PREMIUM_OUTSIDE_SOURCE for one of another guild; then 403 MISSING_PERMISSIONS for such a one without
 * USE_EXTERNAL_STICKERS. See rules/expressions#use.
 */
export async function requireStickers(
  { limits, queries }: Pick<Ports, 'limits' | 'queries'>,
  { account }: Pick<Caller, 'account'>,
  place: TextPlace,
  wanted: readonly StickerId[],
): Promise<readonly StickerItem[]> {
  if (wanted.length === 0) return []
  const found = new Map((await queries.expressions.stickers(wanted)).map((sticker) => [sticker.id, sticker]))
  const stickers = [...new Set(wanted)].map(
    (id) => found.get(id) ?? reject('INVALID_FORM_BODY', field('sticker', 'CUSTOM_STICKER_NOT_FOUND')),
  )
  if (stickers.some(({ guildId }) => guildId !== place.guildId)) {
    const hasPerk = (await limits.ofAccount(account)).feature_global_expressions > 0
    if (!hasPerk) reject('INVALID_FORM_BODY', field('sticker', withoutPerk[place.kind]))
    if (!place.can('USE_EXTERNAL_STICKERS')) reject(lacking('USE_EXTERNAL_STICKERS'))
  }
  return stickers.map(({ id, name, animated }) => ({ id, name, animated }))
}

const withoutPerk = {
  guild: 'CUSTOM_STICKERS_REQUIRE_PREMIUM_OUTSIDE_SOURCE',
  private: 'CUSTOM_STICKERS_IN_DMS_REQUIRE_PREMIUM',
} as const
