import type { ChannelId } from '../../../domain/ids/ids.ts'
import { expiresAt } from '../../../domain/invite/state.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import {
  groupInviteMetadataObject,
  inviteMetadataObject,
} from '../../../application/wire-objects/communities/invite-objects.ts'
import type { Known } from '../../visibility/known-event.ts'
import { same, type Audience } from '../dispatch.ts'
import { preparing, telling, type Telling } from '../telling.ts'

/**
 * An invite was created: INVITE_CREATE with its metadata object, beside the ids that INVITE_DELETE has. If the channel was deleted a moment before, the dispatch leaves
 * it out, like the list of invites does: the invite still admits.
 */
export function inviteCreated({ data: terms }: Known<'InviteCreated'>): Telling {
  const { guildId, channelId, inviterId } = terms
  return preparing(['INVITE_CREATE'], {
    accounts: [inviterId],
    prepare:
      ({ account }) =>
      ({ room, onlineCount }) => {
        if (!room) return []
        const channel = room.guild.channels.find(({ id }) => id === channelId)
        const parts = {
          invite: { ...terms, uses: 0, expiresAt: expiresAt(terms) },
          guild: room.guild,
          channel,
          inviter: account(inviterId),
          memberCount: room.memberCount,
          presenceCount: onlineCount(guildId),
        }
        const body = same({ ...inviteMetadataObject(parts), channel_id: channelId, guild_id: guildId })
        return [{ t: 'INVITE_CREATE', guildId, audience: managersOf(channelId), body }]
      },
  })
}

/** An invite was deleted: INVITE_DELETE. */
export function inviteDeleted({ data }: Known<'InviteDeleted'>): Telling {
  const { code, guildId, channelId } = data
  const body = same({ code, channel_id: channelId, guild_id: guildId })
  return telling(['INVITE_DELETE'], () => [{ t: 'INVITE_DELETE', guildId, audience: managersOf(channelId), body }])
}

/** An invite to a private channel was created: INVITE_CREATE to all recipients. */
export function groupInviteCreated({ data }: Known<'GroupInviteCreated'>): Telling {
  const { recipients, ...terms } = data
  return preparing(['INVITE_CREATE'], {
    accounts: [data.inviterId, ...recipients],
    prepare: async ({ lookups, account }) => {
      const channel = await lookups.ask(({ privateChannels }) => privateChannels.find(data.channelId))
      if (!channel) return () => []
      const parts = {
        invite: { ...terms, uses: 0, expiresAt: expiresAt(terms) },
        channel,
        inviter: account(data.inviterId),
        recipients: recipients.map(account),
      }
      const body = same({ ...groupInviteMetadataObject(parts), channel_id: data.channelId })
      return ({ sessionsOf }) => {
        const sessions = recipients.flatMap(sessionsOf)
        return [{ t: 'INVITE_CREATE', guildId: null, audience: { kind: 'sessions', sessions }, body }]
      }
    },
  })
}

/** An invite to a private channel was deleted: INVITE_DELETE to all recipients. */
export function groupInviteDeleted({ data }: Known<'GroupInviteDeleted'>): Telling {
  const { code, channelId, recipients } = data
  return telling(['INVITE_DELETE'], ({ sessionsOf }) => [
    {
      t: 'INVITE_DELETE',
      guildId: null,
      audience: { kind: 'sessions', sessions: recipients.flatMap(sessionsOf) },
      body: same({ code, channel_id: channelId }),
    },
  ])
}

/**
 * The sessions that hold MANAGE_CHANNELS in the channel and can view it; for a deleted channel, in the guild. Both are
 * checked, because the mask may hold MANAGE_CHANNELS while VIEW_CHANNEL is denied.
 */
function managersOf(channel: ChannelId): Audience {
  return {
    kind: 'guild',
    needs: (guild, member) => {
      const overwrites = guild.channels.find(({ id }) => id === channel)?.overwrites
      return holds(computePermissions(guild, member, overwrites), 'MANAGE_CHANNELS', 'VIEW_CHANNEL')
    },
  }
}
