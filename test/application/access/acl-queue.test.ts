import { describe, expect, it } from 'vitest'
import { queuedIfAdministrator } from '../../../application/access/acl-queue.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { openServer } from '../../operations/support/scene.ts'
import { giveAcls } from '../../support/administrators.ts'
import { testContext } from '../../support/test-context.ts'

const guildhall = await openServer()

describe('an act that closes an account', () => {
  it('takes its turn in the queue if the account gains an ACL meanwhile', async () => {
    const ada = await guildhall.register()
    const id = accountId(snowflake(ada.id))
    const told: string[] = []
    await queuedIfAdministrator(
      guildhall.ports,
      id,
      async ({ acls }) => void told.push(`checked ${acls.join(' ')}`),
      async (guard) => {
        told.push(guard.onlyWithoutAcls === true ? 'at once' : 'in the queue')
        if (told.length === 1) await giveAcls(guildhall, ada, ['user:lookup'])
        const context = testContext()
        const ban = { type: 'BanAccount', duration_hours: 1, now: context.now, ...guard } as const
        await guildhall.ports.aggregates.account.execute(id, ban, context)
      },
    )
    expect(told).toStrictEqual(['at once', 'checked user:lookup', 'in the queue'])
    expect((await guildhall.ports.aggregates.account.load(id)).state).toMatchObject({ bannedUntil: expect.any(String) })
  })

  it('is refused with CONFLICT for its own reasons without another try', async () => {
    const ada = await guildhall.register()
    const id = accountId(snowflake(ada.id))
    let tries = 0
    const reject = queuedIfAdministrator(
      guildhall.ports,
      id,
      async () => undefined,
      async (guard) => {
        tries += 1
        await guildhall.ports.aggregates.account.execute(id, { type: 'RejectRegistration', ...guard }, testContext())
      },
    )
    await expect(reject).rejects.toMatchObject({ refusal: { code: 'CONFLICT' } })
    expect(tries).toBe(1)
  })
})
