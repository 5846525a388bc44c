import { describe, expect, it } from 'vitest'
import { accounts } from '../../../../adapters/http/callers.ts'
import { addressGate, type AddressGate } from '../../../../adapters/http/brakes/address-gate.ts'
import type { FailedRequest } from '../../../../adapters/http/brakes/failure-weights.ts'
import type { NetworkBanRecord } from '../../../../application/ports/queries/network-ban-queries.ts'
import { start } from '../../../../domain/testing/people.ts'
import { guarded } from '../operations.ts'
import { adaToken, bearer, startServer } from '../support.ts'

const ban: NetworkBanRecord = {
  network: '127.0.0.1/32',
  cause: 'operator',
  reason: null,
  bannedBy: null,
  bannedAt: start,
  expiresAt: null,
}

/** A gate, and the failed requests that it counts. */
function gateWith(known: NetworkBanRecord | undefined): AddressGate & { readonly counted: FailedRequest[] } {
  const counted: FailedRequest[] = []
  const bans = {
    of: () => known,
    onChange: () => () => undefined,
    refresh: async () => undefined,
    close: () => undefined,
  }
  const brake = {
    note: (failed: FailedRequest) => void counted.push(failed),
    flush: async () => undefined,
    close: async () => undefined,
  }
  return { ...addressGate(bans, '', brake), counted }
}

const unknownToken = `gld_${'z'.repeat(36)}`

describe('the gate for addresses', () => {
  it('counts what failed, by who sent it, and what a bearer of nothing sends as unresolved', async () => {
    const gate = gateWith(undefined)
    const server = await startServer([guarded(accounts())], { gate })
    await server.fetch('/v1/guarded', { token: adaToken })
    await server.fetch('/v1/guarded')
    await server.fetch('/v1/guarded', { token: unknownToken })
    await server.fetch('/v1/guarded', { token: bearer('email') })
    await server.fetch('/v1/nowhere')
    await server.fetch('/v1/nowhere', { token: adaToken })
    expect(gate.counted.map(({ sender, status, authorization }) => [status, sender, authorization])).toStrictEqual([
      [401, 'nobody', undefined],
      [401, 'unresolved', unknownToken],
      [403, 'account', bearer('email')],
      [404, 'not asked', undefined],
      [404, 'not asked', adaToken],
    ])
    expect(gate.counted.every(({ ip }) => ip === '127.0.0.1')).toBe(true)
  })

  it('does not count what a store sends: one wrong setting would ban it', async () => {
    const gate = gateWith(undefined)
    const server = await startServer([{ ...guarded(accounts()), fromStore: true }], { gate })
    expect((await server.fetch('/v1/guarded')).status).toBe(401)
    expect(gate.counted).toStrictEqual([])
  })

  it('stands before credential and route, and behind the in-flight ceiling', async () => {
    const gate = gateWith(ban)
    const server = await startServer([guarded(accounts())], { gate })
    for (const path of ['/v1/guarded', '/v1/nowhere'])
      expect((await server.fetch(path, { token: adaToken })).status).toBe(403)
    expect((await server.fetch('/_health')).status).toBe(200)
    const full = await startServer([guarded(accounts())], { gate, bounds: { inFlight_max: 0 } })
    expect((await full.fetch('/v1/guarded')).status).toBe(503)
  })

  it('does not count what it has turned away', async () => {
    const gate = gateWith(ban)
    const server = await startServer([guarded(accounts())], { gate })
    await server.fetch('/v1/guarded')
    expect(gate.counted).toStrictEqual([])
  })
})
