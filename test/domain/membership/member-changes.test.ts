import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { msOf, secondsAfter, timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { ChangeMember } from '../../../domain/membership/commands.ts'
import type { MemberChanged, MembershipEvent } from '../../../domain/membership/events.ts'
import { membership } from '../../../domain/membership/membership.ts'
import { isTimedOut, year_ms } from '../../../domain/membership/state.ts'
import type { RoleId } from '../../../domain/ids/ids.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { membershipCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { ada, everyone, founding, home, role, start } from '../../../domain/testing/people.ts'

const ids = { guildId: home, accountId: ada }
const noTexts = { nick: null, bio: null, pronouns: null }
const later = secondsAfter(start, 60)

const joined: MembershipEvent = {
  type: 'MemberJoined',
  data: { ...ids, joinedAt: start, temporary: false, admission: founding },
}
const left: MembershipEvent = { type: 'MemberLeft', data: { ...ids, leftAt: start } }
const changed = (changes: Partial<MemberChanged>): MembershipEvent => ({
  type: 'MemberChanged',
  data: { ...ids, before: {}, after: {}, textsBefore: null, textsAfter: null, timeoutReason: null, ...changes },
})
const named = (nick: string) => changed({ textsBefore: noTexts, textsAfter: { ...noTexts, nick } })
const timedOut = (until: Timestamp) =>
  changed({ before: { communicationDisabledUntil: null }, after: { communicationDisabledUntil: until } })
const rolesChanged = (before: readonly RoleId[], ...roles: readonly RoleId[]): MembershipEvent => ({
  type: 'MemberRolesChanged',
  data: { ...ids, roles, before },
})

const change = (changes: ChangeMember['changes'], more: Partial<ChangeMember> = {}): ChangeMember => ({
  type: 'ChangeMember',
  changes,
  isOwn: false,
  timeoutReason: null,
  now: start,
  ...more,
})
const withRoles = (give: readonly RoleId[], take: readonly RoleId[] = []) => change({}, { roles: { give, take } })

describe('changing a member', () => {
  it('records the differences, with texts separate from the rest', () => {
    given(membership, [joined])
      .when(change({ nick: 'Countess' }))
      .then(named('Countess'))
    given(membership, [joined])
      .when(change({ mute: true, deaf: false, pronouns: 'she/her', accentColor: null }))
      .then(
        changed({
          before: { mute: false },
          after: { mute: true },
          textsBefore: noTexts,
          textsAfter: { ...noTexts, pronouns: 'she/her' },
        }),
      )
  })

  it('changes nothing if nothing differs', () => {
    given(membership, [joined]).when(change({})).changesNothing()
    given(membership, [joined, named('Countess')])
      .when(change({ nick: 'Countess', mute: false, communicationDisabledUntil: null }))
      .changesNothing()
  })

  it('tells of flags by themselves, since the audit log does not tell of these', () => {
    given(membership, [joined])
      .when(change({ nick: 'Countess', profileFlags: 1, mentionFlags: 2 }))
      .then(
        named('Countess'),
        changed({ before: { profileFlags: 0, mentionFlags: 0 }, after: { profileFlags: 1, mentionFlags: 2 } }),
      )
  })

  it('removes what is set to null', () => {
    given(membership, [joined, named('Countess')])
      .when(change({ nick: null }))
      .then(changed({ textsBefore: { ...noTexts, nick: 'Countess' }, textsAfter: noTexts }))
  })

  it('is refused for an account that is not a member', () => {
    given(membership, []).when(change({})).refuses('UNKNOWN_MEMBER')
    given(membership, [joined, left])
      .when(change({ nick: 'Countess' }))
      .refuses('UNKNOWN_MEMBER')
  })

  it("is two events if roles change too: the member's data, and its roles", () => {
    given(membership, [joined])
      .when(change({ nick: 'Countess' }, { roles: { give: [role(1)], take: [] } }))
      .then(named('Countess'), rolesChanged([], role(1)))
  })
})

describe('a timeout', () => {
  const at = (ms: number) => timestamp(msOf(start) + ms)
  const until = (instant: Timestamp | null, more: Partial<ChangeMember> = {}) =>
    change({ communicationDisabledUntil: instant }, more)

  it('lies ahead, at most 365.25 days', () => {
    given(membership, [joined])
      .when(until(at(1)))
      .then(timedOut(at(1)))
    given(membership, [joined])
      .when(until(at(year_ms)))
      .then(timedOut(at(year_ms)))
    const path = 'communication_disabled_until'
    for (const past of [start, at(-1)])
      given(membership, [joined]).when(until(past)).refuses('INVALID_FORM_BODY', field(path, 'INVALID_TIMEOUT_VALUE'))
    given(membership, [joined])
      .when(until(at(year_ms + 1)))
      .refuses('INVALID_FORM_BODY', field(path, 'TIMEOUT_CANNOT_EXCEED_365_DAYS'))
  })

  it('is ended by null, keeps its reason, and changes nothing if it is there already', () => {
    const history = [joined, timedOut(later)]
    given(membership, history)
      .when(until(null))
      .then(changed({ before: { communicationDisabledUntil: later }, after: { communicationDisabledUntil: null } }))
    given(membership, history)
      .when(until(later, { now: secondsAfter(later, 1) }))
      .changesNothing()
    given(membership, [joined])
      .when(until(later, { timeoutReason: 'flooding' }))
      .then(
        changed({
          before: { communicationDisabledUntil: null },
          after: { communicationDisabledUntil: later },
          timeoutReason: 'flooding',
        }),
      )
  })

  it('lasts until its instant and no longer', () => {
    const member = { communicationDisabledUntil: later }
    expect(isTimedOut(member, start)).toBe(true)
    expect(isTimedOut(member, later)).toBe(false)
    expect(isTimedOut({ communicationDisabledUntil: null }, start)).toBe(false)
  })

  it('prevents a member from changing its own nickname, and nobody else', () => {
    const history = [joined, timedOut(later)]
    const own = { isOwn: true }
    given(membership, history)
      .when(change({ nick: 'Countess' }, own))
      .refuses('COMMUNICATION_DISABLED')
    given(membership, history)
      .when(change({ nick: 'Countess' }))
      .then(named('Countess'))
    given(membership, history)
      .when(change({ accentColor: 255 }, own))
      .then(changed({ before: { accentColor: null }, after: { accentColor: 255 } }))
    given(membership, history)
      .when(change({ nick: 'Countess' }, { ...own, now: later }))
      .then(named('Countess'))
  })
})

describe("a member's roles", () => {
  it('are kept once each', () => {
    given(membership, [joined])
      .when(withRoles([role(2), role(1), role(2)]))
      .then(rolesChanged([], role(2), role(1)))
    given(membership, [joined, rolesChanged([], role(1))])
      .when(withRoles([], [role(1)]))
      .then(rolesChanged([role(1)]))
  })

  it("leave out everyone's role, which every member holds", () => {
    given(membership, [joined])
      .when(withRoles([everyone, role(1)]))
      .then(rolesChanged([], role(1)))
    given(membership, [joined])
      .when(withRoles([everyone]))
      .changesNothing()
    given(membership, [joined]).when({ type: 'AddMemberRole', roleId: everyone }).changesNothing()
  })

  it('stay as they are if they are held already, and if the request does not mention them', () => {
    const history = [joined, rolesChanged([], role(1), role(2))]
    given(membership, history)
      .when(withRoles([role(2), role(1)]))
      .changesNothing()
    given(membership, history)
      .when(withRoles([role(3)], [role(1)]))
      .then(rolesChanged([role(1), role(2)], role(2), role(3)))
  })

  it('are given and taken one by one', () => {
    const history = [joined, rolesChanged([], role(1))]
    given(membership, history)
      .when({ type: 'AddMemberRole', roleId: role(2) })
      .then(rolesChanged([role(1)], role(1), role(2)))
    given(membership, history)
      .when({ type: 'AddMemberRole', roleId: role(1) })
      .changesNothing()
    given(membership, history)
      .when({ type: 'RemoveMemberRole', roleId: role(1) })
      .then(rolesChanged([role(1)]))
    given(membership, history)
      .when({ type: 'RemoveMemberRole', roleId: role(2) })
      .changesNothing()
  })

  it('cannot be given to an account that is not a member', () => {
    for (const type of ['AddMemberRole', 'RemoveMemberRole'] as const)
      given(membership, [joined, left])
        .when({ type, roleId: role(1) })
        .refuses('UNKNOWN_MEMBER')
  })
})

describe('in whatever happens to a member', () => {
  const lives = histories(membership, membershipCommands)

  property('a change tells of differences alone', lives, ({ events }) => {
    for (const event of events) {
      if (event.type !== 'MemberChanged') continue
      const { before, after, textsBefore, textsAfter } = event.data
      expect(Object.keys(before)).toStrictEqual(Object.keys(after))
      for (const [name, value] of Object.entries(after)) expect(Reflect.get(before, name)).not.toStrictEqual(value)
      if (textsAfter !== null) expect(textsBefore).not.toStrictEqual(textsAfter)
      expect(Object.keys(after).length > 0 || textsAfter !== null).toBe(true)
    }
  })

  property('nobody who is timed out changes its own nickname', lives, ({ steps }) => {
    for (const { before, command, decision } of steps) {
      if (command.type !== 'ChangeMember' || !command.isOwn || command.changes.nick === undefined) continue
      if (before.status === 'member' && isTimedOut(before, command.now)) expect(decision.outcome).toBe('refused')
    }
  })
})
