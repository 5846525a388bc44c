import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { streamName } from '../../domain/streams.ts'
import { guildsProjection } from '../../projections/guilds/projector.ts'
import { accountsProjection } from '../../projections/accounts/projector.ts'
import { membersProjection } from '../../projections/members/projector.ts'
import { readModels } from '../../projections/read-models.ts'
import { ReadModelsAhead } from '../../projections/runner/registry.ts'
import { NothingToVerify, verify, type Verification } from '../../projections/runner/verify.ts'
import { shortened } from '../../cli/shortened.ts'
import { account, guild, registered } from '../projections/support/people.ts'
import { until } from '../projections/support/world.ts'
import { happens, people } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'

let the: Instance

beforeEach(async () => {
  the = await instance()
})

afterEach(() => the.close())

/** Those that these tests change. What `guildhall verify` runs with are all. */
const compared = [accountsProjection, guildsProjection, membersProjection]

const verified = (more: Partial<Parameters<typeof verify>[0]> = {}): Promise<Verification | undefined> =>
  verify({
    pool: the.store.database.pool,
    store: the.store.events,
    projections: compared,
    signal: new AbortController().signal,
    ...more,
  })

const differing = (verification: Verification | undefined): readonly string[] | undefined =>
  verification?.models.flatMap(({ name, tables }) => tables.map(({ table, count }) => `${name}.${table}: ${count}`))

const scratchSchemas = (): Promise<readonly unknown[]> =>
  the.rows(`select nspname from pg_namespace where nspname like 'verify%'`)

describe('verify', () => {
  it('finds a changed row, a missing one and an extra one, and ends with status 1', async () => {
    await the.storePeople(30)
    await the.project()
    const id = account(7)
    await the.rows(`update accounts.accounts set email = 'eve@example.net', flags = 1 where id = ${id}`)
    await the.rows(`delete from guilds.guilds where id = ${guild(8)}`)
    await the.rows(`insert into members.member_counts values (9007199254740993, 5)`)
    const { code, output } = await the.spawned(['verify'])
    expect(code).toBe(1)
    const lines = output.split('\n')
    expect(lines.slice(0, 4)).toEqual([
      `accounts.accounts id = ${id}: differs in email, flags`,
      '    email: live e… (15 characters), history u… (17 characters)',
      '    flags: live 1, history 0',
      `guilds.guilds id = ${guild(8)}: missing, though history makes it`,
    ])
    expect(lines).toContain('    name: history G… (7 characters)')
    expect(lines).toContain('members.member_counts guild_id = 9007199254740993: live, though history does not make it')
    expect(lines).toContain('    member_count: live 5')
    expect(lines.at(-2)).toBe("3 rows differ, at position 150. 'replay' builds read models anew.")
    expect(output).not.toMatch(/eve@|user7@|1990-12-10/)
    expect(await scratchSchemas()).toEqual([])

    expect(await the.guildhall(['replay'])).toMatchObject({ code: 0 })
    expect(await the.guildhall(['verify'])).toMatchObject({
      code: 0,
      output: `All ${readModels.length} read models equal what history makes of them, at position 150.\n`,
    })
  })

  it('counts every row that differs, and prints the first hundred of a table by key', async () => {
    await the.storePeople(150)
    await the.project()
    await the.rows(`update accounts.accounts set locale = 'tlh'`)
    const verification = await verified()
    expect(differing(verification)).toEqual(['accounts.accounts: 150'])
    const rows = verification?.models[0]?.tables[0]?.rows ?? []
    expect(rows).toHaveLength(100)
    expect(rows[0]).toMatchObject({ key: { id: account(1) }, columns: ['locale'] })
    expect(rows[0]?.rebuilt?.['locale']).toBe('en-US')
  })

  it('does not count what is not projected yet as a difference, but reports it', async () => {
    await people(the.store.events, 3)
    await the.project()
    await people(the.store.events, 1, 4)
    const { code, output } = await the.guildhall(['verify'])
    expect(code).toBe(0)
    expect(output).toContain('at position 15. The store goes on to 20, which is not projected yet.')
  })

  it('compares each read model as of its position', async () => {
    await people(the.store.events, 3)
    await the.project()
    await people(the.store.events, 3, 4)
    await the.project([accountsProjection])
    const verification = await verified()
    expect(differing(verification)).toEqual([])
    expect(verification?.position).toBe(15n)
    await the.rows(`delete from accounts.accounts where id = ${account(6)}`)
    expect(differing(await verified())).toEqual(['accounts.accounts: 1'])
  })

  it('compares equal positions while events arrive, and never stops the projector', async () => {
    await the.storePeople(150)
    const projector = await the.projector()
    const running = { on: true, next: 1001 }
    const traffic = (async () => {
      while (running.on) {
        const number = running.next++
        // Rejects if the projector does not get there.
        await projector.reached(
          await happens(the.store.events, streamName('account', account(number)), registered(number)),
        )
        await pause(10)
      }
    })()
    const positions: bigint[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const verification = await verified()
      expect(differing(verification)).toEqual([])
      positions.push(verification?.position ?? 0n)
    }
    running.on = false
    await traffic
    expect(positions.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(positions)
    expect(new Set(positions).size).toBeGreaterThan(1)
    expect(projector.published.length).toBe(running.next - 1001)
  })

  it('waits while another process builds read models', async () => {
    await people(the.store.events, 1)
    await the.project()
    const building = await the.store.database.pool.connect()
    await building.query('select pg_advisory_lock(1195921997, 2)')
    let waits = 0
    const verifying = verified({ onWaiting: () => (waits += 1) })
    await until(() => waits >= 2)
    building.release(true)
    expect(differing(await verifying)).toEqual([])
  })

  it('refuses what it cannot compare', async () => {
    const { version: guilds } = guildsProjection
    const empty = await instance(undefined, { withoutTables: true })
    const { database, events } = empty.store
    await expect(verified({ pool: database.pool, store: events })).rejects.toThrow(NothingToVerify)
    await empty.close()
    await people(the.store.events, 1)
    await the.project()
    await the.rows(`update read_models.checkpoints set version = 9 where name = 'guilds'`)
    await expect(verified()).rejects.toThrow(`Read model guilds is live in version 9, not in ${guilds}`)
    await the.rows(`update read_models.checkpoints set version = ${guilds} where name = 'guilds'`)
    await the.rows(`update read_models.checkpoints set position = 77`)
    await expect(verified()).rejects.toThrow(ReadModelsAhead)
    expect(await scratchSchemas()).toEqual([])
  })
})

describe('the scratch tables of verify', () => {
  beforeEach(async () => {
    await people(the.store.events, 2)
    await the.project()
  })

  it('are dropped when it fails', async () => {
    await the.rows('drop table members.member_counts')
    await expect(verified()).rejects.toThrow('member_counts')
    expect(await scratchSchemas()).toEqual([])
  })

  it('are dropped when it is stopped', async () => {
    const ending = new AbortController()
    expect(await verified({ signal: ending.signal, onProgress: () => ending.abort() })).toBeUndefined()
    expect(await scratchSchemas()).toEqual([])
  })

  it('are dropped by the next run if it was killed', async () => {
    const killed = await the.spawned(['verify'], {
      killWhen: () => until(async () => (await scratchSchemas()).length > 0, 30_000),
    })
    expect(killed.code).toBe(null)
    expect(await scratchSchemas()).not.toEqual([])
    expect(differing(await verified())).toEqual([])
    expect(await scratchSchemas()).toEqual([])
  })
})

describe('a value in a report', () => {
  it('shows only the first character and the length of personal data, also inside JSON', () => {
    expect(shortened('email', 'ada@example.org')).toBe('a… (15 characters)')
    expect(shortened('date_of_birth', '1990-12-10')).toBe('1… (10 characters)')
    expect(shortened('email', null)).toBe('null')
    expect(shortened('data', '{"ip": "192.0.2.1", "code": "AbCd"}')).toBe('{"ip": "1… (9 characters)", "code": "AbCd"}')
    expect(shortened('options', 'x'.repeat(100))).toBe(`${'x'.repeat(80)}… (100 characters)`)
  })
})
