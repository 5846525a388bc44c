import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openPostgresTickets, type PostgresTickets } from '../../../adapters/tickets/postgres-tickets.ts'
import { ticketKind } from '../../../application/secrets/ticket-kind.ts'
import { ticketsContract } from '../../contract/tickets-contract.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

const personalDataKey = randomBytes(32)
const closings: (() => Promise<void>)[] = []
const counted = ticketKind<{ readonly count: number }>('counted')
const secret = ticketKind<{ readonly code: string }>('secret', 'alphanumeric')

async function start(): Promise<TestDatabase & { readonly tickets: PostgresTickets }> {
  const test = await migratedDatabase()
  const tickets = openPostgresTickets({ database: test.database, personalDataKey })
  const close = async (): Promise<void> => {
    tickets.close()
    await test.close()
  }
  return { ...test, tickets, close }
}

/** Lets time pass for the existing tickets: Postgres has the only clock. */
async function pass({ database }: TestDatabase, seconds: number): Promise<void> {
  await database.pool.query(`update tickets.tickets set expires_at = expires_at - make_interval(secs => $1)`, [seconds])
}

async function rows({ database }: TestDatabase): Promise<readonly Record<string, unknown>[]> {
  return (await database.pool.query<Record<string, unknown>>('select * from tickets.tickets')).rows
}

ticketsContract('the tickets in Postgres', async () => {
  const test = await start()
  return { tickets: test.tickets, pass: (seconds) => pass(test, seconds), close: test.close }
})

describe('the tickets in Postgres', () => {
  afterEach(async () => {
    for (const close of closings.splice(0)) await close()
  })
  const started = async (): ReturnType<typeof start> => {
    const test = await start()
    closings.push(test.close)
    return test
  }

  it('hold neither the ticket nor what it carries in the clear', async () => {
    const test = await started()
    const ticket = await test.tickets.issue(secret, { code: 'CANARY-CODE' }, 60, '1001')
    const text = JSON.stringify(await rows(test), (_, value: unknown) =>
      isBytes(value) ? Buffer.from(value.data).toString('latin1') : value,
    )
    expect(text).toContain('1001')
    for (const hidden of ['CANARY', ticket, Buffer.from(ticket).toString('base64')]) expect(text).not.toContain(hidden)
  })
  it('outlive the process that issued them, and serve other processes', async () => {
    const test = await started()
    const ticket = await test.tickets.issue(secret, { code: 'a' }, 60)
    test.tickets.close()
    const other = openPostgresTickets({ database: test.database, personalDataKey })
    expect(await other.take(secret, ticket)).toEqual({ code: 'a' })
    other.close()
  })
  it('are not opened by another PERSONAL_DATA_KEY, nor moved to another row', async () => {
    const test = await started()
    const [one, two] = [
      await test.tickets.issue(secret, { code: 'a' }, 60),
      await test.tickets.issue(secret, { code: 'b' }, 60),
    ]
    const other = openPostgresTickets({ database: test.database, personalDataKey: randomBytes(32) })
    await expect(other.look(secret, one)).rejects.toThrow('unable to authenticate')
    other.close()
    await test.database.pool.query(
      'update tickets.tickets t set payload = o.payload from tickets.tickets o where o.id <> t.id',
    )
    await expect(test.tickets.look(secret, two)).rejects.toThrow('unable to authenticate')
  })
  it('lose no change that several processes make at the same moment', async () => {
    const test = await started()
    const others = Array.from({ length: 4 }, () => openPostgresTickets({ database: test.database, personalDataKey }))
    const ticket = await test.tickets.issue(counted, { count: 0 }, 60)
    const increase = ({ count }: { readonly count: number }): { readonly count: number } => ({ count: count + 1 })
    await Promise.all(
      others.flatMap((tickets) => Array.from({ length: 5 }, () => tickets.change(counted, ticket, increase))),
    )
    expect(await test.tickets.look(counted, ticket)).toEqual({ count: 20 })
    for (const other of others) other.close()
  })
  it('give a ticket that is taken while it is changed to one of the two, whole', async () => {
    const test = await started()
    const other = openPostgresTickets({ database: test.database, personalDataKey })
    for (let round = 0; round < 20; round += 1) {
      const ticket = await test.tickets.issue(counted, { count: 0 }, 60)
      const [taken, changed] = await Promise.all([
        test.tickets.take(counted, ticket),
        other.change(counted, ticket, ({ count }) => ({ count: count + 1 })),
      ])
      expect(taken).toEqual({ count: changed === undefined ? 0 : 1 })
      expect(await test.tickets.look(counted, ticket)).toBeUndefined()
    }
    other.close()
  })
  it('are swept once expired, and only then', async () => {
    const test = await started()
    await test.tickets.issue(counted, { count: 1 }, 60)
    await pass(test, 61)
    const ticket = await test.tickets.issue(counted, { count: 2 }, 60)
    await test.tickets.sweep()
    expect(await rows(test)).toHaveLength(1)
    expect(await test.tickets.look(counted, ticket)).toEqual({ count: 2 })
  })
})

/** A Buffer as JSON.stringify sees it. */
function isBytes(value: unknown): value is { readonly data: readonly number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
}
