import { describe, expect, it } from 'vitest'
import { fold } from '../../../domain/kernel/decider.js'
import { field } from '../../../domain/kernel/refusal.js'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.js'
import type { BanMember, JoinGuild, SetMemberRoles } from '../../../domain/membership/commands.js'
import type { Admission, MemberBanned, MembershipEvent } from '../../../domain/membership/events.js'
import { isBanned, membership } from '../../../domain/membership/membership.js'
import { given, histories, property } from '../../support/given-when-then.js'
import { membershipCommands } from '../arbitraries.js'
import { ada, code, everyone, founding, grace, home, installation, moderator, role, start } from '../people.js'

const admission: Admission = { by: 'invite', code, inviterId: grace, redemptionId: 'r1' }

const join = (changes: Partial<JoinGuild> = {}) =>
  ({ type: 'JoinGuild', guildId: home, accountId: ada, temporary: false, admission, now: start, ...changes }) as const
const leave = (isOwner = false) => ({ type: 'LeaveGuild', guildId: home, isOwner }) as const
const setRoles = (...roles: SetMemberRoles['roles']) => ({ type: 'SetMemberRoles', roles }) as const
const terms = { guildId: home, accountId: ada, moderatorId: moderator, reason: null, expiresAt: null }
const ban = (changes: Partial<BanMember> = {}): BanMember => ({
  type: 'BanMember',
  ...terms,
  now: start,
  ...changes,
})

const joined = (joinedAt: Timestamp = start): MembershipEvent => ({
  type: 'MemberJoined',
  data: { guildId: home, accountId: ada, joinedAt, temporary: false, admission },
})
const left: MembershipEvent = { type: 'MemberLeft', data: { guildId: home, accountId: ada } }
const rolesChanged = (...roles: SetMemberRoles['roles']): MembershipEvent => ({
  type: 'MemberRolesChanged',
  data: { guildId: home, accountId: ada, roles },
})
const banned = (changes: Partial<MemberBanned> = {}): MembershipEvent => ({
  type: 'MemberBanned',
  data: {
    ...terms,
    wasMember: true,
    bannedAt: start,
    ...changes,
  },
})

const later = secondsAfter(start, 60)
const justBefore = secondsAfter(start, 59.999)

describe('joining a guild', () => {
  it('makes a stranger a member, with what let it in', () => {
    given(membership, []).when(join()).then(joined())
    given(membership, [])
      .when(join({ temporary: true, admission: founding }))
      .then({
        type: 'MemberJoined',
        data: { guildId: home, accountId: ada, joinedAt: start, temporary: true, admission: founding },
      })
  })

  it('changes nothing for a member', () => {
    given(membership, [joined()]).when(join()).changesNothing()
    given(membership, [joined()])
      .when(join({ now: later, temporary: true }))
      .changesNothing()
  })

  it('is possible again after leaving', () => {
    given(membership, [joined(), left])
      .when(join({ now: later }))
      .then(joined(later))
  })

  it('is refused while a ban lasts', () => {
    given(membership, [banned()])
      .when(join({ now: later }))
      .refuses('USER_BANNED_FROM_GUILD')
    given(membership, [joined(), banned()])
      .when(join({ now: later }))
      .refuses('USER_BANNED_FROM_GUILD')
    given(membership, [banned({ expiresAt: later })])
      .when(join({ now: justBefore }))
      .refuses('USER_BANNED_FROM_GUILD')
  })

  it('is possible from the end of a ban on', () => {
    given(membership, [banned({ expiresAt: later })])
      .when(join({ now: later }))
      .then(joined(later))
  })
})

describe('leaving a guild', () => {
  it('ends the membership', () => {
    given(membership, [joined()]).when(leave()).then(left)
  })

  it('is refused to who is no member, whether or not the guild exists', () => {
    given(membership, []).when(leave()).refuses('UNKNOWN_MEMBER')
    given(membership, [joined(), left]).when(leave()).refuses('UNKNOWN_MEMBER')
    given(membership, [joined(), banned()]).when(leave()).refuses('UNKNOWN_MEMBER')
  })

  it('is refused to the owner', () => {
    given(membership, [joined()])
      .when(leave(true))
      .refuses('INVALID_FORM_BODY', field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
    given(membership, []).when(leave(true)).refuses('UNKNOWN_MEMBER')
  })

  it('loses the roles', () => {
    const back = fold(membership, [joined(), rolesChanged(role(1)), left, joined(later)])
    expect(back).toMatchObject({ status: 'member', joinedAt: later, roles: [] })
  })
})

describe("setting a member's roles", () => {
  it('keeps each once', () => {
    given(membership, [joined()])
      .when(setRoles(role(2), role(1), role(2)))
      .then(rolesChanged(role(2), role(1)))
    given(membership, [joined(), rolesChanged(role(1))])
      .when(setRoles())
      .then(rolesChanged())
  })

  it("leaves out everyone's role, which every member holds", () => {
    given(membership, [joined()])
      .when(setRoles(everyone, role(1)))
      .then(rolesChanged(role(1)))
    given(membership, [joined()]).when(setRoles(everyone)).changesNothing()
  })

  it('changes nothing for the same roles in another order', () => {
    given(membership, [joined(), rolesChanged(role(1), role(2))])
      .when(setRoles(role(2), role(1)))
      .changesNothing()
    given(membership, [joined()]).when(setRoles()).changesNothing()
  })

  it('is refused for who is no member', () => {
    given(membership, [])
      .when(setRoles(role(1)))
      .refuses('UNKNOWN_MEMBER')
    given(membership, [joined(), left])
      .when(setRoles(role(1)))
      .refuses('UNKNOWN_MEMBER')
    given(membership, [joined(), banned()])
      .when(setRoles(role(1)))
      .refuses('UNKNOWN_MEMBER')
  })
})

describe('banning', () => {
  it('ends the membership', () => {
    given(membership, [joined()])
      .when(ban({ reason: 'spam' }))
      .then(banned({ reason: 'spam' }))
    expect(fold(membership, [joined(), banned()])).toStrictEqual({ status: 'banned', bannedAt: start, expiresAt: null })
  })

  it('is possible for a stranger', () => {
    given(membership, [])
      .when(ban({ expiresAt: later }))
      .then(banned({ wasMember: false, expiresAt: later }))
  })

  it('is done once, however often it is asked for', () => {
    given(membership, [banned()]).when(ban()).changesNothing()
  })

  it('replaces an earlier ban', () => {
    given(membership, [banned()])
      .when(ban({ expiresAt: later }))
      .then(banned({ wasMember: false, expiresAt: later }))
    given(membership, [banned()])
      .when(ban({ now: later }))
      .then(banned({ wasMember: false, bannedAt: later }))
  })

  it('outlives what is said of a membership that it ended', () => {
    const state = fold(membership, [joined(), banned()])
    expect(fold(membership, [left, rolesChanged(role(1))], state)).toStrictEqual(state)
    expect(fold(membership, [left, rolesChanged(role(1))])).toStrictEqual({ status: 'absent' })
  })
})

describe('a bot that is added', () => {
  it('holds its own role from the beginning', () => {
    const added = fold(membership, [
      { type: 'MemberJoined', data: { ...join(), joinedAt: start, admission: installation } },
    ])
    expect(added).toMatchObject({ status: 'member', roles: [role(9)] })
    const roleless = { ...installation, role: null } as Admission
    expect(
      fold(membership, [{ type: 'MemberJoined', data: { ...join(), joinedAt: start, admission: roleless } }]),
    ).toMatchObject({ status: 'member', roles: [] })
  })
})

describe('in whatever happens between an account and a guild', () => {
  const lives = histories(membership, membershipCommands)

  property('nobody joins whom a ban keeps out', lives, ({ steps }) => {
    for (const { before, command, decision } of steps) {
      if (command.type !== 'JoinGuild') continue
      expect(decision.outcome === 'refused').toBe(isBanned(before, command.now))
    }
  })

  property("members hold each role once, and never everyone's", lives, ({ steps }) => {
    for (const { after } of steps) {
      if (after.status !== 'member') continue
      expect(new Set(after.roles).size).toBe(after.roles.length)
      expect(after.roles).not.toContain(everyone)
    }
  })
})
