import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { readModels } from '../../projections/read-models.ts'
import { rebuild, rebuildAll } from '../../projections/runner/rebuild.ts'
import { ReadModelsAhead } from '../../projections/runner/registry.ts'
import { call, createGuild, createInvite, getGuild, register } from '../support/load-api.ts'
import { loadSite, type LoadSite } from '../support/load-site.ts'
import { run, type Ended } from './support/command-process.ts'
import { people } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'

describe('replay beside a running server', () => {
  let site: LoadSite

  beforeEach(async () => {
    site = loadSite()
    await site.start()
  })

  afterEach(() => site.remove(), 30_000)

  const guildhall = (...words: readonly string[]): Promise<Ended> =>
    run(words, { DATA_DIR: site.dataDir, DATABASE_URL: '', PERSONAL_DATA_KEY: '' })

  async function invitesOnRecord(): Promise<readonly string[]> {
    const connection = await findRunningPostgres(path.join(site.dataDir, 'postgres'))
    if (!connection) throw new Error('No Postgres runs')
    const database = openDatabase(connection)
    const { rows } = await database.pool.query<{ code: string }>('select code from invites.invites')
    await database.close()
    return rows.map(({ code }) => code)
  }

  it('loses no event that arrives meanwhile, and no request fails; verify always finds both sides equal', async () => {
    const { url } = site.product
    const owner = await call(url, register('owner'))
    const guilds = await Promise.all([1, 2, 3, 4].map((number) => call(url, createGuild(owner, `Guild ${number}`))))
    const places = await Promise.all(guilds.map(({ id }) => call(url, getGuild(owner, id))))
    const codes: string[] = []
    let reads = 0
    let isOver = false
    const writing = places.map(async ({ textChannel }) => {
      for (let age = 1; !isOver && age < 900; age += 1) {
        codes.push((await call(url, createInvite(owner, textChannel, { max_uses: 1, max_age: 3600 + age }))).code)
        await pause(50)
      }
    })
    const reading = places.map(async ({ id }) => {
      for (; !isOver; reads += 1) {
        await call(url, getGuild(owner, id))
        await pause(20)
      }
    })
    const commands = [['replay'], ['verify'], ['replay', 'invites']]
    const written: number[] = []
    for (const words of commands) {
      expect({ words, ...(await guildhall(...words)) }).toMatchObject({ words, code: 0 })
      written.push(codes.length)
    }
    isOver = true
    await Promise.all([...writing, ...reading])
    // The server served and projected during each of them.
    expect(written).toEqual([...new Set(written)].toSorted((a, b) => a - b))
    expect(reads).toBeGreaterThan(100)
    expect((await invitesOnRecord()).toSorted()).toEqual(codes.toSorted())
    expect(await guildhall('verify')).toMatchObject({ code: 0 })
    expect(site.product.lines.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})

describe('replay', () => {
  let the: Instance

  beforeEach(async () => {
    the = await instance()
  })

  afterEach(() => the.close())

  const settings = () => ({
    pool: the.store.database.pool,
    store: the.store.events,
    projections: readModels,
    signal: new AbortController().signal,
  })
  const accounts = () => the.rows('select count(*)::int4 as count from accounts.accounts')
  const positions = async (): Promise<readonly unknown[]> =>
    (await the.rows('select distinct position from read_models.checkpoints')).map(({ position }) => position)

  it('needs no server: if nothing was projected yet, it goes to the end of the store', async () => {
    await the.close()
    the = await instance(undefined, { withoutTables: true })
    await the.storePeople(12)
    const { code, output, said } = await the.spawned(['replay'])
    expect(code).toBe(0)
    expect(output).toMatch(
      /^All \d+ read models were built from the first event up to position 60 and swapped in, in .* s\.\n$/,
    )
    expect(output).toContain(`All ${readModels.length} read models`)
    expect(said).toBe('replaying all read models 100 %, position 60 of 60\n')
    expect(await accounts()).toEqual([{ count: 12 }])
    expect(await positions()).toEqual(['60'])
    expect(await the.project()).toEqual([])
  })

  it('of one read model leaves the others alone', async () => {
    await the.storePeople(12)
    await the.project()
    await the.rows('delete from accounts.accounts; delete from guilds.guilds')
    const { code, output } = await the.guildhall(['replay', 'accounts'])
    expect(code).toBe(0)
    expect(output).toContain('Read model accounts was built from the first event up to position 60')
    expect(await accounts()).toEqual([{ count: 12 }])
    expect(await the.rows('select from guilds.guilds')).toEqual([])
    expect((await the.guildhall(['replay', 'nothing'])).said).toContain(
      'There is no read model nothing: there are accounts,',
    )
  })

  it('stops at the position of the live read models: whoever projects publishes what follows', async () => {
    await people(the.store.events, 2)
    await the.project()
    await people(the.store.events, 1, 3)
    expect(await rebuildAll(settings())).toBe(10n)
    expect(await positions()).toEqual(['10'])
    expect(await the.project()).toHaveLength(5)
    expect(await rebuild('accounts', settings())).toBe(15n)
    expect(await accounts()).toEqual([{ count: 3 }])
  })

  it('rebuilds read models that are ahead of a store restored from an older backup', async () => {
    await people(the.store.events, 4)
    await the.project()
    await the.rows('delete from event_store.events where position > 15')
    const leading = await the.store.database.pool.connect()
    await leading.query('select pg_advisory_lock(1195921997, 1)')
    await expect(rebuildAll(settings())).rejects.toThrow(ReadModelsAhead)
    leading.release(true)
    expect(await rebuildAll(settings())).toBe(15n)
    expect(await the.guildhall(['verify'])).toMatchObject({ code: 0 })
  })

  it('leaves everything as it was if it is stopped', async () => {
    await people(the.store.events, 4)
    await the.project()
    const ending = new AbortController()
    const ended = await rebuildAll({ ...settings(), signal: ending.signal, onProgress: () => ending.abort() })
    expect(ended).toBeUndefined()
    const schemas = await the.rows(`select nspname from pg_namespace where nspname like '%\\_\\_v%'`)
    expect(schemas).toEqual([])
    expect(await the.rows('select schema from read_models.checkpoints')).toHaveLength(readModels.length)
    expect(await accounts()).toEqual([{ count: 4 }])
  })
})
