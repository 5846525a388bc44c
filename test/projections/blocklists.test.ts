import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlocklistRecord } from '../../application/ports/queries/blocklist-queries.ts'
import type { BlocklistEntryEvent } from '../../domain/blocklist-entry/events.ts'
import { secondsAfter } from '../../domain/kernel/timestamp.ts'
import { blocklistsProjection } from '../../projections/blocklists/projector.ts'
import { blocklistQueries } from '../../projections/blocklists/queries.ts'
import { account, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => blocklistQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([blocklistsProjection])
})
afterAll(() => the.close())

const entry = (entryId: string, changes: Partial<BlocklistRecord> = {}): BlocklistRecord => ({
  entryId,
  list: 'phrase',
  scope: null,
  value: `value of ${entryId}`,
  details: {
    category: 'manual',
    severity: 2,
    matchSubdomains: true,
    sourceUrl: null,
    notes: 'Seen',
    contentType: null,
    reason: null,
  },
  addedBy: account(901),
  addedAt: start,
  ...changes,
})
const added = (record: BlocklistRecord): BlocklistEntryEvent => ({ type: 'BlocklistEntryAdded', data: record })
const idsOf = (records: readonly BlocklistRecord[]) => records.map(({ entryId }) => entryId)

describe('the blocklists', () => {
  it('hold an entry as it is now, until it is removed, and count each change', async () => {
    expect(await queries().changes()).toBe(0)
    const record = entry('e1')
    await happens(added(record))
    expect(await queries().findMany(['e1', 'e2'])).toStrictEqual([record])
    const changes = { severity: 1, notes: null, matchSubdomains: false, sourceUrl: 'https://feed.example' } as const
    await happens({ type: 'BlocklistEntryChanged', data: { entryId: 'e1', changes } })
    expect(await queries().findMany(['e1'])).toStrictEqual([{ ...record, details: { ...record.details, ...changes } }])
    await happens({ type: 'BlocklistEntryRemoved', data: { entryId: 'e1', list: 'phrase' } })
    expect(await queries().findMany(['e1'])).toStrictEqual([])
    expect(await queries().changes()).toBe(3)
  })

  it('are read by list and scope, the newest first, after a cursor', async () => {
    const later = secondsAfter(start, 60)
    await happens(
      added(entry('p1')),
      added(entry('p2', { addedAt: later })),
      added(entry('p3', { addedAt: later })),
      added(entry('s1', { list: 'profile-substring', scope: 'bio' })),
      added(entry('s2', { list: 'profile-substring', scope: 'username' })),
    )
    const page = { list: 'phrase', scope: null, after: null, limit: 10 } as const
    expect(idsOf(await queries().page(page))).toStrictEqual(['p2', 'p3', 'p1'])
    expect(idsOf(await queries().page({ ...page, limit: 1 }))).toStrictEqual(['p2'])
    expect(idsOf(await queries().page({ ...page, after: { addedAt: later, entryId: 'p2' } }))).toStrictEqual([
      'p3',
      'p1',
    ])
    const names = { ...page, list: 'profile-substring', scope: 'bio' } as const
    expect(idsOf(await queries().page(names))).toStrictEqual(['s1'])
    expect(idsOf(await queries().newestOf(['phrase', 'profile-substring'], 2))).toStrictEqual(['p2', 'p3'])
    expect(idsOf(await queries().newestOf(['url'], 2))).toStrictEqual([])
  })
})
