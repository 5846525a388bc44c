import type { GuildEvent } from '../../domain/guild/events.js'
import type { InviteEvent } from '../../domain/invite/events.js'
import { expiresAt } from '../../domain/invite/state.js'
import { patch, projection, put, remove, removeWhere } from '../runner/projection.js'

/** The invites that stand on record, by code, guild and channel. */
export const invitesProjection = projection<InviteEvent | GuildEvent>({
  name: 'invites',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { invites: ['code'] },
  on: {
    InviteCreated: ({ data }) => [
      put('invites', {
        code: data.code,
        guild_id: data.guildId,
        channel_id: data.channelId,
        inviter_id: data.inviterId,
        uses: 0,
        max_uses: data.maxUses,
        max_age: data.maxAge,
        temporary: data.temporary,
        created_at: data.createdAt,
        expires_at: expiresAt(data),
      }),
    ],
    InviteRedeemed: ({ data }) => [patch('invites', { code: data.code }, { uses: data.uses })],
    InviteRedemptionReturned: ({ data }) => [patch('invites', { code: data.code }, { uses: data.uses })],
    InviteDeleted: ({ data }) => [remove('invites', { code: data.code })],
    GuildDeleted: ({ data }) => [removeWhere('invites', { guild_id: data.guildId })],
  },
})
