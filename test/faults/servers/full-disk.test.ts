import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunningPostgres, type Connection } from '../../../adapters/postgres/embedded/start.ts'
import { requestLife_ms } from '../../../application/processes/process-manager.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import {
  call,
  createGuild,
  createInvite,
  currentUser,
  getGuild,
  register,
  send,
  type FoundedGuild,
  type Person,
} from '../../support/load-api.ts'
import { runClient } from '../../support/load-clients.ts'
import { chance, faultsSeed } from '../../support/load-random.ts'
import { loadSite } from '../../support/load-site.ts'
import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore } from '../store-checks.ts'
import { paced, patience_ms } from '../../support/pace.ts'

const disk = '400m'
const clients = 8
const rounds = isLong ? 5 : 1
/** This many commands are answered before the disk is full. */
const answered_min = isLong ? 50 : 25
/** This many writes are refused before there is room again. */
const refused_min = isLong ? 100 : 30
const refusedOfConnections_min = 30
const atOnce = 16
/**
 * Clients give up commands only in the long run. No process dies here, so a worker finishes those only once they are older than
 * a request may live.
 */
const finished_ms_max = isLong ? requestLife_ms + 60_000 : patience_ms
/** Two attempts to start Postgres on a full disk are at most 10 s apart. */
const recovery_s_max = 30

describe.skipIf(!canMount())(
  'Postgres has no resources left (needs a small file system, which only root can mount)',
  () => {
    const seed = faultsSeed()
    const random = chance(seed)
    const site = loadSite({ patient: !isLong })
    const ballast = path.join(site.dataDir, 'ballast')
    let owner: Person
    let guild: FoundedGuild
    let running: readonly Promise<void>[] = []
    let asked = 0

    beforeAll(async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk},mode=755`, 'tmpfs', site.dataDir])
      const { url } = await site.start()
      owner = await call(url, register('owner'))
      const { id } = await call(url, createGuild(owner, 'The full one'))
      guild = await call(url, getGuild(owner, id))
      const market = { invites: [] }
      running = Array.from({ length: clients }, (_none, index) =>
        runClient(`d${index}`, site.traffic, market, random.fork(index)),
      )
    })
    afterAll(async () => {
      site.end()
      await site.product.kill('SIGKILL')
      execFileSync('umount', ['--lazy', site.dataDir])
      await site.remove()
    })

    const write = (): Promise<number> =>
      send(
        site.product.url,
        createInvite(owner, guild.textChannel, { max_uses: 1, max_age: 300_000 + (asked += 1) }),
      ).then(({ status }) => status)

    /** Writes until this many writes were refused; returns the distinct statuses. */
    async function untilRefused(refusals: number): Promise<ReadonlySet<number>> {
      const statuses: number[] = []
      const until = performance.now() + patience_ms
      while (statuses.filter((status) => status === 503).length < refusals && performance.now() < until)
        // Some writes are done but cannot be read yet; it takes 10 s until the answer says so.
        statuses.push(...(await Promise.all(Array.from({ length: atOnce }, write))))
      return new Set(statuses)
    }

    /** Returns how long it took until a write succeeded again. */
    async function untilWritten(): Promise<number> {
      const began = performance.now()
      await expect.poll(write).toBe(200)
      return (performance.now() - began) / 1000
    }

    async function held(row: string, title: string, runs: number, stuck_s: number): Promise<void> {
      await Promise.race([site.closeGate(clients), ...running.map(failure)])
      await withStore(site.dataDir, async (store) => {
        const { left } = await finishedSteps(store, finished_ms_max)
        const { entries } = site.traffic.ledger
        const events = await wholeHistory(store)
        const { lost, repeated, unexpected } = compareWithHistory(entries, factsOf(events))
        const divergent = await divergentRows(store)
        const counts = { lost: lost.length, repeated: repeated.length, reordered: 0, divergent: divergent.length }
        const retried = entries.filter(({ attempts }) => attempts > 1).length
        const note = `${entries.length} commands, ${retried} sent again; FAULTS_SEED=${seed}`
        noteFault(row, { title, runs, ...counts, stuck_s, note })
        const none = { lost: [], repeated: [], unexpected: [], divergent: [] }
        expect({ seed, left, lost, repeated, unexpected, divergent }).toEqual({ seed, left: 0, ...none })
        expect(stuck_s).toBeLessThan(paced(recovery_s_max))
      })
    }

    it('a full disk refuses writes with 503, loses none, and accepts them again by itself once there is room', async () => {
      let stuck_s = 0
      for (let round = 0; round < rounds; round += 1) {
        site.openGate()
        const { entries } = site.traffic.ledger
        const wanted = entries.length + answered_min
        await expect.poll(() => entries.length).toBeGreaterThanOrEqual(wanted)
        fill(ballast)
        const statuses = await untilRefused(refused_min)
        expect([...statuses].filter((status) => status !== 200)).toEqual([503])
        rmSync(ballast)
        stuck_s = Math.max(stuck_s, await untilWritten())
      }
      await held('F37', 'The disk of Postgres full under load', rounds, stuck_s)
    })

    it('connections that are all taken have the same effect', async () => {
      site.openGate()
      const connection = await findRunningPostgres(path.join(site.dataDir, 'postgres'))
      if (!connection) throw new Error('No Postgres runs')
      const taking = takeConnections(connection)
      try {
        const statuses = await untilRefused(refusedOfConnections_min)
        expect([...statuses].filter((status) => status !== 200)).toEqual([503])
      } finally {
        await taking.end()
      }
      const stuck_s = await untilWritten()
      await held('F37a', 'Every connection of Postgres taken', 1, stuck_s)
    })

    it('reads are answered after all of it, by the same process', async () => {
      expect(site.product.isRunning, `${site.product.lines.slice(-20).join('\n')}`).toBe(true)
      expect((await call(site.product.url, currentUser(owner))).id).toBe(owner.id)
      expect(site.product.lines.filter((line) => line.includes('"failed to answer"'))).toEqual([])
    })
  },
)

/** Fills the file system of a file to the last block. */
function fill(file: string): void {
  writeFileSync(file, '')
  for (const bytes of [1024 ** 2, 4096])
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
}

/** As long as nobody else has a connection, none becomes free. */
const allTaken_pause_ms = 50

/** Takes every free connection, over and over, and ends the connections of others, until it is stopped. */
function takeConnections(connection: Connection): { end(): Promise<void> } {
  const held: pg.Client[] = []
  let isOver = false
  async function takeOne(): Promise<void> {
    const client = new pg.Client(connection)
    client.on('error', () => undefined)
    await client.connect()
    held.push(client)
  }
  async function takeAll(): Promise<void> {
    await takeOne()
    while (!isOver) {
      try {
        await takeOne()
      } catch (error) {
        if (!isTurnedAway(error)) throw error
        const ended = await held[0]?.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> all($1) and backend_type = $2 limit 10',
          [held.map(processIdOf), 'client backend'],
        )
        await sleep(ended?.rowCount === 0 ? allTaken_pause_ms : 1)
      }
    }
  }
  const taking = takeAll()
  return {
    async end() {
      isOver = true
      await taking
      await Promise.all(held.map((client) => client.end()))
    },
  }
}

/** A full server says so and closes, possibly before the client has sent its first message. */
function isTurnedAway(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '53300' || code === 'EPIPE' || code === 'ECONNRESET'
}

/** The id of the client's backend, which its types leave out. */
function processIdOf(client: pg.Client): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gh-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch (error) {
    process.stderr.write(`Left out: a full disk (${String(error)})\n`)
    return false
  } finally {
    rmdirSync(folder)
  }
}

/** Rejects if the client fails; otherwise the test would wait for it in vain. */
function failure(client: Promise<void>): Promise<never> {
  return client.then(() => Promise.reject(new Error('A client ended early')))
}
