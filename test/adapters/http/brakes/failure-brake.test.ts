import { beforeEach, describe, expect, it } from 'vitest'
import { failureBrake, notedNetworks_max, type FailureBrake } from '../../../../adapters/http/brakes/failure-brake.ts'
import { failureScores, openFailureScores } from '../../../../adapters/http/brakes/failure-scores.ts'
import { failureWeight, type FailedRequest } from '../../../../adapters/http/brakes/failure-weights.ts'
import { protectedAddresses } from '../../../../application/administration/network-bans/protected-addresses.ts'
import { migratedDatabase, type TestDatabase } from '../../../support/test-database.ts'
import { afterThisTest } from '../support.ts'

let postgres: TestDatabase
let banned: string[]
let now_ms: number
beforeEach(async () => {
  const opened = await migratedDatabase()
  postgres = opened
  banned = []
  now_ms = 1_800_000_000_000
  afterThisTest(() => opened.close())
})

const hour_ms = 3_600_000
const client = '203.0.113.7'
const failed = (members: Partial<FailedRequest> = {}): FailedRequest => ({
  ip: client,
  sender: 'nobody',
  authorization: undefined,
  status: 400,
  ...members,
})

/** A process that counts, with a table that all share. */
async function processOn(threshold = 10): Promise<FailureBrake> {
  const scores = openFailureScores({ database: postgres.database, threshold, now: () => now_ms })
  const brake = failureBrake({
    scores,
    ban: async (network) => void banned.push(network),
    isProtected: protectedAddresses(['198.51.100.4']),
    onError: (error) => {
      throw error
    },
  })
  afterThisTest(() => brake.close())
  return brake
}

async function fail(brake: FailureBrake, times: number, members?: Partial<FailedRequest>): Promise<void> {
  for (let time = 0; time < times; time += 1) brake.note(failed(members))
  await brake.flush()
}

describe('the weight of a failed request', () => {
  it.each([
    [429, 3],
    [401, 0.75],
    [403, 0.5],
    [400, 0.25],
    [404, 0.25],
  ])('with status %i is %f', (status, weight) => {
    expect(failureWeight(failed({ status }))).toBe(weight)
    expect(failureWeight(failed({ status, sender: 'unresolved', authorization: 'x' }))).toBe(weight)
  })

  it('is nothing where it is of an account, or where nobody asked whose it is', () => {
    expect(failureWeight(failed({ sender: 'account', authorization: 'x', status: 429 }))).toBe(0)
    expect(failureWeight(failed({ sender: 'not asked', authorization: 'x', status: 404 }))).toBe(0)
    expect(failureWeight(failed({ sender: 'not asked', status: 404 }))).toBe(0.25)
  })
})

describe('a network whose requests fail', () => {
  it('is banned once it comes to the threshold, and not before', async () => {
    const brake = await processOn()
    await fail(brake, 39)
    expect(banned).toStrictEqual([])
    await fail(brake, 1)
    expect(banned).toStrictEqual(['203.0.113.7/32'])
  })

  it('begins at nothing after its ban', async () => {
    const brake = await processOn()
    await fail(brake, 40)
    await fail(brake, 39)
    expect(banned).toHaveLength(1)
  })

  it('is an IPv4 address exactly, and the /64 of an IPv6 address', async () => {
    const brake = await processOn()
    await fail(brake, 20, { ip: '2001:db8::1' })
    await fail(brake, 20, { ip: '2001:db8::2:3:4:5' })
    await fail(brake, 39, { ip: '2001:db8:0:1::1' })
    await fail(brake, 39, { ip: '203.0.113.8' })
    expect(banned).toStrictEqual(['2001:db8:0:0::/64'])
  })

  it('is counted by all processes together', async () => {
    const [one, other] = [await processOn(), await processOn()]
    for (let time = 0; time < 20; time += 1) {
      one.note(failed())
      other.note(failed())
    }
    await Promise.all([one.flush(), other.flush()])
    expect(banned).toStrictEqual(['203.0.113.7/32'])
  })

  it('is forgiven as time passes, evenly: the threshold in an hour', async () => {
    const brake = await processOn(failureScores.threshold)
    await fail(brake, 999, { status: 429 })
    now_ms += hour_ms / 2
    await fail(brake, 500, { status: 429 })
    expect(banned).toStrictEqual([])
    await fail(brake, 1, { status: 429 })
    expect(banned).toHaveLength(1)
  })

  it('is not banned however long it goes on below that', async () => {
    const brake = await processOn(failureScores.threshold)
    for (let minute = 0; minute < 200; minute += 1) {
      // One less than two hundred wrong invites.
      await fail(brake, 199, { status: 404 })
      now_ms += 60_000
    }
    expect(banned).toStrictEqual([])
  })

  it('counts a credential that names nobody once more, and the same one only once', async () => {
    const brake = await processOn()
    const guess = (authorization: string) => fail(brake, 1, { sender: 'unresolved', authorization, status: 401 })
    for (let time = 0; time < 11; time += 1) await guess('gld_forgotten')
    expect(banned).toStrictEqual([])
    await guess('gld_other')
    expect(banned).toHaveLength(1)
    banned.length = 0
    for (let time = 0; time < 5; time += 1) await guess(`gld_${time}`)
    expect(banned).toStrictEqual([])
    await guess('gld_5')
    expect(banned).toHaveLength(1)
  })

  it.each(['127.0.0.1', '10.0.0.5', 'fd00::1', '198.51.100.4', 'unknown'])(
    'is not counted where it is private, a trusted proxy, or no address: %s',
    async (ip) => {
      const brake = await processOn()
      await fail(brake, 100, { ip, status: 429 })
      expect(banned).toStrictEqual([])
    },
  )
})

describe('what is kept of failures', () => {
  it('is no address, and nothing once it is forgiven', async () => {
    const brake = await processOn(failureScores.threshold)
    const scores = openFailureScores({ database: postgres.database, now: () => now_ms })
    await fail(brake, 100, { status: 429 })
    const rows = async (): Promise<string> => {
      const { rows: found } = await postgres.database.pool.query('select each::text from network_failures.scores each')
      return JSON.stringify(found)
    }
    expect(await rows()).toMatch(/300/)
    expect(await rows()).not.toContain('203.0.113')
    await scores.sweep()
    expect(await rows()).not.toBe('[]')
    now_ms += hour_ms / 10
    await scores.sweep()
    expect(await rows()).toBe('[]')
  })

  it('is bounded between two flushes', async () => {
    const added: number[] = []
    const scores = {
      add: async (weights: ReadonlyMap<string, number>) => {
        added.push(weights.size)
        return []
      },
      forget: async () => undefined,
      sweep: async () => undefined,
    }
    const brake = failureBrake({
      scores,
      ban: async () => undefined,
      isProtected: () => false,
      onError: () => undefined,
    })
    for (let host = 0; host <= notedNetworks_max; host += 1)
      brake.note(failed({ ip: `203.0.${host >> 8}.${host & 255}` }))
    await brake.close()
    expect(added).toStrictEqual([notedNetworks_max])
  })
})
