import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditChainHash } from '../../adapters/personal-data/audit-chain-hash.ts'
import { chainEntry } from '../../application/administration/audit/chain-entry.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { accountId, entryId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { testContext } from '../support/test-context.ts'
import { instance, type Instance } from './support/instance.ts'

let site: Instance

beforeEach(async () => {
  site = await instance()
})
afterEach(() => site.close())

const ada = accountId(snowflake('9007199254740993'))

async function record(count: number): Promise<void> {
  const { events: store, snapshots, personalDataKey } = site.store
  const aggregates = openAggregates({ store, snapshots })
  const chain = chainEntry({ aggregates, adminAuditHash: auditChainHash(personalDataKey) })
  for (let number = 1; number <= count; number += 1)
    await chain(
      {
        entryId: entryId(snowflake(String(100 + number))),
        adminId: ada,
        credential: 'session',
        action: 'change_email',
        targetType: 'user',
        targetId: ada,
        metadata: { number: String(number) },
        personalMetadata: number === 2 ? { new_email: 'canary@example.org' } : null,
        reason: null,
        actedAt: timestamp(0),
      },
      testContext(),
    )
}

const verify = (...words: readonly string[]) => site.guildhall(['audit', 'verify', ...words])
const verifySpawned = () => site.spawned(['audit', 'verify'])
const inLog = `stream = 'admin_audit-self'`

describe('guildhall audit verify', () => {
  it('reports that all entries are as they were recorded, and prints a hash to note', async () => {
    expect(await verify()).toMatchObject({ code: 0, output: 'The admin audit log has no entries.\n' })
    await record(3)
    const { code, output } = await verifySpawned()
    expect(code).toBe(0)
    expect(output).toMatch(/^All 3 entries .* as they were recorded\. The newest has the hash [0-9a-f]{64}\n$/)
    const hash = output.trim().split(' ').at(-1) ?? ''
    await record(4)
    expect((await verify('--holds', hash)).code).toBe(0)
  })

  it('finds a changed entry, and only that one', async () => {
    await record(3)
    const change = `set data = replace(data::text, '"2"', '"7"')::jsonb`
    await site.rows(`update event_store.events ${change} where ${inLog} and revision = 1`)
    const { code, output } = await verifySpawned()
    expect(code).toBe(1)
    expect(output).toMatch(/^Entry 102, at position \d+, was changed or added: [^\n]+\n$/)
  })

  it('finds a missing entry by the next one', async () => {
    await record(3)
    await site.rows(`delete from event_store.events where ${inLog} and revision = 1`)
    const { code, output } = await verify()
    expect(code).toBe(1)
    expect(output).toMatch(/^Entry 103, at position \d+, does not follow on the one before it/)
  })

  it('finds that entries were cut off the end, by the noted hash', async () => {
    await record(3)
    const hash = (await verify()).output.trim().split(' ').at(-1) ?? ''
    await site.rows(`delete from event_store.events where ${inLog} and revision = 2`)
    expect((await verify()).code).toBe(0)
    const { code, output } = await verify('--holds', hash)
    expect(code).toBe(1)
    expect(output).toContain(`No entry has the hash ${hash}`)
  })

  it('keeps personal data sealed', async () => {
    await record(2)
    const rows = await site.rows(`select data::text as data from event_store.events where ${inLog}`)
    expect(JSON.stringify(rows)).not.toContain('canary')
    expect((await verify()).code).toBe(0)
  })
})
