import { describe, expect, it } from 'vitest'
import { bansAndListedAddresses } from '../../../../application/administration/network-bans/bans-and-listed-addresses.ts'
import type { BlocklistRecord } from '../../../../application/ports/queries/blocklist-queries.ts'
import type { NetworkBanRecord } from '../../../../application/ports/queries/network-ban-queries.ts'
import { severities, type Severity } from '../../../../domain/blocklist-entry/lists.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import { start } from '../../../../domain/testing/people.ts'

const admin = accountId(snowflake('5'))
const tomorrow = secondsAfter(start, 24 * 3600)

const forFailures = (network: string): NetworkBanRecord => ({
  network,
  cause: 'failures',
  reason: null,
  bannedBy: null,
  bannedAt: start,
  expiresAt: tomorrow,
})

const entry = (value: string, severity: Severity = severities.BLOCK): BlocklistRecord => ({
  entryId: value,
  list: 'ip',
  scope: null,
  value,
  details: {
    category: 'manual',
    severity,
    matchSubdomains: true,
    sourceUrl: null,
    notes: null,
    contentType: null,
    reason: 'spam',
  },
  addedBy: admin,
  addedAt: start,
})

/** Read models with these rows, which have changed this many times. */
function combined(
  bans: readonly NetworkBanRecord[],
  entries: readonly BlocklistRecord[],
  changes = { bans: 0, entries: 0 },
) {
  return bansAndListedAddresses(
    { holding: async (_, limit) => bans.slice(0, limit), changes: async () => changes.bans },
    {
      newestOf: async (lists, limit) => entries.filter(({ list }) => lists.includes(list)).slice(0, limit),
      changes: async () => changes.entries,
    },
  )
}

const networksOf = async (queries: ReturnType<typeof combined>, limit = 10) =>
  (await queries.holding(start, limit)).map(({ network }) => network)

describe('the bans of networks and the addresses on the blocklist', () => {
  it('are both bans: an address is banned with its network, forever', async () => {
    expect(await combined([], [entry('203.0.113.7')]).holding(start, 10)).toStrictEqual([
      {
        network: '203.0.113.7/32',
        cause: 'operator',
        reason: 'spam',
        bannedBy: admin,
        bannedAt: start,
        expiresAt: null,
      },
    ])
    expect(await networksOf(combined([], [entry('2001:db8:0:0::/64')]))).toStrictEqual(['2001:db8:0:0::/64'])
  })

  it('are bans only if an entry blocks', async () => {
    const entries = Object.values(severities).map((severity) => entry(`203.0.113.${severity}`, severity))
    expect(await networksOf(combined([], entries))).toStrictEqual(['203.0.113.2/32', '203.0.113.3/32'])
  })

  it('are one ban of a network that has both, which does not end before the entry is removed', async () => {
    const both = combined([forFailures('203.0.113.7/32'), forFailures('203.0.113.8/32')], [entry('203.0.113.7')])
    const [first, second, ...others] = await both.holding(start, 10)
    expect(first).toMatchObject({ network: '203.0.113.7/32', expiresAt: null })
    expect(second).toMatchObject({ network: '203.0.113.8/32', expiresAt: tomorrow })
    expect(others).toStrictEqual([])
  })

  it('are limited together to the requested number, beginning with those without an end', async () => {
    const bans = [forFailures('203.0.113.1/32'), forFailures('203.0.113.2/32')]
    const listed = [entry('203.0.113.3'), entry('203.0.113.4')]
    expect(await networksOf(combined(bans, listed), 3)).toStrictEqual([
      '203.0.113.1/32',
      '203.0.113.3/32',
      '203.0.113.4/32',
    ])
    expect(await networksOf(combined(bans, listed), 1)).toStrictEqual(['203.0.113.3/32'])
  })

  it('are new if either is', async () => {
    const changes = { bans: 1, entries: 1 }
    const queries = combined([], [], changes)
    const before = await queries.changes()
    changes.entries = 2
    expect(await queries.changes()).not.toBe(before)
    const between = await queries.changes()
    changes.bans = 2
    expect(await queries.changes()).not.toBe(between)
  })
})
