import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareHeirs, type HeirCandidate } from '../../../domain/guild/heir.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { property } from '../../support/property.ts'
import { anybody, instants, oneOf, record } from '../../../domain/testing/drawing.ts'
import { account, ada, everyone, home, role, start } from '../../../domain/testing/people.ts'

const ranked = (id: ReturnType<typeof role>, position: number, permissions = 0n) => ({
  id,
  position,
  permissions: permissions.toString(),
})
const [top, manager, helper, administrator] = [role(1), role(2), role(3), role(4)]
const guild = {
  id: home,
  ownerId: ada,
  settings: { mfaLevel: 0 },
  roles: [
    ranked(everyone, 0),
    ranked(top, 9),
    ranked(manager, 2, permissionBits.MANAGE_GUILD),
    ranked(helper, 1),
    ranked(administrator, 1, permissionBits.ADMINISTRATOR),
  ],
}
const candidate = (number: number, members: Partial<HeirCandidate> = {}): HeirCandidate => ({
  accountId: account(number),
  roles: [],
  joinedAt: start,
  leaves: false,
  ...members,
})
const heirOf = (...candidates: readonly HeirCandidate[]) =>
  candidates.toSorted((a, b) => compareHeirs(guild, a, b))[0]?.accountId
const later = { joinedAt: secondsAfter(start, 1) }

describe('the heir of a guild', () => {
  it('is who holds MANAGE_GUILD, even below others', () => {
    expect(heirOf(candidate(11, { roles: [top] }), candidate(12, { roles: [manager], ...later }))).toBe(account(12))
    expect(heirOf(candidate(11, { roles: [top] }), candidate(12, { roles: [administrator] }))).toBe(account(12))
  })

  it('has the highest role among them, and among all where nobody holds it', () => {
    const [low, high] = [candidate(11, { roles: [administrator] }), candidate(12, { roles: [manager], ...later })]
    expect(heirOf(low, high)).toBe(account(12))
    expect(heirOf(candidate(11), candidate(12, { roles: [helper], ...later }))).toBe(account(12))
    expect(heirOf(candidate(11, { roles: [helper] }), candidate(12, { roles: [helper, top] }))).toBe(account(12))
  })

  it('has joined first among equals', () => {
    expect(heirOf(candidate(11, later), candidate(12))).toBe(account(12))
    expect(heirOf(candidate(12), candidate(11))).toBe(account(11))
  })

  it('is nobody whose own deletion is pending, as long as there is anybody else', () => {
    const leaving = candidate(11, { roles: [manager], leaves: true })
    expect(heirOf(leaving, candidate(12, later))).toBe(account(12))
    expect(heirOf(leaving)).toBe(account(11))
  })

  const candidates: fc.Arbitrary<HeirCandidate> = record({
    accountId: anybody,
    roles: fc.array(oneOf(top, manager, helper, administrator), { maxLength: 3 }),
    joinedAt: instants,
    leaves: fc.boolean(),
  })
  property(
    'is the same, in whatever order the members are read',
    fc.uniqueArray(candidates, { selector: ({ accountId }) => accountId, minLength: 1 }),
    (drawn) => {
      const heir = heirOf(...drawn)
      expect(heirOf(...drawn.toReversed())).toBe(heir)
      const [first, ...others] = drawn
      if (first === undefined) return
      expect(heirOf(...others, first)).toBe(heir)
    },
  )
})
