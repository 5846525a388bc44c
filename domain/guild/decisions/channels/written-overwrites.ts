import { refusal, field, type Refusal } from '../../../kernel/refusal.ts'
import { sameJson } from '../../../kernel/same-json.ts'
import { holdsAll, lackingOf, type GuildActor } from '../../../permissions/authority.ts'
import type { Overwrite } from '../../../permissions/compute-permissions.ts'
import { writtenMask } from '../../../permissions/written-mask.ts'
import type { Channel } from '../../channel.ts'
import type { WishedOverwrite } from '../../channel-commands.ts'
import type { Guild } from '../../state.ts'

/** The overwrites after a write, one for each id. Bits that the client does not declare keep their stored value. */
export function writtenOverwrites(
  wished: readonly WishedOverwrite[],
  stored: readonly Overwrite[],
  undeclared: bigint,
): readonly Overwrite[] {
  const before = new Map(stored.map((overwrite) => [overwrite.id, overwrite]))
  const eachOnce = new Map(wished.map((overwrite) => [overwrite.id, overwrite]))
  return [...eachOnce.values()].map(({ id, type, allow, deny }) => {
    const now = before.get(id)
    return {
      id,
      type,
      allow: writtenMask(allow, BigInt(now?.allow ?? 0), undeclared).toString(),
      deny: writtenMask(deny, BigInt(now?.deny ?? 0), undeclared).toString(),
    }
  })
}

/** Whether two channels have the same overwrites, in any order. */
export function sameOverwrites(one: readonly Overwrite[], other: readonly Overwrite[]): boolean {
  return one.length === other.length && missingIn(one, other).length === 0
}

/** The channels of a category that have its overwrites: changes of the category's overwrites apply to them too. */
export function inSyncWith(guild: Guild, category: Channel): readonly Channel['id'][] {
  return guild.channels
    .filter(({ parentId, overwrites }) => parentId === category.id && sameOverwrites(overwrites, category.overwrites))
    .map(({ id }) => id)
}

/**
 * Why an actor may not write some overwrites: INVALID_ROLE_ID for a role that does not exist, MISSING_PERMISSIONS for
 * changing a bit that the actor does not hold in the channel, or for a new channel in its category.
 */
export function overwritesRefusal(
  guild: Guild,
  by: GuildActor,
  before: readonly Overwrite[],
  after: readonly Overwrite[],
  held: readonly Overwrite[] = before,
): Refusal | undefined {
  const known = new Set<string>(guild.roles.map(({ id }) => id))
  const stray = after.findIndex(({ id, type }) => type === 0 && !known.has(id))
  if (stray !== -1) return refusal('INVALID_FORM_BODY', field(`permission_overwrites.${stray}.id`, 'INVALID_ROLE_ID'))
  const changed = changedBits(before, after)
  return holdsAll(guild, by, changed, held) ? undefined : lackingOf(guild, by, changed, held)
}

/** All bits that some overwrite allows or denies only before or only after. */
export function changedBits(before: readonly Overwrite[], after: readonly Overwrite[]): bigint {
  const keyOf = ({ id, type }: Overwrite): string => `${type} ${id}`
  const was = new Map(before.map((overwrite) => [keyOf(overwrite), overwrite]))
  const is = new Map(after.map((overwrite) => [keyOf(overwrite), overwrite]))
  let bits = 0n
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [one, other] = [was.get(key) ?? nothing, is.get(key) ?? nothing]
    bits |= (BigInt(one.allow) ^ BigInt(other.allow)) | (BigInt(one.deny) ^ BigInt(other.deny))
  }
  return bits
}

const nothing = { allow: '0', deny: '0' }

/** Those of `overwrites` that `others` lacks or has differently. */
function missingIn(others: readonly Overwrite[], overwrites: readonly Overwrite[]): readonly Overwrite[] {
  const byId = new Map(others.map((overwrite) => [overwrite.id, overwrite]))
  return overwrites.filter((overwrite) => !sameJson(overwrite, byId.get(overwrite.id)))
}
