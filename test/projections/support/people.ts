import type { AccountRegistered } from '../../../domain/account/events.ts'
import { plainChannel } from '../../../domain/guild/layout.ts'
import { channelTypes, type Channel } from '../../../domain/guild/channel.ts'
import { initialSettings, type Role } from '../../../domain/guild/state.ts'
import {
  accountId,
  channelId,
  guildId,
  inviteCode,
  roleId,
  type AccountId,
  type ChannelId,
  type GuildId,
} from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { InviteTerms } from '../../../domain/invite/events.ts'
import { secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Admission, MemberBanned } from '../../../domain/membership/events.ts'
import { bareBan } from '../../../domain/testing/people.ts'
import type { AnyEvent } from './world.ts'

/** The people and places of the read models' tests, and their events. Ids are larger than a number can hold. */

const id = (kind: number, number: number) =>
  snowflake((9_007_199_254_740_993n + BigInt(kind * 1000 + number)).toString())

export const account = (number: number): AccountId => accountId(id(1, number))
export const guild = (number: number): GuildId => guildId(id(2, number))
export const channel = (number: number): ChannelId => channelId(id(3, number))
export const role = (number: number) => roleId(id(4, number))

export const start = timestamp(Date.UTC(2026, 0, 1, 12))
export const after = (seconds: number) => secondsAfter(start, seconds)

export const registered = (number: number, more: Partial<AccountRegistered> = {}): AnyEvent => ({
  type: 'AccountRegistered',
  data: {
    accountId: account(number),
    username: `User${number}`,
    discriminator: number,
    globalName: null,
    email: `user${number}@example.org`,
    passwordHash: '$argon2id$secret',
    dateOfBirth: '1990-12-10',
    emailVerified: false,
    locale: 'en-US',
    registeredAt: start,
    ...more,
  },
})

export const created = (number: number, owner = account(1)): AnyEvent => ({
  type: 'GuildCreated',
  data: { guildId: guild(number), name: `Guild ${number}`, ownerId: owner, features: ['BANNER'], createdAt: start },
})

export const deleted = (number: number, owner = account(1)): AnyEvent => ({
  type: 'GuildDeleted',
  data: { guildId: guild(number), ownerId: owner, channelIds: [] },
})

export const someRole = (number: number, position: number): Role => ({
  id: role(number),
  name: `role "${number}"`,
  permissions: '18446744073709551615',
  position,
  color: 0,
  hoist: false,
  hoistPosition: null,
  mentionable: true,
  unicodeEmoji: null,
})

export const someChannel = (number: number, position: number): Channel => ({
  id: channel(number),
  type: channelTypes.text,
  name: `channel ${number}`,
  position,
  ...plainChannel,
  overwrites: [{ id: role(1), type: 0, allow: '1', deny: '0' }],
})

export const withRole = (number: number, made: Role): AnyEvent => ({
  type: 'RoleCreated',
  data: { guildId: guild(number), role: made },
})

export const withChannel = (number: number, made: Channel): AnyEvent => ({
  type: 'ChannelCreated',
  data: { guildId: guild(number), channel: made, founding: false },
})

export const joined = (
  number: number,
  member: number,
  more: { admission?: Admission; seconds?: number; temporary?: boolean } = {},
): AnyEvent => ({
  type: 'MemberJoined',
  data: {
    guildId: guild(number),
    accountId: account(member),
    joinedAt: after(more.seconds ?? 0),
    temporary: more.temporary ?? false,
    admission: more.admission ?? { by: 'custom_invite' },
  },
})

export const left = (number: number, member: number): AnyEvent => ({
  type: 'MemberLeft',
  data: { guildId: guild(number), accountId: account(member) },
})

/** What a permanent ban of a stranger by the first account holds, with the given changes. */
export const banOf = (number: number, person: number, changes: Partial<MemberBanned> = {}): MemberBanned => ({
  guildId: guild(number),
  accountId: account(person),
  moderatorId: account(1),
  wasMember: false,
  reason: null,
  bannedAt: after(1),
  expiresAt: null,
  ...bareBan,
  ...changes,
})

export const banned = (number: number, person: number, changes: Partial<MemberBanned> = {}): AnyEvent => ({
  type: 'MemberBanned',
  data: banOf(number, person, changes),
})

export const erased = (person: number): AnyEvent => ({
  type: 'AccountErasureStarted',
  data: { accountId: account(person), username: 'x', addressHash: null, identityHashes: [], startedAt: after(9) },
})

export const terms = (code: string, more: Partial<InviteTerms> = {}): InviteTerms => ({
  code: inviteCode(code),
  guildId: guild(1),
  channelId: channel(1),
  inviterId: account(1),
  maxUses: 0,
  maxAge: 0,
  temporary: false,
  createdAt: start,
  ...more,
})

export const invited = (offer: InviteTerms): AnyEvent => ({ type: 'InviteCreated', data: offer })

export const redeemed = (
  { code, guildId: at, inviterId, temporary }: InviteTerms,
  redemptionId: string,
  uses = 1,
  member = 2,
): AnyEvent => ({
  type: 'InviteRedeemed',
  data: { code, guildId: at, accountId: account(member), inviterId, temporary, redemptionId, uses },
})

export const returned = ({ code }: InviteTerms, redemptionId: string, uses = 0): AnyEvent => ({
  type: 'InviteRedemptionReturned',
  data: { code, redemptionId, uses },
})

export const uninvited = (offer: InviteTerms, uses = 0): AnyEvent => ({
  type: 'InviteDeleted',
  data: { ...offer, uses, deletedBy: account(1) },
})

export const settings = initialSettings
