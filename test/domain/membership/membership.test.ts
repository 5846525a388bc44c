import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { msOf, secondsAfter, timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { BanMember, JoinGuild } from '../../../domain/membership/commands.ts'
import type { Admission, MemberBanned, MembershipEvent } from '../../../domain/membership/events.ts'
import { membership, membershipStatusAfter } from '../../../domain/membership/membership.ts'
import { isBanned, year_ms } from '../../../domain/membership/state.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { membershipCommands } from '../../../domain/testing/commands/arbitraries.ts'
import {
  ada,
  bareBan,
  code,
  everyone,
  founding,
  grace,
  home,
  installation,
  moderator,
  role,
  start,
} from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('membership', membershipCommands)

const admission: Admission = { by: 'invite', code, inviterId: grace, redemptionId: 'r1' }
const ids = { guildId: home, accountId: ada }

const join = (changes: Partial<JoinGuild> = {}) =>
  ({ type: 'JoinGuild', ...ids, temporary: false, admission, now: start, ...changes }) as const
const leave = (isOwner = false) => ({ type: 'LeaveGuild', guildId: home, isOwner, now: start }) as const
const terms = { ...ids, moderatorId: moderator, reason: null, expiresAt: null, ...bareBan }
const ban = (changes: Partial<BanMember> = {}): BanMember => ({ type: 'BanMember', ...terms, now: start, ...changes })
const unban = (now: Timestamp = start) => ({ type: 'UnbanMember', ...ids, now }) as const

const joined = (joinedAt: Timestamp = start): MembershipEvent => ({
  type: 'MemberJoined',
  data: { ...ids, joinedAt, temporary: false, admission },
})
const left: MembershipEvent = { type: 'MemberLeft', data: { ...ids, leftAt: start } }
const kicked: MembershipEvent = { type: 'MemberKicked', data: { ...ids, kickedAt: start } }
const rolesChanged: MembershipEvent = { type: 'MemberRolesChanged', data: { ...ids, roles: [role(1)], before: [] } }
const banned = (changes: Partial<MemberBanned> = {}): MembershipEvent => ({
  type: 'MemberBanned',
  data: { ...terms, wasMember: true, bannedAt: start, ...changes },
})
const timedOut = (until: Timestamp): MembershipEvent => ({
  type: 'MemberChanged',
  data: {
    ...ids,
    before: { communicationDisabledUntil: null },
    after: { communicationDisabledUntil: until },
    textsBefore: null,
    textsAfter: null,
    timeoutReason: null,
  },
})

const later = secondsAfter(start, 60)
const justBefore = secondsAfter(start, 59.999)

describe('joining a guild', () => {
  it('makes a stranger a member, and records how it was admitted', () => {
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

  it('is refused to an account that is not a member, whether or not the guild exists', () => {
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
    const back = fold(membership, [joined(), rolesChanged, left, joined(later)])
    expect(back).toMatchObject({ status: 'member', joinedAt: later, roles: [] })
  })
})

describe('banning', () => {
  it('ends the membership', () => {
    given(membership, [joined()])
      .when(ban({ reason: 'spam' }))
      .then(banned({ reason: 'spam' }))
    const { moderatorId, reason, ip } = terms
    const record = { moderatorId, reason, bannedAt: start, expiresAt: null, ip }
    expect(fold(membership, [joined(), banned()])).toStrictEqual({ status: 'banned', ...record })
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
    expect(fold(membership, [left, kicked, rolesChanged], state)).toStrictEqual(state)
    expect(fold(membership, [left, rolesChanged])).toStrictEqual({ status: 'absent' })
  })
})

describe('kicking', () => {
  it('ends the membership, but bans nobody', () => {
    given(membership, [joined()]).when({ type: 'KickMember', now: start }).then(kicked)
    given(membership, [joined(), kicked])
      .when(join({ now: later }))
      .then(joined(later))
  })

  it('is refused for an account that is not a member', () => {
    for (const history of [[], [joined(), left], [joined(), kicked], [joined(), banned()]])
      given(membership, history).when({ type: 'KickMember', now: start }).refuses('UNKNOWN_MEMBER')
  })
})

describe('lifting a ban', () => {
  it('says which ban it was', () => {
    const { moderatorId, expiresAt } = terms
    const known = { reason: 'spam', ip: '198.51.100.7' }
    given(membership, [banned(known)])
      .when(unban())
      .then({ type: 'MemberUnbanned', data: { ...ids, moderatorId, bannedAt: start, expiresAt, ...known } })
  })

  it('lets the account in again', () => {
    const known = { moderatorId: moderator, reason: null, bannedAt: start, expiresAt: null, ip: null }
    const lifted: MembershipEvent = { type: 'MemberUnbanned', data: { ...ids, ...known } }
    given(membership, [banned(), lifted])
      .when(join({ now: later }))
      .then(joined(later))
  })

  it('is refused if there is no ban of the account', () => {
    const notBanned = field('user_id', 'USER_IS_NOT_BANNED')
    given(membership, []).when(unban()).refuses('INVALID_FORM_BODY', notBanned)
    given(membership, [joined()]).when(unban()).refuses('INVALID_FORM_BODY', notBanned)
    given(membership, [banned({ expiresAt: later })])
      .when(unban(later))
      .refuses('INVALID_FORM_BODY', notBanned)
  })
})

describe('a timeout', () => {
  const goesOn = (until: Timestamp, now: Timestamp): MembershipEvent => ({
    type: 'MemberJoined',
    data: { ...ids, joinedAt: now, temporary: false, admission, communicationDisabledUntil: until },
  })

  const endings: readonly (readonly [string, MembershipEvent])[] = [
    ['leaving', left],
    ['a kick', kicked],
    ['a ban that ended', banned({ expiresAt: start })],
  ]
  it.each(endings)('outlives %s', (_, ending) => {
    const hour = secondsAfter(start, 3600)
    given(membership, [joined(), timedOut(hour), ending])
      .when(join({ now: later }))
      .then(goesOn(hour, later))
    expect(fold(membership, [goesOn(hour, later)])).toMatchObject({ communicationDisabledUntil: hour })
  })

  it('is forgotten once it is over', () => {
    given(membership, [joined(), timedOut(later), left])
      .when(join({ now: later }))
      .then(joined(later))
  })

  const span = fc.integer({ min: 1, max: 2 * year_ms })
  property(
    'continues for a member who comes back within a year, and no later',
    fc.tuple(span, span),
    ([until_ms, away_ms]) => {
      const until = timestamp(msOf(start) + until_ms)
      const now = timestamp(msOf(start) + away_ms)
      const back = membership.decide(fold(membership, [joined(), timedOut(until), left]), join({ now }))
      const expected = until_ms > away_ms && away_ms <= year_ms ? goesOn(until, now) : joined(now)
      expect(back).toStrictEqual({ outcome: 'accepted', events: [expected] })
    },
  )
})

describe('a bot that is added', () => {
  const added = (by: Admission) =>
    fold(membership, [{ type: 'MemberJoined', data: { ...ids, joinedAt: start, temporary: false, admission: by } }])

  it('holds its own role from the beginning', () => {
    expect(added(installation)).toMatchObject({ status: 'member', roles: [role(9)] })
    const roleless = { ...installation, role: null } as Admission
    expect(added(roleless)).toMatchObject({ status: 'member', roles: [] })
  })
})

describe('in whatever happens between an account and a guild', () => {
  const lives = histories(membership, membershipCommands)

  property('a banned account cannot join', lives, ({ steps }) => {
    for (const { before, command, decision } of steps) {
      if (command.type !== 'JoinGuild') continue
      expect(decision.outcome === 'refused').toBe(isBanned(before, command.now))
    }
  })

  property('a banned account is never a member, and a member never banned', lives, ({ steps }) => {
    for (const { before, after, events } of steps) {
      if (events.some(({ type }) => type === 'MemberBanned')) expect(after.status).toBe('banned')
      if (before.status === 'banned' && after.status === 'member') {
        expect(events.map(({ type }) => type)).toStrictEqual(['MemberJoined'])
      }
    }
  })

  property('the last event that decides the status tells it', lives, ({ events, state }) => {
    const types: readonly string[] = events.map(({ type }) => type)
    const last = types.findLast((type) => Object.hasOwn(membershipStatusAfter, type))
    expect(last === undefined ? 'absent' : new Map(Object.entries(membershipStatusAfter)).get(last)).toBe(state.status)
  })

  property("members hold each role once, and never everyone's", lives, ({ steps }) => {
    for (const { after } of steps) {
      if (after.status !== 'member') continue
      expect(new Set(after.roles).size).toBe(after.roles.length)
      expect(after.roles).not.toContain(everyone)
    }
  })
})
