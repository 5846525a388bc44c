import fc from 'fast-check'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.ts'
import type { GuildView } from './guild-views.ts'

/** What is there to be changed. Things are those of the newest view; numbers choose among them. */
export interface GuildStage {
  readonly guildhall: TestGuildhall
  readonly guildId: string
  readonly owner: TestAccount
  readonly others: readonly [TestAccount, ...TestAccount[]]
  readonly view: GuildView
}

/** A request that may be refused: no model says what comes of it. */
export interface GuildAct {
  readonly kind: keyof typeof acts
  /** Chooses an account, and a role, a channel or an invite. */
  readonly who: number
  readonly which: number
  /** Chooses one of two values, so that a guild comes back to what it was. */
  readonly isOther: boolean
}

type Act = (stage: Chosen) => Promise<TestAnswer>

interface Chosen {
  readonly isOther: boolean
  readonly guild: string
  readonly member: TestAccount
  readonly role: string
  readonly channel: string
  readonly code: string
  /** A request of the owner, and one of the member. */
  asOwner(method: Method, path: string, body?: Body): Promise<TestAnswer>
  asMember(method: Method, path: string, body?: Body): Promise<TestAnswer>
}

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Body = Readonly<Record<string, unknown>>

const bits = (name: keyof typeof permissionBits): string => permissionBits[name].toString()

const acts = {
  rename: ({ asOwner, guild, isOther }) => asOwner('PATCH', guild, { name: isOther ? 'Engine' : 'Lobby' }),
  verify: ({ asOwner, guild, isOther }) => asOwner('PATCH', guild, { verification_level: isOther ? 1 : 0 }),
  makeRole: ({ asOwner, guild }) => asOwner('POST', `${guild}/roles`, { name: 'Helper', permissions: '0' }),
  changeRole: ({ asOwner, guild, role, isOther }) =>
    asOwner('PATCH', `${guild}/roles/${role}`, { permissions: isOther ? bits('BAN_MEMBERS') : '0', hoist: isOther }),
  deleteRole: ({ asOwner, guild, role }) => asOwner('DELETE', `${guild}/roles/${role}`),
  makeChannel: ({ asOwner, guild, isOther }) =>
    asOwner('POST', `${guild}/channels`, { name: isOther ? 'tea' : 'coffee', type: isOther ? 0 : 4 }),
  changeChannel: ({ asOwner, channel, isOther }) =>
    asOwner('PATCH', `/v1/channels/${channel}`, { name: isOther ? 'books' : 'music' }),
  deleteChannel: ({ asOwner, channel }) => asOwner('DELETE', `/v1/channels/${channel}`),
  overwrite: ({ asOwner, channel, role, isOther }) =>
    asOwner('PUT', `/v1/channels/${channel}/permissions/${role}`, {
      type: 0,
      allow: isOther ? bits('SEND_MESSAGES') : '0',
      deny: isOther ? '0' : bits('SEND_MESSAGES'),
    }),
  deleteOverwrite: ({ asOwner, channel, role }) => asOwner('DELETE', `/v1/channels/${channel}/permissions/${role}`),
  invite: ({ asOwner, channel }) => asOwner('POST', `/v1/channels/${channel}/invites`, { unique: true, max_age: 0 }),
  deleteInvite: ({ asOwner, code }) => asOwner('DELETE', `/v1/invites/${code}`),
  join: ({ asMember, code }) => asMember('POST', `/v1/invites/${code}`),
  leave: ({ asMember, guild }) => asMember('DELETE', guild.replace('guilds', 'users/@me/guilds')),
  kick: ({ asOwner, guild, member }) => asOwner('DELETE', `${guild}/members/${member.id}`),
  ban: ({ asOwner, guild, member }) => asOwner('PUT', `${guild}/bans/${member.id}`, { reason: 'noise' }),
  unban: ({ asOwner, guild, member }) => asOwner('DELETE', `${guild}/bans/${member.id}`),
  giveRole: ({ asOwner, guild, member, role }) => asOwner('PUT', `${guild}/members/${member.id}/roles/${role}`),
  takeRole: ({ asOwner, guild, member, role }) => asOwner('DELETE', `${guild}/members/${member.id}/roles/${role}`),
  nick: ({ asOwner, guild, member, isOther }) =>
    asOwner('PATCH', `${guild}/members/${member.id}`, { nick: isOther ? 'Countess' : null }),
} satisfies Readonly<Record<string, Act>>

const kinds = Object.keys(acts) as readonly GuildAct['kind'][]

/** Lists of acts, in which members come more often than they go. */
export function guildActs(count: number): fc.Arbitrary<readonly GuildAct[]> {
  const kind = fc.constantFrom(
    ...kinds,
    'invite',
    'join',
    'join',
    'makeRole',
    'giveRole',
    'nick',
    'rename',
  ) as fc.Arbitrary<GuildAct['kind']>
  const act = fc.record({ kind, who: fc.nat({ max: 99 }), which: fc.nat({ max: 99 }), isOther: fc.boolean() })
  return fc.array(act, { minLength: count, maxLength: count })
}

/** Carries an act out. Gives the status of its answer. */
export async function carryOut({ kind, who, which, isOther }: GuildAct, stage: GuildStage): Promise<number> {
  const { guildhall, guildId, owner, others, view } = stage
  const one = (items: readonly string[]): string => items[which % Math.max(items.length, 1)] ?? '1'
  const member = others[who % others.length] ?? others[0]
  const as =
    ({ token }: TestAccount) =>
    (method: Method, path: string, body?: Body) =>
      guildhall.request(method, path, { token, ...(body && { body }) })
  const { status } = await acts[kind]({
    isOther,
    guild: `/v1/guilds/${guildId}`,
    member,
    role: one(Object.keys(view.roles).filter((id) => id !== guildId)),
    channel: one(Object.keys(view.channels)),
    code: one(Object.keys(view.invites)),
    asOwner: as(owner),
    asMember: as(member),
  })
  return status
}
