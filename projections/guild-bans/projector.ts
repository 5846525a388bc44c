import type { AccountEvent } from '../../domain/account/events.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { MembershipEvent } from '../../domain/membership/events.ts'
import { networkOf, oneClient } from '../../domain/network/network-of.ts'
import { projection, put, remove, removeWhere } from '../runner/projection.ts'

/** The bans of guilds: by account, by e-mail address, by network. */
export const guildBansProjection = projection<MembershipEvent | GuildEvent | AccountEvent>({
  name: 'guild_bans',
  answers: 'Whom guilds keep out: by account, e-mail address and network.',
  version: 2,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { bans: ['guild_id', 'account_id'], ban_persons: ['guild_id', 'account_id'] },
  on: {
    MemberBanned: ({ data, position }) => [
      put('bans', {
        ...keyOf(data),
        moderator_id: data.moderatorId,
        banned_at: data.bannedAt,
        expires_at: data.expiresAt,
        position: position.toString(),
      }),
      put('ban_persons', {
        ...keyOf(data),
        reason: data.reason,
        email: data.email,
        ip: data.ip,
        network: data.ip === null ? null : networkOf(data.ip, oneClient),
      }),
    ],
    MemberUnbanned: ({ data }) => [remove('bans', keyOf(data)), remove('ban_persons', keyOf(data))],
    GuildDeleted: ({ data }) => [
      removeWhere('bans', { guild_id: data.guildId }),
      removeWhere('ban_persons', { guild_id: data.guildId }),
    ],
    AccountErasureStarted: ({ data }) => [removeWhere('ban_persons', { account_id: data.accountId })],
  },
})

const keyOf = ({ guildId, accountId }: { readonly guildId: GuildId; readonly accountId: AccountId }) => ({
  guild_id: guildId,
  account_id: accountId,
})
