import { field } from '../../../../domain/kernel/refusal.ts'
import { embeds_units_max, placeFiles, unitsOf, type Embed } from '../../../../domain/messages/embeds.ts'
import { lacking } from '../../../../domain/permissions/authority.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import type { Ports } from '../../../ports.ts'
import type { TextPlace } from '../text-places.ts'

/** Demands EMBED_LINKS of who sends embeds in a guild: 403 MISSING_PERMISSIONS (rules/messages#embeds). */
export function requireMayEmbed(place: TextPlace, embeds: readonly Embed[]): void {
  if (embeds.length > 0 && place.kind === 'guild' && !place.can('EMBED_LINKS')) reject(lacking('EMBED_LINKS'))
}

/**
 * Demands that a message has no more embeds, and no more text in them, than it may. Refuses with field codes on `path`, the member of
 * the embeds: TOO_MANY_EMBEDS above the limit of the account or of everybody in the guild, EMBEDS_EXCEED_MAX_CHARACTERS above 6000
 * UTF-16 units together, unless another service wrote them (rules/messages#embeds).
 */
export async function requireEmbedsWithin(
  { limits }: Pick<Ports, 'limits'>,
  { account }: Caller,
  place: TextPlace,
  embeds: readonly Embed[],
  { path = 'embeds', hasForeignEmbeds = false }: { readonly path?: string; readonly hasForeignEmbeds?: boolean } = {},
): Promise<void> {
  if (embeds.length === 0) return
  const own = await limits.ofAccount(account)
  const there = place.kind === 'guild' ? await limits.ofGuild(place.access.guild) : own
  const max = Math.max(own.max_embeds_per_message, there.max_embeds_per_message)
  if (embeds.length > max) reject('INVALID_FORM_BODY', field(path, 'TOO_MANY_EMBEDS', { reason: 'wrong_length', max }))
  if (!hasForeignEmbeds && unitsOf(embeds) > embeds_units_max)
    reject(
      'INVALID_FORM_BODY',
      field(path, 'EMBEDS_EXCEED_MAX_CHARACTERS', { reason: 'wrong_length', max: embeds_units_max }),
    )
}

/**
 * The embeds with the files that they name, and the files that stand beside them. Refuses as `placeFiles` does, with field codes at
 * the addresses.
 */
export function requirePlacedFiles(
  embeds: readonly Embed[],
  attachments: Parameters<typeof placeFiles>[1],
  path = 'embeds',
) {
  const placed = placeFiles(embeds, attachments)
  if (placed.faults)
    reject('INVALID_FORM_BODY', ...placed.faults.map(({ path: at, code }) => field(`${path}.${at}`, code)))
  return { embeds: placed.embeds, attachments: placed.others }
}
