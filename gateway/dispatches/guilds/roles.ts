import type { Role } from '../../../domain/guild/state.js'
import type { GuildId, RoleId } from '../../../domain/ids/ids.js'
import { roleObject } from '../../../application/objects/guilds/guild-objects.js'
import type { Known } from '../../events/known-event.js'
import type { Room } from '../../visibility/room.js'
import { perViewer, same, type Dispatch, type Telling } from '../dispatch.js'

/** A guild has a role more: GUILD_ROLE_CREATE. */
export function roleCreated({ data }: Known<'RoleCreated'>): Telling {
  const { guildId, role } = data
  return { accounts: [], dispatches: () => [ofRole('GUILD_ROLE_CREATE', guildId, role)] }
}

/** A role was written: GUILD_ROLE_UPDATE with all that it is now, also where nothing differs (reference gateway 5.1). */
export function roleChanged({ data: { guildId, roleId } }: Known<'RoleChanged'>): Telling {
  return {
    accounts: [],
    dispatches: ({ room }) => rolesIn(room, [roleId]).map((role) => ofRole('GUILD_ROLE_UPDATE', guildId, role)),
  }
}

/** Roles stand in another order: one GUILD_ROLE_UPDATE_BULK with every one that has another place. */
export function rolesReordered({ data: { guildId, roles } }: Known<'RolesReordered'>): Telling {
  return {
    accounts: [],
    dispatches: ({ room }) => {
      const changed = rolesIn(
        room,
        roles.map(({ roleId }) => roleId),
      )
      const body = perViewer((viewer) => ({
        guild_id: guildId,
        roles: changed.map((role) => roleObject(role, viewer)),
      }))
      return [{ t: 'GUILD_ROLE_UPDATE_BULK', guildId, audience: { kind: 'guild' }, body }]
    },
  }
}

/** A role is gone: GUILD_ROLE_DELETE. That its members hold it no more follows from that, for clients too. */
export function roleDeleted({ data: { guildId, role } }: Known<'RoleDeleted'>): Telling {
  const body = same({ guild_id: guildId, role_id: role.id })
  return {
    accounts: [],
    dispatches: () => [{ t: 'GUILD_ROLE_DELETE', guildId, audience: { kind: 'guild' }, body }],
  }
}

function ofRole(t: 'GUILD_ROLE_CREATE' | 'GUILD_ROLE_UPDATE', guildId: GuildId, role: Role): Dispatch {
  const body = perViewer((viewer) => ({ guild_id: guildId, role: roleObject(role, viewer) }))
  return { t, guildId, audience: { kind: 'guild' }, body }
}

/** Those of the named roles that are there. */
function rolesIn(room: Room | undefined, ids: readonly RoleId[]): readonly Role[] {
  const named = new Set(ids)
  return (room?.guild.roles ?? []).filter(({ id }) => named.has(id))
}
