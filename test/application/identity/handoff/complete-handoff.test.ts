import { describe, expect, it } from 'vitest'
import {
  completeHandoff,
  getHandoffInfo,
  type Signatory,
} from '../../../../application/identity/handoff/complete-handoff.ts'
import {
  cancelHandoff,
  fetchHandoff,
  getHandoffStatus,
  startHandoff,
} from '../../../../application/identity/handoff/wait-for-handoff.ts'
import type { Ports } from '../../../../application/ports.ts'
import { applicationId, type AccountId } from '../../../../domain/ids/ids.ts'
import { world, type World } from '../../support/world.ts'

const second_ms = 1000

/** A waiting device whose code somebody has looked up. */
async function waiting(on: World) {
  const { code, poll_secret: secret } = await startHandoff(on.ports)(on.requester())
  await getHandoffInfo(on.ports)(on.requester(), code)
  return { code, secret }
}

/** An account with a live session, except for a bot, which has none. */
async function signatory(on: World, account: AccountId): Promise<Signatory> {
  const caller = await on.as(account)
  const { context, credential } = caller
  if (credential.kind === 'session') {
    const session = { tokenHash: credential.tokenHash, ip: '192.0.2.1', userAgent: null, now: context.now }
    await on.ports.aggregates.account.execute(account, { type: 'StartSession', ...session }, on.requester().context)
  }
  return { ...caller, authorization: 'gld_token' }
}

async function complete(on: World, account: AccountId, code: string, ports: Ports = on.ports): Promise<void> {
  await completeHandoff(ports)(await signatory(on, account), { code, token: null, userId: account })
}

describe('a handoff', () => {
  it('expires after five minutes, for the waiting device and for the completing account', async () => {
    const on = world()
    const ada = await on.newcomer()
    const { code, secret } = await waiting(on)
    on.wait(299 * second_ms)
    expect(await getHandoffStatus(on.ports)(code)).toStrictEqual({ status: 'pending' })
    on.wait(second_ms)
    expect(await getHandoffStatus(on.ports)(code)).toStrictEqual({ status: 'expired' })
    expect(await fetchHandoff(on.ports)(code, secret)).toStrictEqual({ status: 'expired' })
    await expect(complete(on, ada, code)).rejects.toThrow('INVALID_HANDOFF_CODE')
  })

  it('leaves a minute to fetch the token, however late it is completed', async () => {
    const on = world()
    const ada = await on.newcomer()
    const { code, secret } = await waiting(on)
    on.wait(299 * second_ms)
    await complete(on, ada, code)
    on.wait(59 * second_ms)
    expect(await fetchHandoff(on.ports)(code, secret)).toMatchObject({ status: 'completed', user_id: ada })
    const late = await waiting(on)
    on.wait(299 * second_ms)
    await complete(on, ada, late.code)
    on.wait(60 * second_ms)
    expect(await fetchHandoff(on.ports)(late.code, late.secret)).toStrictEqual({ status: 'expired' })
  })

  it('is refused to bots, and to applications that act for an account', async () => {
    const on = world()
    const [ada, robot] = [await on.newcomer(), await on.newcomer()]
    on.setAccount(robot, { bot: true })
    const { code } = await waiting(on)
    await expect(complete(on, robot, code)).rejects.toThrow('BOT_USER_AUTH_SESSION_CREATION_DENIED')
    const credential = {
      kind: 'bearer',
      applicationId: applicationId(robot),
      scopes: new Set(['identify']),
      isAdminApplication: false,
      expiresAt: on.now,
    } as const
    const bearer = { ...(await signatory(on, ada)), credential }
    const completion = { code, token: null, userId: ada }
    await expect(completeHandoff(on.ports)(bearer, completion)).rejects.toThrow('ACCESS_DENIED')
    await complete(on, ada, code)
  })

  it('ends the session that was created for a device that has given up meanwhile', async () => {
    const on = world()
    const ada = await on.newcomer()
    const { code, secret } = await waiting(on)
    const readModels = {
      reached: async (position: bigint) => {
        await cancelHandoff(on.ports)(code)
        await on.ports.readModels.reached(position)
      },
    }
    await expect(complete(on, ada, code, { ...on.ports, readModels })).rejects.toThrow('INVALID_HANDOFF_CODE')
    expect(await fetchHandoff(on.ports)(code, secret)).toStrictEqual({ status: 'expired' })
    const types = (await on.events()).map(({ type }) => type)
    expect(types.slice(-2)).toStrictEqual(['SessionStarted', 'SessionEnded'])
    const began = (await on.events()).findLast(({ type }) => type === 'SessionStarted')
    expect(began?.data).toMatchObject({ forOtherDevice: true })
  })
})
