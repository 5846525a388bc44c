import type { AccountId, RoleId } from '../../../domain/ids/ids.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'

/** A guild and one of its members, with names of permissions instead of bits. */
export interface NamedGuild {
  readonly ownerId: AccountId
  readonly everyone: readonly PermissionName[]
  readonly roles: readonly { readonly id: RoleId; readonly permissions: readonly PermissionName[] }[]
  /** The roles of the member. */
  readonly held: readonly RoleId[]
  /** Null for the guild itself. */
  readonly overwrites: readonly NamedOverwrite[] | null
}

export interface NamedOverwrite {
  readonly target: readonly [kind: 'role', id: RoleId] | readonly [kind: 'member', id: AccountId]
  readonly allow: readonly PermissionName[]
  readonly deny: readonly PermissionName[]
}

/**
 * A second implementation of masks (rules/roles-and-permissions#compute), one permission at a time: for each name it
 * looks for the rule that decides. It shares no code with the domain and uses only sets of names.
 */
export function permissionsByName(
  guild: NamedGuild,
  member: AccountId,
  everyone: RoleId,
): ReadonlySet<PermissionName> | 'all' {
  if (guild.ownerId === member) return 'all'
  const base = new Set(guild.everyone)
  for (const { id, permissions } of guild.roles) {
    if (guild.held.includes(id)) for (const name of permissions) base.add(name)
  }
  if (base.has('ADMINISTRATOR')) return 'all'
  if (!guild.overwrites) return base
  const overwrites = guild.overwrites
  const mentioned = new Set([...base, ...overwrites.flatMap(({ allow }) => allow)])
  return new Set([...mentioned].filter((name) => lastWord(name)))

  function lastWord(name: PermissionName): boolean {
    const ofMember = said(
      name,
      overwrites.filter(({ target: [kind, id] }) => kind === 'member' && id === member),
    )
    const ofRoles = said(
      name,
      overwrites.filter(({ target: [kind, id] }) => kind === 'role' && guild.held.includes(id)),
    )
    const ofEveryone = said(
      name,
      overwrites.filter(({ target: [kind, id] }) => kind === 'role' && id === everyone),
    )
    return ofMember ?? ofRoles ?? ofEveryone ?? base.has(name)
  }
}

/** What some overwrites decide together for a permission: allow beats deny; undefined if they do not mention it. */
function said(name: PermissionName, overwrites: readonly NamedOverwrite[]): boolean | undefined {
  if (overwrites.some(({ allow }) => allow.includes(name))) return true
  return overwrites.some(({ deny }) => deny.includes(name)) ? false : undefined
}
