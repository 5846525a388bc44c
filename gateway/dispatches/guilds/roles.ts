import type { Role } from '../../../domain/guild/state.ts'
import type { GuildId, RoleId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { heldRoles } from '../../../domain/permissions/held-roles.ts'
import { roleObject } from '../../../application/wire-objects/communities/guild-objects.ts'
import { memberObject } from '../../../application/wire-objects/communities/member-objects.ts'
import type { Known } from '../../visibility/known-event.ts'
import type { Link, Room } from '../../visibility/room.ts'
import { byAccount, perViewer, same, type Dispatch } from '../dispatch.ts'
import { telling, type Telling } from '../telling.ts'

/**
 * A role was created: GUILD_ROLE_CREATE; then GUILD_MEMBER_UPDATE to a bot that joined with it. The bot's GUILD_CREATE came
 * before the role, and without it.
 */
export function roleCreated({ data }: Known<'RoleCreated'>): Telling {
  const { guildId, role } = data
  return telling(['GUILD_ROLE_CREATE', 'GUILD_MEMBER_UPDATE'], ({ room, now }) => [
    ofRole('GUILD_ROLE_CREATE', guildId, role),
    ...botsWith(room, role.id, now),
  ])
}

function botsWith(room: Room | undefined, id: RoleId, now: Timestamp): readonly Dispatch<'GUILD_MEMBER_UPDATE'>[] {
  const links = [...(room?.bots ?? [])].filter(({ member }) => member.roles.includes(id))
  return byAccount(links, ({ session }) => session).map(([link]) => toItself(link, now))
}

/** GUILD_MEMBER_UPDATE to the member's own sessions only: the others know already. */
function toItself({ room: { guild }, member, session }: Link, now: Timestamp): Dispatch<'GUILD_MEMBER_UPDATE'> {
  const shown = memberObject(heldRoles(guild, member), session.account, now)
  return {
    t: 'GUILD_MEMBER_UPDATE',
    guildId: guild.id,
    audience: { kind: 'guild', admits: (link) => link.member.accountId === member.accountId },
    body: same({ ...shown, guild_id: guild.id }),
  }
}

/** A role was written: GUILD_ROLE_UPDATE with its full current state, even if nothing differs. */
export function roleChanged({ data: { guildId, roleId } }: Known<'RoleChanged'>): Telling {
  return telling(['GUILD_ROLE_UPDATE'], ({ room }) =>
    rolesIn(room, [roleId]).map((role) => ofRole('GUILD_ROLE_UPDATE', guildId, role)),
  )
}

/** Roles were reordered: one GUILD_ROLE_UPDATE_BULK with all roles whose position changed. */
export function rolesReordered({ data: { guildId, roles } }: Known<'RolesReordered'>): Telling {
  return telling(['GUILD_ROLE_UPDATE_BULK'], ({ room }) => {
    const changed = rolesIn(
      room,
      roles.map(({ roleId }) => roleId),
    )
    const body = perViewer((viewer) => ({
      guild_id: guildId,
      roles: changed.map((role) => roleObject(role, viewer)),
    }))
    return [{ t: 'GUILD_ROLE_UPDATE_BULK', guildId, audience: { kind: 'guild' }, body }]
  })
}

/** A role was deleted: GUILD_ROLE_DELETE. Clients conclude from it that members no longer hold the role. */
export function roleDeleted({ data: { guildId, role } }: Known<'RoleDeleted'>): Telling {
  const body = same({ guild_id: guildId, role_id: role.id })
  return telling(['GUILD_ROLE_DELETE'], () => [{ t: 'GUILD_ROLE_DELETE', guildId, audience: { kind: 'guild' }, body }])
}

function ofRole<Name extends 'GUILD_ROLE_CREATE' | 'GUILD_ROLE_UPDATE'>(
  t: Name,
  guildId: GuildId,
  role: Role,
): Dispatch<Name> {
  const body = perViewer((viewer) => ({ guild_id: guildId, role: roleObject(role, viewer) }))
  return { t, guildId, audience: { kind: 'guild' }, body }
}

/** Those of the named roles that exist. */
function rolesIn(room: Room | undefined, ids: readonly RoleId[]): readonly Role[] {
  const named = new Set(ids)
  return (room?.guild.roles ?? []).filter(({ id }) => named.has(id))
}
