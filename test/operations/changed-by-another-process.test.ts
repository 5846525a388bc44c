import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aggregateOf } from '../../application/aggregates/aggregates.ts'
import { instance as instanceDecider } from '../../domain/instance/instance.ts'
import type { PolicyChanges } from '../../domain/instance/policy.ts'
import { theInstance } from '../../domain/instance/state.ts'
import { testContext } from '../support/test-context.ts'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.ts'
import { movingImage } from './support/pictures.ts'
import { bodyOf } from './support/answers.ts'

let guildhall: TestGuildhall
beforeAll(async () => {
  guildhall = await startTestGuildhall()
})
afterAll(() => guildhall.close())

/** Changes the policy as another process does, whose cache is not the server's. */
async function changeElsewhere(changes: PolicyChanges): Promise<void> {
  const { events: store, snapshots } = guildhall.store
  const elsewhere = aggregateOf(instanceDecider, { store, snapshots })
  const context = testContext()
  const { community, setup } = await guildhall.ports.instancePolicies.current()
  const command = { type: 'ChangeInstancePolicy', changes, duringSetup: false, now: context.now } as const
  await elsewhere.execute(theInstance, { ...command, settings: { community, setup } }, context)
}

describe('a change of the instance by another process', () => {
  it('reaches a process that plays every role alone by its event: it asks by itself once a minute only', async () => {
    const { token } = await guildhall.register()
    const wanted = { avatar: await movingImage() }
    const change = async () => (await guildhall.request('PATCH', '/v1/users/@me', { token, body: wanted })).status
    /** An avatar is shown moving as long as its account has premium. */
    const moves = async (): Promise<boolean> =>
      String(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))['avatar']).startsWith('a_')
    await changeElsewhere({ premium: { mode: 'everyone' } })
    await expect.poll(change).toBe(200)
    await expect.poll(moves).toBe(true)
    await changeElsewhere({ premium: { mode: 'mirror' } })
    await expect.poll(moves).toBe(false)
  })
})
