import type { GuildEvent } from '../../domain/guild/events.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import type { GroupInviteTerms, InviteEvent } from '../../domain/invite/events.ts'
import { expiresAt } from '../../domain/invite/state.ts'
import type { MembershipEvent } from '../../domain/membership/events.ts'
import { add, patch, projection, put, remove, type RowChange } from '../runner/projection.ts'

/** Existing invites, by code, guild and channel, and the custom invite URLs. */
export const invitesProjection = projection<InviteEvent | GuildEvent | MembershipEvent>({
  name: 'invites',
  answers: 'Invites that stand on record, and custom invite URLs.',
  version: 2,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { invites: ['code'], custom_urls: ['guild_id'] },
  on: {
    InviteCreated: ({ data }) => [created(data, data.guildId)],
    InviteRedeemed: ({ data }) => [patch('invites', { code: data.code }, { uses: data.uses })],
    InviteRedemptionReturned: ({ data }) => [patch('invites', { code: data.code }, { uses: data.uses })],
    InviteDeleted: ({ data }) => [remove('invites', { code: data.code })],
    GroupInviteCreated: ({ data }) => [created(data, null)],
    GroupInviteRedeemed: ({ data }) => [patch('invites', { code: data.code }, { uses: data.uses })],
    GroupInviteDeleted: ({ data }) => [remove('invites', { code: data.code })],
    VanityCodeChanged: ({ data: { guildId, before, after } }) => {
      if (before?.code === after?.code) return []
      if (!after) return [remove('custom_urls', { guild_id: guildId })]
      return [put('custom_urls', { guild_id: guildId, code: after.code, uses: 0 })]
    },
    // An admission by a custom invite names no code; the admissions themselves are counted.
    MemberJoined: ({ data: { admission, guildId } }) =>
      admission.by === 'custom_invite' ? [add('custom_urls', { guild_id: guildId }, { uses: 1 })] : [],
    GuildDeleted: ({ data }) => [remove('custom_urls', { guild_id: data.guildId })],
  },
})

function created(terms: GroupInviteTerms, guildId: GuildId | null): RowChange {
  return put('invites', {
    code: terms.code,
    guild_id: guildId,
    channel_id: terms.channelId,
    inviter_id: terms.inviterId,
    uses: 0,
    max_uses: terms.maxUses,
    max_age: terms.maxAge,
    temporary: terms.temporary,
    created_at: terms.createdAt,
    expires_at: expiresAt(terms),
  })
}
