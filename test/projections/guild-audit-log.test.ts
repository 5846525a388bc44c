import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queries } from '../../application/ports/database.ts'
import type { AuditLogPage } from '../../application/ports/queries/audit-log-queries.ts'
import type { Actor } from '../../application/ports/event-store.ts'
import { auditActions } from '../../domain/audit/audit-actions.ts'
import { guildAuditEntriesOf } from '../../domain/audit/guild-audit-entry.ts'
import { entryId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { guildAuditLogProjection } from '../../projections/guild-audit-log/projector.ts'
import { auditLogQueries } from '../../projections/guild-audit-log/queries.ts'
import { account, deleted, guild, invited, redeemed, terms, uninvited } from './support/people.ts'
import { world, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const beginning = entryId(snowflake('0'))
const page = (wanted: Partial<AuditLogPage> = {}, number = 1, oldest = beginning) =>
  auditLogQueries(the.database).page(guild(number), { limit: 100, ...wanted }, oldest)
const by = (number: number): Actor => ({ kind: 'account', id: account(number) })
const codes = async (wanted: Partial<AuditLogPage> = {}) => (await page(wanted)).map(({ targetId }) => targetId)

beforeAll(async () => {
  the = await world()
  projector = await the.projector([guildAuditLogProjection])
  await the.happensWith({ actor: by(1), reason: 'because' }, invited(terms('a')), invited(terms('b')))
  await the.happensWith({ actor: by(2) }, invited(terms('c')), redeemed(terms('c'), 'r'), uninvited(terms('c'), 1))
  await the.happensWith({}, invited(terms('d')), invited(terms('other', { guildId: guild(2) })))
  await projector.reached(await the.store.end())
})

afterAll(() => the.close())

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

/** The plan by which Postgres would read a page of long tables. */
async function planOf(wanted: Partial<AuditLogPage>): Promise<readonly Plan[]> {
  const client = await the.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    await client.query('set local enable_bitmapscan = off')
    let plan: Plan | undefined
    const any: Queries['any'] = async ({ sql: text, values }) => {
      const { rows } = await client.query(`explain (format json) ${text.replaceAll('$slonik_', '$')}`, [...values])
      plan = rows[0]['QUERY PLAN'][0].Plan
      return []
    }
    await auditLogQueries({ ...the.database, any }).page(guild(1), { limit: 100, ...wanted }, beginning)
    return plan ? [plan, ...within(plan)] : []
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const within = ({ Plans = [] }: Plan): readonly Plan[] => Plans.flatMap((inner) => [inner, ...within(inner)])

describe('the audit log of a guild', () => {
  it.each<[string, Partial<AuditLogPage>, string]>([
    ['newest first', {}, 'entries_pkey'],
    ['oldest first', { after: beginning }, 'entries_pkey'],
    ['of one account', { actorId: account(1) }, 'entries_by_user'],
    ['of one action', { actionType: auditActions.INVITE_CREATE }, 'entries_by_action'],
    ['without threads', { withoutThreads: true }, 'entries_of_makings'],
  ])('is read %s through an index that gives the order', async (_, wanted, index) => {
    const plan = await planOf(wanted)
    expect(plan.map((node) => node['Index Name'])).toContain(index)
    expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
  })
  it('counts created channels and threads as the index does', () => {
    expect([auditActions.CHANNEL_CREATE, auditActions.THREAD_CREATE]).toEqual([10, 110])
  })

  it('has the entries of its events, newest first, and nothing of other guilds', async () => {
    const raised = projector.published.flatMap(guildAuditEntriesOf)
    const ofGuild = raised.filter(({ guildId }) => guildId === guild(1))
    expect(ofGuild).toHaveLength(5)
    expect(await page()).toStrictEqual(ofGuild.toReversed())
  })

  it('says who did it and why', async () => {
    const [system, removal, , , first] = await page()
    expect([system?.userId, system?.reason]).toStrictEqual([null, null])
    expect([removal?.userId, removal?.actionType]).toStrictEqual([account(2), auditActions.INVITE_DELETE])
    expect([first?.userId, first?.reason]).toStrictEqual([account(1), 'because'])
  })

  it('comes in pages, before and after an entry', async () => {
    const [, , third, fourth] = await page()
    expect(await codes({ limit: 2 })).toStrictEqual(['d', 'c'])
    expect(await codes({ before: third?.id ?? beginning })).toStrictEqual(['b', 'a'])
    expect(await codes({ before: third?.id ?? beginning, limit: 1 })).toStrictEqual(['b'])
    expect(await codes({ after: third?.id ?? beginning })).toStrictEqual(['d', 'c'])
    expect(await codes({ after: fourth?.id ?? beginning, limit: 1 })).toStrictEqual(['c'])
    expect(await codes({ before: beginning })).toStrictEqual([])
  })

  it('is filtered by who did it, by action, and by both', async () => {
    expect(await codes({ actorId: account(1) })).toStrictEqual(['b', 'a'])
    expect(await codes({ actionType: auditActions.INVITE_DELETE })).toStrictEqual(['c'])
    expect(await codes({ actorId: account(2), actionType: auditActions.INVITE_CREATE })).toStrictEqual(['c'])
    expect(await codes({ actorId: account(3) })).toStrictEqual([])
  })

  it('leaves out entries that are too old', async () => {
    const [, , third] = await page()
    expect((await page({}, 1, third?.id)).map(({ targetId }) => targetId)).toStrictEqual(['d', 'c', 'c'])
  })

  it('is destroyed with the guild', async () => {
    expect(await page({}, 2)).toHaveLength(1)
    await projector.reached(await the.happens(deleted(2)))
    expect(await page({}, 2)).toStrictEqual([])
    expect(await page()).toHaveLength(5)
  })
})
