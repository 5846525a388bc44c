import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chainEntry, type UnchainedEntry } from '../../../../application/administration/audit/chain-entry.ts'
import { unsettled_ms, verifyChain } from '../../../../application/administration/audit/verify-chain.ts'
import type { EventStore, RecordedEvent } from '../../../../application/ports/event-store.ts'
import { memoryEventStore } from '../../../support/memory/memory-event-store.ts'
import { memorySnapshots } from '../../../support/memory/memory-snapshots.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { openAggregates } from '../../../../process/aggregates.ts'
import { chainedText } from '../../../../domain/admin-audit/chained-text.ts'
import { accountId, entryId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { testContext } from '../../../support/test-context.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const now = timestamp(Date.UTC(2026, 4, 1))
const ada = accountId(snowflake('1'))

const entry = (number: number): UnchainedEntry => ({
  entryId: entryId(snowflake(String(100 + number))),
  adminId: ada,
  credential: 'session',
  action: 'set_acls',
  targetType: 'user',
  targetId: '2',
  metadata: { acls: String(number) },
  personalMetadata: number === 2 ? { email: 'ada@example.org' } : null,
  reason: number === 3 ? 'shouted at ada' : null,
  actedAt: now,
})

/** A log of four entries, as history has it. */
async function log(of: Partial<UnchainedEntry> = {}): Promise<RecordedEvent[]> {
  const keys = memoryPersonalDataKeys()
  const store = memoryEventStore({ keys })
  const aggregates = openAggregates({ store, snapshots: memorySnapshots({ keys }) })
  const chain = chainEntry({ aggregates, adminAuditHash: hashOf })
  await Promise.all([1, 2, 3, 4].map((number) => chain({ ...entry(number), ...of }, testContext())))
  const events: RecordedEvent[] = []
  for await (const page of store.readAll(-1n)) events.push(...page)
  return events
}

const storeOf = (events: readonly RecordedEvent[]): Pick<EventStore, 'readAll'> => ({
  // oxlint-disable-next-line require-await
  async *readAll() {
    yield events
  },
})
const verified = (events: readonly RecordedEvent[], wanted?: string) =>
  verifyChain({ store: storeOf(events), hashOf, now, ...(wanted === undefined ? {} : { wanted }) })
const changed = (event: RecordedEvent | undefined, data: object): RecordedEvent => {
  if (!event) throw new Error('There is no such event')
  return { ...event, data: { ...event.data, ...data } }
}
const hashIn = (event: RecordedEvent | undefined): string => String(Object(event?.data).hash)
const idIn = (event: RecordedEvent | undefined): string => String(Object(event?.data).entryId)

describe('the chain of the admin audit log', () => {
  it('holds as it was recorded, however many entries were recorded at once', async () => {
    const events = await log()
    expect(events).toHaveLength(4)
    expect(await verified(events)).toEqual({
      entries_count: 4,
      newestHash: hashIn(events[3]),
      holdsWanted: true,
      fault: undefined,
    })
    expect(await verified([])).toEqual({ entries_count: 0, newestHash: null, holdsWanted: true, fault: undefined })
  })
  it.each([
    { metadata: { acls: '*' } },
    { adminId: '2' },
    { action: 'get_user' },
    { targetId: '3' },
    { reason: 'invented' },
    { actedAt: timestamp(0) },
    { credential: 'admin_key' },
    { hash: 'f'.repeat(64) },
    { previousHash: null },
  ])('shows that an entry was changed: %j', async (data) => {
    const [first, second, third, fourth] = await log()
    const { fault } = await verified(
      [first, second, changed(third, data), fourth].filter((event) => event !== undefined),
    )
    expect(fault).toEqual({ at: idIn(third), position: third?.position, what: 'changed' })
  })
  it('shows that personal metadata was changed, and holds once it is erased', async () => {
    const events = await log()
    const at = events.findIndex(({ data }) => Object(data).personalMetadata !== null)
    const others = (personalMetadata: unknown) =>
      events.map((event, index) => (index === at ? changed(event, { personalMetadata }) : event))
    expect((await verified(others({ email: 'eve@example.org' }))).fault?.what).toBe('changed')
    expect((await verified(others(null))).fault).toBeUndefined()
  })
  it('has the reason of an action on an account among what is personal, and of any other in the clear', async () => {
    const events = await log()
    const [third] = events.filter(({ data }) => Object(data).metadata.acls === '3')
    expect(third?.data).toMatchObject({ reason: null, personalReason: 'shouted at ada', personalMetadata: null })
    const others = (data: object) => events.map((event) => (event === third ? changed(event, data) : event))
    expect((await verified(others({ personalReason: 'sang' }))).fault?.what).toBe('changed')
    expect((await verified(others({ personalReason: null }))).fault).toBeUndefined()
    const search = await log({ targetId: '0' })
    expect(search.map(({ data }) => Object(data).reason)).toContain('shouted at ada')
    expect((await verified(search)).fault).toBeUndefined()
  })
  it('holds over entries of earlier versions, whose reasons are in the clear', async () => {
    const old = { ...entry(3), personalHash: null, previousHash: null }
    const data = { ...old, hash: hashOf(chainedText(old, null)) }
    const [first] = await log()
    if (!first) throw new Error('There are four')
    expect((await verified([{ ...first, data }])).fault).toBeUndefined()
  })
  it('shows that an entry is missing at the beginning or between others, by the next one', async () => {
    const events = await log()
    for (const index of [0, 1, 2]) {
      const { fault } = await verified(events.toSpliced(index, 1))
      expect(fault).toEqual({
        at: idIn(events[index + 1]),
        position: events[index + 1]?.position,
        what: 'out of place',
      })
    }
  })
  it('shows that an entry was inserted, repeated or moved', async () => {
    const [first, second, third, fourth] = await log()
    if (!first || !second || !third || !fourth) throw new Error('There are four')
    expect((await verified([first, second, first, third, fourth])).fault).toMatchObject({
      at: idIn(first),
      what: 'out of place',
    })
    expect((await verified([first, third, second, fourth])).fault).toMatchObject({
      at: idIn(third),
      what: 'out of place',
    })
    const forged = changed(second, { previousHash: hashIn(second), hash: hashOf('a guess'), entryId: '999' })
    expect((await verified([first, second, forged, third, fourth])).fault).toMatchObject({ at: '999', what: 'changed' })
  })
  it('shows that entries were cut off the end, by a previously noted hash', async () => {
    const events = await log()
    expect((await verified(events.slice(0, 2))).fault).toBeUndefined()
    expect((await verified(events.slice(0, 2), hashIn(events[3]))).holdsWanted).toBe(false)
    expect((await verified(events, hashIn(events[1]))).holdsWanted).toBe(true)
  })
  it('shows an entry that cannot be read', async () => {
    const [first, second] = await log()
    if (!first || !second) throw new Error('There are two')
    const data = { storedType: 'AdminActionRecorded', unknown: 'data', reason: 'broken' }
    const { fault } = await verified([first, { ...second, type: 'Unreadable', data }])
    expect(fault).toMatchObject({ position: second.position, what: 'unreadable' })
  })
  it('misses the entry of an act once nobody can still be working on it', async () => {
    const adminAction = {
      entryId: entryId(snowflake('555')),
      commandId: 'c',
      adminId: ada,
      credential: 'session',
      action: 'set_acls',
      target: { type: 'user', id: '2' },
    } as const
    const act = (ago_ms: number): RecordedEvent => ({
      stream: 'account-2',
      revision: 0,
      position: 99n,
      type: 'AclsSet',
      data: { accountId: '2', acls: [] },
      metadata: {
        ...testContext(),
        clientRequestId: 'one',
        operation: 'Set user ACLs',
        eventId: 'e',
        at: timestamp(Date.parse(now) - ago_ms),
        adminAction,
        reason: 'r',
      },
    })
    const refused: RecordedEvent = {
      ...act(0),
      stream: 'admin_audit-self',
      type: 'AdminActionRefused',
      data: { entryId: '555', adminId: ada },
    }
    const events = await log()
    expect((await verified([act(unsettled_ms + 1), ...events])).fault).toEqual({
      at: '555',
      position: 99n,
      what: 'missing',
    })
    expect((await verified([act(unsettled_ms - 1), ...events])).fault).toBeUndefined()
    expect((await verified([act(unsettled_ms + 1), ...events, refused])).fault).toBeUndefined()
  })
})
