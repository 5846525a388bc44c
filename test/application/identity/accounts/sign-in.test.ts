import { describe, expect, it } from 'vitest'
import { startSession } from '../../../../application/identity/accounts/start-session.ts'
import type { AccountCommand } from '../../../../domain/account/commands.ts'
import { secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import { complete, logIn, protectedAccount, ticketOf } from '../second-factors/support.ts'
import { world, type World } from '../../support/world.ts'

const typesSince = async (on: World, count: number) => (await on.events()).slice(count).map(({ type }) => type)

const leavings: readonly [string, (on: World) => AccountCommand, string][] = [
  ['disabled', () => ({ type: 'DisableAccount' }), 'AccountEnabled'],
  [
    'scheduled for deletion',
    (on) => ({ type: 'ScheduleSelfDeletion', dueAt: secondsAfter(on.now, 336 * 3600) }),
    'SelfDeletionCancelled',
  ],
]

describe.each(leavings)('an account that its holder has %s', (_, leave, undone) => {
  it('is restored once the password is right, before its session begins', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    await on.ports.aggregates.account.execute(id, leave(on), on.requester().context)
    const before = (await on.events()).length
    expect(await logIn(on)).toHaveProperty('token')
    expect(await typesSince(on, before)).toStrictEqual([undone, 'SessionStarted'])
  })

  it('is restored even before a second factor is given', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    await on.ports.aggregates.account.execute(id, leave(on), on.requester().context)
    const before = (await on.events()).length
    expect(await logIn(on)).toHaveProperty('mfa', true)
    expect(await typesSince(on, before)).toStrictEqual([undone])
  })

  it('is also restored if that happens between the password and the second factor, or the session', async () => {
    const on = world()
    const { id, code } = await protectedAccount(on)
    const ticket = await ticketOf(on)
    await on.ports.aggregates.account.execute(id, leave(on), on.requester().context)
    const before = (await on.events()).length
    expect(await complete(on, ticket, code())).toHaveProperty('token')
    expect(await typesSince(on, before)).toStrictEqual(['TotpStepSpent', undone, 'SessionStarted'])
    await on.ports.aggregates.account.execute(id, leave(on), on.requester().context)
    expect(await startSession(on.ports, on.requester(), id)).toHaveProperty('answer.token')
  })
})

describe('signing in', () => {
  it('writes nothing about an account that waits for its second factor', async () => {
    const on = world()
    await protectedAccount(on)
    const before = (await on.events()).length
    await ticketOf(on)
    expect(await typesSince(on, before)).toStrictEqual([])
  })
})
