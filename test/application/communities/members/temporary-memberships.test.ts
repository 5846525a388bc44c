import { describe, expect, it } from 'vitest'
import {
  absence_ms,
  temporaryMembershipsEnding,
} from '../../../../application/communities/members/end-temporary-memberships.ts'
import { membershipId } from '../../../../domain/ids/ids.ts'
import { accept } from '../../support/happenings.ts'
import { world } from '../../support/world.ts'

/** A member of a guild for as long as it has a session, which it has at first. */
async function joinedForNow() {
  const on = world()
  const [owner, ada] = [await on.newcomer(), await on.newcomer('Ada')]
  const { id, code } = await on.guildOf(owner, { temporary: true })
  on.present.add(ada)
  await accept(on, ada, code)
  const isMember = async () => {
    const { state } = await on.ports.aggregates.membership.load(membershipId(id, ada))
    return state.status === 'member'
  }
  return { on, ada, isMember }
}

describe('ending temporary memberships', () => {
  it('counts from when an account was found absent, and again after it was present', async () => {
    const { on, ada, isMember } = await joinedForNow()
    const look = temporaryMembershipsEnding(on.ports)
    const after = async (ms: number) => {
      on.wait(ms)
      return look(on.now)
    }
    expect(await after(absence_ms)).toBe(0)
    on.present.delete(ada)
    expect(await after(absence_ms)).toBe(0)
    expect(await after(absence_ms - 1)).toBe(0)
    on.present.add(ada)
    expect(await after(1)).toBe(0)
    on.present.delete(ada)
    expect(await after(1)).toBe(0)
    expect(await after(absence_ms - 1)).toBe(0)
    expect(await isMember()).toBe(true)
    expect(await after(1)).toBe(1)
    expect(await isMember()).toBe(false)
  })

  it('counts again in a process that restarted', async () => {
    const { on, ada, isMember } = await joinedForNow()
    on.present.delete(ada)
    await temporaryMembershipsEnding(on.ports)(on.now)
    on.wait(absence_ms)
    const look = temporaryMembershipsEnding(on.ports)
    expect(await look(on.now)).toBe(0)
    on.wait(absence_ms)
    expect(await look(on.now)).toBe(1)
    expect(await isMember()).toBe(false)
  })

  it('ends none while not every Gateway is heard, and counts again once all are', async () => {
    const { on, ada, isMember } = await joinedForNow()
    let hears = true
    const { presence } = on.ports
    const ports = { ...on.ports, presence: { ...presence, hearsAll: () => hears } }
    const look = temporaryMembershipsEnding(ports)
    on.present.delete(ada)
    await look(on.now)
    hears = false
    on.wait(2 * absence_ms)
    expect(await look(on.now)).toBe(0)
    hears = true
    expect(await look(on.now)).toBe(0)
    expect(await isMember()).toBe(true)
    on.wait(absence_ms)
    expect(await look(on.now)).toBe(1)
  })

  it('can run in any number of processes, and ends each once', async () => {
    const { on, ada } = await joinedForNow()
    on.present.delete(ada)
    const looks = Array.from({ length: 4 }, () => temporaryMembershipsEnding(on.ports))
    for (const look of looks) await look(on.now)
    on.wait(absence_ms)
    const ended = await Promise.all(looks.map((look) => look(on.now)))
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect((await on.events()).filter(({ type }) => type === 'MemberLeft')).toHaveLength(1)
  })
})
