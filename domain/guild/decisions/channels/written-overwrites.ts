import { refusal, field, type Refusal } from '../../../kernel/refusal.js'
import { sameJson } from '../../../kernel/same-json.js'
import { holdsAll, type GuildActor } from '../../../permissions/authority.js'
import type { Overwrite } from '../../../permissions/compute-permissions.js'
import { writtenMask } from '../../../permissions/written-mask.js'
import type { Channel } from '../../channel.js'
import type { WishedOverwrite } from '../../channel-commands.js'
import type { Guild } from '../../state.js'

/** The overwrites that a write leaves, one for each id; of bits that the client does not declare to know, those stored. */
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

/** Whether two channels have the same overwrites, in whatever order. */
export function sameOverwrites(one: readonly Overwrite[], other: readonly Overwrite[]): boolean {
  return one.length === other.length && missingIn(one, other).length === 0
}

/** The channels of a category that have its overwrites: what changes in it goes on to them (reference gateway 5.3). */
export function inSyncWith(guild: Guild, category: Channel): readonly Channel['id'][] {
  return guild.channels
    .filter(({ parentId, overwrites }) => parentId === category.id && sameOverwrites(overwrites, category.overwrites))
    .map(({ id }) => id)
}

/**
 * Why an actor may not write some overwrites anew: INVALID_ROLE_ID of a role that is not there, MISSING_PERMISSIONS where a bit would change that the actor does not hold in the channel, or, before there is
 * one, in its category (reference gateway 5.3).
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
  return holdsAll(guild, by, changedBits(before, after), held) ? undefined : refusal('MISSING_PERMISSIONS')
}

/** Every bit that some overwrite allows or denies before and not after, or the other way round. */
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

/** Those of `overwrites` that `others` does not have as they are. */
function missingIn(others: readonly Overwrite[], overwrites: readonly Overwrite[]): readonly Overwrite[] {
  const byId = new Map(others.map((overwrite) => [overwrite.id, overwrite]))
  return overwrites.filter((overwrite) => !sameJson(overwrite, byId.get(overwrite.id)))
}
