import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inProcessSignals } from '../../../adapters/bus/in-process-signals.ts'
import type { SignalPayload, Signals } from '../../../application/ports/signals.ts'
import { sharedHandovers, type SharedHandovers } from '../../../application/identity/sessions/shared-handovers.ts'
import { expectedHandovers } from '../../../gateway/sessions/expected-handovers.ts'
import type { Client } from '../support/client.ts'
import { openStage, type Account, type Stage } from '../support/stage.ts'
import { expectEnded } from '../../gateway/support/ended.ts'

let said: SignalPayload[]
let isLost: boolean
let errors: unknown[]
let signals: Signals
/** The process where passwords are changed. */
let api: SharedHandovers
let key: Uint8Array
let stage: Stage
let ada: Account

beforeEach(async () => {
  ;[said, isLost, errors, key] = [[], false, [], randomBytes(32)]
  const honest = inProcessSignals((error) => void errors.push(error))
  signals = {
    ...honest,
    publish(kind, payload) {
      said.push(payload)
      if (!isLost) honest.publish(kind, payload)
    },
  }
  api = sharedHandovers(signals, key)
  stage = await openGatewayWith(key)
  ada = stage.account()
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

/** A Gateway of another process. */
async function openGatewayWith(itsKey: Uint8Array): Promise<Stage> {
  const handovers = expectedHandovers()
  sharedHandovers(signals, itsKey).passOn(handovers)
  return openStage({ handovers })
}

const newToken = 'the new token'
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')
const [here, elsewhere] = ['127.0.0.1', '127.0.0.2']
const handover = (address: string | null = here) => ({
  fromTokenHash: ada.tokenHash,
  toTokenHash: hashOf(newToken),
  token: newToken,
  address,
})

/** The session ends, as it does when the password changes; by then every recipient has heard. */
async function endSession(because: Ending = { successor: hashOf(newToken) }): Promise<void> {
  await stage.turn()
  const data = { accountId: ada.id, tokenHash: ada.tokenHash, ...because }
  stage.happen({ type: 'SessionEnded', data })
  await stage.handled()
}

type Ending = { readonly successor?: string }

async function expectEnd(client: Client): Promise<void> {
  await expectEnded(client)
  expect(client.dispatches.map(({ t }) => t)).toStrictEqual(['READY'])
}

describe('a session that replaces another', () => {
  it('is sent to no connection from elsewhere: its session is over', async () => {
    const [own, thief] = [await stage.identify(ada), await stage.identify(ada, {}, elsewhere)]
    api.expect(handover())
    await endSession()
    await expectEnded(thief)
    expect(JSON.stringify(thief.payloads)).not.toContain(newToken)
    await own.dispatch('AUTH_SESSION_CHANGE')
    await (await stage.resume({ token: newToken }, thief.sessionId, 1)).op(9)
    expect(stage.gateway.stats().sessions).toBe(1)
  })

  it('is sent to none if a process of an earlier version does not say who made the change', async () => {
    const client = await stage.identify(ada)
    api.expect(handover(null))
    await endSession()
    await expectEnded(client)
  })

  it('is kept for a client that is away and was last here, and ends one that was last elsewhere', async () => {
    const [own, thief] = [await stage.identify(ada), await stage.identify(ada, {}, elsewhere)]
    for (const { socket } of [own, thief]) socket.terminate()
    await stage.stats(({ connections }) => connections === 0)
    api.expect(handover())
    await endSession()
    const back = await stage.resume({ token: newToken }, own.sessionId, 1)
    await back.dispatch('AUTH_SESSION_CHANGE')
    await back.dispatch('RESUMED')
    await (await stage.resume({ token: newToken }, thief.sessionId, 1)).op(9)
  })

  it('is sent to the connections of the replaced one, at any Gateway', async () => {
    const client = await stage.identify(ada)
    api.expect(handover())
    await endSession()
    expect((await client.dispatch('AUTH_SESSION_CHANGE')).d).toStrictEqual({
      old_auth_session_id_hash: ada.tokenHash,
      new_auth_session_id_hash: hashOf(newToken),
      new_token: newToken,
    })
    const back = await stage.resume({ token: newToken }, client.sessionId, client.sequence)
    await back.dispatch('RESUMED')
  })

  it('is the one that the event names, however many changes were under way', async () => {
    const client = await stage.identify(ada)
    api.expect(handover())
    const refused = 'the token of a change that was refused'
    api.expect({ ...handover(), toTokenHash: hashOf(refused), token: refused })
    await endSession()
    expect((await client.dispatch('AUTH_SESSION_CHANGE')).d).toMatchObject({ new_token: newToken })
    expect(JSON.stringify(client.payloads)).not.toContain(refused)
  })

  it('is sent to none if the change was refused and the session ends for another reason', async () => {
    const client = await stage.identify(ada)
    api.expect(handover())
    await endSession({})
    await expectEnd(client)
    expect(stage.gateway.stats().sessions).toBe(0)
  })

  it('is sent to none if the account signs out everywhere instead', async () => {
    const client = await stage.identify(ada)
    api.expect(handover())
    await endSession({})
    await expectEnded(client)
    expect(JSON.stringify(client.payloads)).not.toContain(newToken)
  })

  it('is not sent if the Gateway did not hear of it: Invalid Session, d false, and the socket stays', async () => {
    const client = await stage.identify(ada)
    isLost = true
    api.expect(handover())
    await endSession()
    await expectEnd(client)
    client.send(1, null)
    await client.op(11)
  })

  it('is not sent by a Gateway that hears of it after the session has ended', async () => {
    const client = await stage.identify(ada)
    await endSession()
    api.expect(handover())
    await stage.turn()
    await expectEnd(client)
  })

  it('never travels with its token or the address in clear, and nobody without the key can read it', async () => {
    const stranger = await openGatewayWith(randomBytes(32))
    api.expect(handover())
    await stage.turn()
    expect(said).toHaveLength(1)
    const text = JSON.stringify(said)
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
      for (const secret of [newToken, here]) expect(text).not.toContain(Buffer.from(secret).toString(encoding))
    }
    expect(errors).toHaveLength(1)
    expect(String(errors)).not.toContain(newToken)
    await stranger.end()
  })

  it('is sealed for two sessions: nobody can move its token to others', async () => {
    api.expect(handover())
    const [sealed] = said
    const client = await stage.identify(ada)
    const [bea, beaClient] = await another()
    signals.publish('handover', { ...sealed, fromTokenHash: bea.tokenHash })
    await stage.turn()
    expect(errors).toHaveLength(1)
    const data = { accountId: bea.id, tokenHash: bea.tokenHash }
    stage.happen({ type: 'SessionEnded', data })
    await expectEnd(beaClient)
    client.close()
  })

  async function another(): Promise<[Account, Client]> {
    const bea = stage.account()
    return [bea, await stage.identify(bea)]
  }

  it.each([
    [{}],
    [{ fromTokenHash: 'short' }],
    [{ toTokenHash: '/'.repeat(43) }],
    [{ sealedToken: 'not base64' }],
    [{ sealedToken: 'A'.repeat(1028) }],
    [{ sealedToken: '' }],
    [{ sealedAddress: '' }],
    [{ sealedAddress: here }],
    [{ token: newToken, sealedToken: undefined }],
  ])('(%#) is reported and dropped if the signal is invalid', async (wrong) => {
    api.expect(handover())
    await stage.turn()
    const [sealed] = said
    signals.publish('handover', Object.keys(wrong).length === 0 ? {} : { ...sealed, ...wrong })
    await stage.turn()
    expect(errors).toHaveLength(1)
  })
})
