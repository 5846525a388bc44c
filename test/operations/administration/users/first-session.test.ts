import { afterAll, describe, expect, it } from 'vitest'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { streamName } from '../../../../domain/streams.ts'
import { testContext } from '../../../support/test-context.ts'
import { bodyOf, expectFields, found } from '../../support/answers.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { openServer } from '../../support/scene.ts'
import { correctionsOn, idOf } from './support.ts'

const guildhall = await openServer('brisk')
const { ask } = await correctionsOn(guildhall)
const { connect, end } = connections()
afterAll(end)

const started = accountFlags.HAS_SESSION_STARTED
const change = async (id: string, body: object) => {
  const { user } = bodyOf(await ask('PATCH', id, 'flags', body))
  return BigInt((user as { readonly flags: string }).flags)
}
const flagsOf = (id: string) => change(id, {})

/** How often the account's history says that it has started a session. */
async function notesOf(id: string): Promise<number> {
  let count = 0
  for await (const page of guildhall.store.events.readStream(streamName('account', id), -1))
    count += page.filter(({ type }) => type === 'GatewaySessionNoted').length
  return count
}

describe('HAS_SESSION_STARTED', () => {
  it('is set by the first Gateway session, and by no other event of any further one', async () => {
    const bob = await guildhall.register(undefined, { startsSession: false })
    expect((await flagsOf(bob.id)) & started).toBe(0n)
    await Promise.all([connect(guildhall, bob), connect(guildhall, bob)])
    await expect.poll(() => flagsOf(bob.id)).toBe(started)
    await connect(guildhall, bob)
    expect(await notesOf(bob.id)).toBe(1)
  })

  it('is set for bots as well', async () => {
    const engine = await newApplication(guildhall, await guildhall.register())
    await connect(guildhall, { token: engine.botToken })
    await expect.poll(() => flagsOf(engine.id)).toBe(started)
  })

  it('set by hand, lets an account write that never started a session; cleared by hand, it stays cleared', async () => {
    const bob = await guildhall.register(undefined, { startsSession: false })
    const home = await found(guildhall, bob)
    const write = () =>
      guildhall.request('POST', `/v1/channels/${home.channel}/messages`, { token: bob.token, body: { content: 'Hi' } })
    expectFields(await write(), field('content', 'MUST_START_SESSION_BEFORE_SENDING'))
    await change(bob.id, { add_flags: [started.toString()] })
    expect((await write()).status).toBeLessThan(300)
    expect(await change(bob.id, { remove_flags: [started.toString()] })).toBe(0n)
    expectFields(await write(), field('content', 'MUST_START_SESSION_BEFORE_SENDING'))
  })

  it('is not needed once nobody holds the account', async () => {
    const bob = await guildhall.register(undefined, { startsSession: false })
    const context = testContext()
    const { account } = guildhall.ports.aggregates
    await account.execute(idOf(bob), { type: 'ScheduleSelfDeletion', dueAt: context.now }, context)
    const erase = { type: 'StartErasure', email: bob.email, addressHash: null, now: context.now } as const
    await account.execute(idOf(bob), erase, testContext())
    const { startedSessions } = guildhall.ports
    await startedSessions.note(idOf(bob))
    await expect.poll(() => startedSessions.withoutFlag(1000)).not.toContain(bob.id)
    expect(await notesOf(bob.id)).toBe(0)
  })
})
