import type { Channel } from '../../domain/guild/channel.ts'
import type { Guild, Role } from '../../domain/guild/state.ts'
import type { RoleId } from '../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../domain/ids/snowflake.ts'
import { computePermissions, holds, type Overwrite } from '../../domain/permissions/compute-permissions.ts'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import type { Entry, RoleSet } from './entry.ts'

/** Who sees a channel, as far as the channel itself decides it. Channels with the same key have the same list. */
export interface Viewers {
  readonly key: string
  /** Those that give or take the sight of it, without their other bits. */
  readonly overwrites: readonly Overwrite[]
}

const sight = permissionBits.VIEW_CHANNEL
/** What decides of a role's permissions who sees channels. */
const deciding = sight | permissionBits.ADMINISTRATOR

export function viewersOf({ overwrites }: Channel): Viewers {
  const ofSight = overwrites
    .map(({ id, type, allow, deny }) => ({ id, type, allow: sightIn(allow), deny: sightIn(deny) }))
    .filter(({ allow, deny }) => allow !== deny || allow !== '0')
    .toSorted((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : one.type - other.type))
  return {
    key: ofSight.map(({ id, type, allow, deny }) => `${type} ${id} ${allow} ${deny}`).join(','),
    overwrites: ofSight,
  }
}

function sightIn(mask: string): string {
  return (BigInt(mask) & sight).toString()
}

/** Judges who is in the list of some viewers, once for all members with the same roles. */
export function judgeOf(guild: Guild, { overwrites }: Viewers): (entry: Entry) => boolean {
  const named = new Set<string>(overwrites.filter(({ type }) => type === 1).map(({ id }) => id))
  const judged = new Map<RoleSet, boolean>()
  const judge = ({ accountId, roles: { roles } }: Entry): boolean =>
    holds(computePermissions(guild, { accountId, roles }, overwrites), 'VIEW_CHANNEL')
  return (entry) => {
    const { accountId, roles } = entry
    if (accountId === guild.ownerId || named.has(accountId)) return judge(entry)
    const known = judged.get(roles) ?? judge(entry)
    judged.set(roles, known)
    return known
  }
}

/** The hoisted roles, the one whose group comes first at first: by their own order, or by that of all roles where they have none. */
export function hoistedRoles({ roles }: Pick<Guild, 'roles'>): readonly RoleId[] {
  const placeOf = ({ hoistPosition, position }: Role): number => hoistPosition ?? position
  return roles
    .filter(({ hoist }) => hoist)
    .toSorted(
      (one, other) =>
        placeOf(other) - placeOf(one) || other.position - one.position || compareSnowflakes(one.id, other.id),
    )
    .map(({ id }) => id)
}

/**
 * Whether the same members see the same channels, and stand in the same groups, as far as roles and the owner decide it. A new role
 * has no holders yet.
 */
export function listsTheSame(was: Guild, now: Guild): boolean {
  if (was.ownerId !== now.ownerId) return false
  if (was.roles === now.roles) return true
  const [before, after] = [hoistedRoles(was), hoistedRoles(now)]
  if (before.length !== after.length || before.some((id, index) => after[index] !== id)) return false
  const bits = new Map(now.roles.map(({ id, permissions }) => [id, BigInt(permissions) & deciding]))
  return was.roles.every(({ id, permissions }) => (BigInt(permissions) & deciding) === (bits.get(id) ?? 0n))
}
