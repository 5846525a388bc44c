import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { Client } from '../support/client.ts'
import { sometime, start } from '../support/facts.ts'
import { openStage, type Account, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let clients: readonly Client[]
/** The session of another account. */
let stranger: Client
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  clients = [await stage.identify(ada), await stage.identify(ada)]
  stranger = await stage.identify(stage.account())
})
afterEach(async () => {
  await stage.end()
})

const engine = { id: 'k1', name: 'Engine', registeredAt: start, lastUsedAt: null }
const loom = { id: 'k2', name: 'Loom', registeredAt: sometime, lastUsedAt: sometime }
const about = () => ({ accountId: ada.id, credentialId: 'k2' })
const made = { publicKey: 'cose', counter: 0, transports: [], name: 'Loom', registeredAt: start }

describe('the passkeys of an account change', () => {
  it.each<readonly [string, () => AccountEvent]>([
    ['registered', () => ({ type: 'WebAuthnCredentialRegistered', data: { ...about(), ...made } })],
    ['renamed', () => ({ type: 'WebAuthnCredentialRenamed', data: { ...about(), name: 'Loom' } })],
    ['removed', () => ({ type: 'WebAuthnCredentialRemoved', data: about() })],
  ])('and its own sessions get all its passkeys once one is %s', async (_, event) => {
    stage.models.passkeys.set(ada.id, [engine, loom])
    stage.happen(event())
    for (const client of clients) {
      expect((await client.dispatch('WEBAUTHN_CREDENTIALS_UPDATE')).d).toStrictEqual([
        { id: 'k1', name: 'Engine', created_at: start, last_used_at: null },
        { id: 'k2', name: 'Loom', created_at: sometime, last_used_at: sometime },
      ])
    }
    await stage.handled()
    expect(stranger.dispatches.map(({ t }) => t)).toStrictEqual(['READY'])
  })

  it('but nobody hears that one was used', async () => {
    stage.happen({ type: 'WebAuthnCredentialUsed', data: { ...about(), counter: 1, usedAt: start } })
    stage.happen({ type: 'AclsGranted', data: { accountId: ada.id, acls: [] } })
    for (const client of clients) {
      const told = await client.until(({ t }) => t === 'USER_UPDATE', 'what comes after it')
      expect(told).toHaveLength(1)
    }
  })

  it('and READY contains them', async () => {
    stage.models.passkeys.set(ada.id, [engine])
    const client = await stage.identify(ada)
    expect(client.dispatches.at(0)?.d['webauthn_credentials']).toStrictEqual([
      { id: 'k1', name: 'Engine', created_at: start, last_used_at: null },
    ])
  })
})
