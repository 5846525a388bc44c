import { afterAll, describe, expect, it } from 'vitest'
import type { AddressGate } from '../../adapters/http/brakes/address-gate.ts'
import { memoryRateLimits, type RateLimits } from '../../adapters/http/limits/rate-limits.ts'
import type { Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import type { Sender } from '../../adapters/http/request/exchange.ts'
import type { Ports } from '../../application/ports.ts'
import { bearer, noPorts, openTestServer } from '../adapters/http/support.ts'

/** The keys of the buckets that the last request has asked for. */
let asked: string[] = []
/** What the brake on failures was told of the sender of the last request. */
let sender: Sender | undefined

/** Limits that are met by nobody: hours pass between requests. */
function notingLimits(): RateLimits {
  let now_ms = 0
  const limits = memoryRateLimits({ now: () => (now_ms += 86_400_000) })
  return {
    ...limits,
    take(key, rate) {
      asked.push(key)
      return limits.take(key, rate)
    },
    takeBoth(first, second) {
      asked.push(first.key, second.key)
      return limits.takeBoth(first, second)
    },
  }
}

const gate: AddressGate = {
  refusalOf: () => undefined,
  onChange: () => () => undefined,
  answered: (exchange) => void ({ sender } = exchange),
}

/** Those of an instance that nobody hosts for others. */
const ports = new Proxy(noPorts, {
  get: (_ports, name) => (name === 'instance' ? { hosted: false } : noPorts),
}) as Ports

const server = await openTestServer(allOperations, { ports, gate, rateLimits: notingLimits() })
afterAll(() => server.close())

/** The status that an operation answers to a credential. */
async function statusFor({ method, path }: Operation, token: string): Promise<number> {
  asked = []
  sender = undefined
  return (await server.fetch(path.replace(/:\w+/g, '1'), { method, token })).status
}

/** How the keys of the buckets of an operation begin, for somebody. */
function bucketsOf({ bucket: { name, parameter, beyondGlobal } }: Operation, identity: string): readonly string[] {
  const prefix = parameter === null ? name : name.slice(0, -parameter.length)
  return [...(beyondGlobal ? [] : [`global ${identity}`]), `route ${identity} ${prefix}`]
}

/** Expects that the last request has asked for the buckets of an operation and for no others. */
function expectBuckets(operation: Operation, identity: string): void {
  const wanted = bucketsOf(operation, identity)
  expect(asked.map((key, at) => key.slice(0, wanted[at]?.length))).toStrictEqual(wanted)
}

describe('a request that is refused', () => {
  it.each(allOperations)('took from the global bucket and from that of its route: $name', async (operation) => {
    await statusFor(operation, 'x')
    expectBuckets(operation, 'address 127.0.0.1/32')
    // Failures with such a credential count towards a ban, except those of stores.
    expect(sender).toBe(operation.fromStore ? undefined : 'unresolved')
  })

  it.each(allOperations.filter(({ hostedOnly, needsThreads }) => hostedOnly || needsThreads))(
    'took from the buckets of its account where the operation does not exist for it: $name',
    async (operation) => {
      expect(await statusFor(operation, bearer('identify'))).toBe(404)
      expectBuckets(operation, 'bearer 1001 3001')
    },
  )
})
