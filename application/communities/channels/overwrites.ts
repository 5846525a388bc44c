import type { WishedOverwrite } from '../../../domain/guild/channel-commands.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { requireChannel, requireInSight, requirePermission, type ChannelAccess } from '../../access/guild-access.ts'
import { undeclaredBitsOf, type Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries'>

/** Sets an overwrite. Refuses as `requireChannel` and SetOverwrite do. See rules/roles-and-permissions#overwrites. */
export function setOverwrite(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, overwrite: WishedOverwrite): Promise<void> => {
    const { guild, actor: by } = await requireManaged(ports, caller, channelId)
    const undeclaredBits = undeclaredBitsOf(caller)
    const command = { type: 'SetOverwrite', by, channelId, overwrite, undeclaredBits } as const
    await ports.aggregates.guild.execute(guild.id, command, caller.context)
  }
}

/**
 * Removes an overwrite. Refuses as `requireChannel` and RemoveOverwrite do. See rules/roles-and-permissions#overwrites.
 */
export function removeOverwrite(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, overwriteId: string): Promise<void> => {
    const { guild, actor: by } = await requireManaged(ports, caller, channelId)
    await ports.aggregates.guild.execute(
      guild.id,
      { type: 'RemoveOverwrite', by, channelId, overwriteId },
      caller.context,
    )
  }
}

async function requireManaged(ports: Needs, caller: Caller, channelId: ChannelId): Promise<ChannelAccess> {
  const access = await requireChannel(ports, caller, channelId)
  requireInSight(access, caller)
  requirePermission(access, 'MANAGE_ROLES')
  return access
}
