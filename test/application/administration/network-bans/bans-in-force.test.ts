import { describe, expect, it, vi } from 'vitest'
import { openBansInForce } from '../../../../application/administration/network-bans/bans-in-force.ts'
import { copyAge_ms_max } from '../../../../application/caches/refreshed-copy.ts'
import type { NetworkBanQueries, NetworkBanRecord } from '../../../../application/ports/queries/network-ban-queries.ts'
import { holds } from '../../../../domain/network-ban/state.ts'
import { msOf, secondsAfter, timestamp } from '../../../../domain/kernel/timestamp.ts'
import { start } from '../../../../domain/testing/people.ts'

const tomorrow = secondsAfter(start, 24 * 3600)

const ban = (network: string, expiresAt: NetworkBanRecord['expiresAt'] = null): NetworkBanRecord => ({
  network,
  cause: 'operator',
  reason: null,
  bannedBy: null,
  bannedAt: start,
  expiresAt,
})

/** A read model that a test writes. */
function readModel() {
  const rows: NetworkBanRecord[] = []
  let changes = 0
  let now_ms = msOf(start)
  const holding = vi.fn<NetworkBanQueries['holding']>(async (now) => rows.filter((row) => holds(row, now)))
  return {
    holding,
    open: (onError = (error: unknown): void => expect(error).toBeUndefined()) =>
      openBansInForce({ queries: { holding, changes: async () => changes }, onError, now_ms: () => now_ms }),
    add: (record: NetworkBanRecord) => {
      rows.push(record)
      changes += 1
    },
    clear: () => {
      rows.length = 0
      changes += 1
    },
    at: (instant: typeof start) => void (now_ms = msOf(instant)),
  }
}

describe('the bans that a process knows', () => {
  it('are there from the start, for every address of a network', async () => {
    const model = readModel()
    model.add(ban('203.0.113.7/32'))
    model.add(ban('2001:db8:0:0::/64'))
    const bans = await model.open()
    for (const address of ['203.0.113.7', '2001:db8::1', '2001:db8:0:0:ffff::2'])
      expect(bans.of(address)).toMatchObject({ cause: 'operator' })
    for (const address of ['203.0.113.8', '2001:db8:0:1::1', 'unknown']) expect(bans.of(address)).toBeUndefined()
    bans.close()
  })

  it('end at their time, without another read', async () => {
    const model = readModel()
    model.add(ban('203.0.113.7/32', tomorrow))
    const bans = await model.open()
    model.at(timestamp(msOf(tomorrow) - 1))
    expect(bans.of('203.0.113.7')).toBeDefined()
    model.at(tomorrow)
    expect(bans.of('203.0.113.7')).toBeUndefined()
    bans.close()
  })

  it('are read again only if there is a change', async () => {
    const model = readModel()
    const bans = await model.open()
    await bans.refresh()
    expect(model.holding).toHaveBeenCalledTimes(1)
    model.add(ban('203.0.113.7/32'))
    await bans.refresh()
    expect(bans.of('203.0.113.7')).toBeDefined()
    model.clear()
    await bans.refresh()
    expect(bans.of('203.0.113.7')).toBeUndefined()
    expect(model.holding).toHaveBeenCalledTimes(3)
    bans.close()
  })

  it('still apply while they cannot be read', async () => {
    const model = readModel()
    model.add(ban('203.0.113.7/32'))
    const bans = await model.open()
    model.holding.mockRejectedValueOnce(new Error('Postgres is away'))
    model.clear()
    await expect(bans.refresh()).rejects.toThrow('Postgres is away')
    expect(bans.of('203.0.113.7')).toBeDefined()
    await bans.refresh()
    expect(bans.of('203.0.113.7')).toBeUndefined()
    bans.close()
  })

  it('are checked once a second, and a lasting failure is reported once', async () => {
    vi.useFakeTimers()
    const model = readModel()
    const told: unknown[] = []
    const bans = await model.open((error) => void told.push(error))
    model.holding.mockRejectedValue(new Error('Postgres is away'))
    model.add(ban('203.0.113.7/32'))
    await vi.advanceTimersByTimeAsync(3 * copyAge_ms_max)
    expect(told).toHaveLength(1)
    expect(bans.of('203.0.113.7')).toBeUndefined()
    model.holding.mockResolvedValue([ban('203.0.113.7/32')])
    await vi.advanceTimersByTimeAsync(copyAge_ms_max)
    expect(bans.of('203.0.113.7')).toBeDefined()
    bans.close()
    vi.useRealTimers()
  })
})
