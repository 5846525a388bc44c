import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import type { Ports } from '../../ports.ts'
import {
  adminGuildInviteObject,
  type AdminGuildInviteObject,
} from '../../wire-objects/administration/admin-guild-invite-object.ts'
import { requireGuildThere } from './require-guild-there.ts'

export interface GuildInvites {
  /** Newest first. */
  readonly invites: readonly AdminGuildInviteObject[]
  /** The custom invite URL; its code is null if the guild has none. */
  readonly vanity_url: { readonly code: string | null; readonly uses: number }
}

/**
 * The invites to all channels of a guild that can still admit, each with who made it, and the custom one. Refuses with
 * UNKNOWN_GUILD (rules/administration#guilds).
 */
export function listAdminGuildInvites({ queries }: Pick<Ports, 'queries'>) {
  return async ({ context }: Caller, id: GuildId): Promise<GuildInvites> => {
    const guild = await requireGuildThere({ queries }, id)
    const [found, custom] = await Promise.all([queries.invites.ofGuild(id, context.now), queries.invites.customOf(id)])
    const inviters = await usersOf({ queries }, [...new Set(found.map(({ inviterId }) => inviterId))])
    const channels = new Map(guild.channels.map((channel) => [channel.id, channel]))
    return {
      invites: found.map((invite) =>
        adminGuildInviteObject(invite, channels.get(invite.channelId), inviters.get(invite.inviterId)),
      ),
      vanity_url: { code: guild.settings.vanityCode, uses: custom?.uses ?? 0 },
    }
  }
}
