import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { readModels } from '../../../projections/read-models.ts'
import { rebuild, rebuildAll } from '../../../projections/runner/rebuild.ts'
import { liveCheckpoints } from '../../../projections/runner/registry.ts'
import { sessionSnapshots } from '../../../projections/session-snapshots/queries.ts'
import { isLong } from '../../support/fault-table.ts'
import { applyForDiscovery, call, createGuild, getGuild, send, type Person } from '../../support/load-api.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestGuildhall, type TestGuildhall } from '../../support/test-guildhall.ts'
import { appendFeatures } from '../append-features.ts'
import { administrationAtWork } from '../network/administration-at-work.ts'
import { printedSeed } from '../network/network-stage.ts'
import { noteFindings, nothingWrong, productFindings } from '../network/product-findings.ts'
import { watchedGuilds, type WatchedGuilds } from '../network/watched-guilds.ts'
import { wholeHistory } from '../store-checks.ts'
import { keepRows } from './kept-rows.ts'
import { observedIn, tornAnswers, type ObservedCounts } from './observed-counts.ts'
import { paced } from '../../support/pace.ts'

const rebuilds = isLong ? 40 : 2
const restores = isLong ? 10 : 2
/** The limit for one guild. A long run creates more than the default allows, and refused invites would test nothing. */
const invites_max = 100_000
const catchUp_ms_max = 20_000
const writers = isLong ? 6 : 3
/** How long an observer pauses between its looks, to leave processor time for the rebuilds. */
const observerPause_ms = isLong ? 10 : 40

vi.setConfig({ testTimeout: isLong ? 900_000 : 600_000 })

describe('read models that are rebuilt or restored under load', () => {
  const seed = printedSeed('Read models made anew')
  const personalDataKey = randomBytes(32)
  let test: TestDatabase
  let guildhall: TestGuildhall
  let guilds: WatchedGuilds

  beforeAll(async () => {
    test = await laidDatabase()
    guildhall = await start()
    const place = { apiUrl: () => guildhall.url, gatewayUrl: () => guildhall.url, store: guildhall.store }
    guilds = await watchedGuilds(place, { seed, writers })
  })
  afterAll(async () => {
    guilds.close()
    await guildhall.close()
    await test.close()
  })

  const start = (): Promise<TestGuildhall> =>
    startTestGuildhall({
      connection: test.connection,
      personalDataKey,
      limits: { max_guild_invites: invites_max },
      logger: pino({ level: 'silent' }),
    })

  /** A guild in the directory that nobody touches any more. */
  async function listedGuild(owner: Person): Promise<string> {
    const { id } = await call(guildhall.url, createGuild(owner, 'Steadfast'))
    await appendFeatures(guildhall.store.events, id, ['VERIFIED'])
    await call(guildhall.url, applyForDiscovery(owner, id))
    return id
  }

  /** Resolves after this many more commands are answered. */
  async function commands(count: number): Promise<void> {
    const wanted = guilds.entries.length + count
    await expect.poll(() => guilds.entries.length).toBeGreaterThanOrEqual(wanted)
  }

  /** Queries the read models over and over until it is stopped; then returns what it saw. */
  function observer(listed: string) {
    const observed: ObservedCounts[] = []
    const refused: number[] = []
    let searches = 0
    const unfound: unknown[] = []
    const { owner, guild } = guilds
    let isOver = false
    async function observe(): Promise<void> {
      while (!isOver) {
        const snapshot = await sessionSnapshots(test.database).take(accountId(snowflake(owner.id)))
        if (!snapshot) throw new Error('There is no account')
        observed.push(observedIn(snapshot))
        const { status } = await send(guildhall.url, getGuild(owner, guild.id))
        if (status !== 200) refused.push(status)
        const { body } = await guildhall.request('GET', '/v1/discovery/guilds?query=steadfast', { token: owner.token })
        searches += 1
        if (!isDeepStrictEqual(foundIn(body), [listed])) unfound.push(body)
        await sleep(observerPause_ms)
      }
    }
    const observing = observe()
    return {
      async stop() {
        isOver = true
        await observing
        return { observed, refused, searches, unfound }
      },
    }
  }

  it('F22: are swapped in whole while traffic continues: no answer mixes rows of two moments, no listing is missed, and no request is refused', async () => {
    const { pool } = test.database
    const settings = {
      pool,
      store: guildhall.store.events,
      projections: readModels,
      signal: new AbortController().signal,
    }
    const administration = await administrationAtWork(guildhall)
    const seen = observer(await listedGuild(guilds.owner))
    guilds.write()
    await commands(20)
    const acting = administration.act()
    for (let run = 0; run < rebuilds; run += 1) {
      await rebuildAll(settings)
      for (const name of ['members', 'guilds']) await rebuild(name, settings)
      await commands(5)
    }
    const recovered_ms = await guilds.mark()
    await guilds.rest()
    await guilds.mark()
    const { observed, refused, searches, unfound } = await seen.stop()
    expect(await acting).toBe(0)
    expect(await administration.findings()).toEqual([])
    const torn = tornAnswers(observed, await wholeHistory(guildhall.store))
    const found = await productFindings(guilds, guildhall.store)
    const divergent = [...found.findings.divergent, ...torn.map(({ position }) => `torn at ${position}`)]
    const note = `${observed.length} answers, ${torn.length} of them torn`
    const run = { title: 'rebuilds while traffic continues', runs: rebuilds * 3, recovered_ms, note }
    noteFindings('F22', run, { ...found, findings: { ...found.findings, divergent } })
    expect(refused).toEqual([])
    expect(unfound).toEqual([])
    expect(searches).toBeGreaterThan(20)
    expect(new Set(observed.map(({ position }) => position)).size).toBeGreaterThan(20)
    expect(torn).toEqual([])
    expect(found.findings).toEqual(nothingWrong)
  })

  it('F28: catch up from their checkpoints after a restore to an earlier point, all of them or one of them', async () => {
    const caughtUp_ms: number[] = []
    const behind: bigint[] = []
    for (let run = 0; run < restores; run += 1) {
      guilds.write()
      await commands(10)
      const kept = await keepRows(test.database.pool)
      await commands(30)
      await guilds.rest()
      const end = await guildhall.store.events.end()
      await guildhall.close()
      await kept.restore(run % 2 === 0 ? undefined : ['members'])
      const positions = (await liveCheckpoints(test.database.pool)).map(({ position }) => Number(position))
      behind.push(end - BigInt(Math.min(...positions)))
      const began = performance.now()
      guildhall = await start()
      await guilds.mark()
      caughtUp_ms.push(performance.now() - began)
    }
    await guilds.mark()
    const found = await productFindings(guilds, guildhall.store)
    const { restarted } = found.findings
    const recovered_ms = Math.max(...caughtUp_ms)
    const note = `${behind.join(' and ')} positions behind`
    noteFindings('F28', { title: 'read models restored earlier', runs: restores, recovered_ms, note }, found)
    expect(Math.min(...behind.map(Number))).toBeGreaterThan(20)
    // The sessions of a process that ended start again.
    expect(restarted).toBe(guilds.watchers.length * restores)
    expect(found.findings).toEqual({ ...nothingWrong, restarted })
    expect(recovered_ms).toBeLessThan(paced(catchUp_ms_max))
  })
})

/** The ids of the guilds that a search found. */
function foundIn(body: unknown): readonly unknown[] {
  const { guilds } = body as { readonly guilds?: readonly { readonly id: string }[] }
  return guilds?.map(({ id }) => id) ?? []
}
