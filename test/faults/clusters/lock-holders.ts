import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { leadersOf } from '../../support/cluster/metrics.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { createInvite, send, type ApiRequest } from '../../support/load-api.ts'
import type { ProductProcess } from '../../support/product-process.ts'
import { hungWithin } from '../commands/hung-within.ts'
import { newAuthor, type Author } from '../commands/message-stage.ts'
import { invitesByAge, joinIn } from '../joins-and-invites.ts'
import { noteFindings, nothingWrong, productFindings } from '../network/product-findings.ts'
import { watchedGuilds, type WatchedGuilds } from '../network/watched-guilds.ts'
import { wholeHistory } from '../store-checks.ts'
import type { OnStage } from './cluster-stage.ts'
import { paced } from '../../support/pace.ts'

/** The time from a fault until all work that needs the lock goes on. */
const taken_ms_max = 10_000
/** The longest time that a process that hangs within a request may delay its repeat. */
const takenOver_s_max = 15
/** The shortest time that a process hangs; it hangs on until another has taken over. */
const hangs_ms = isLong ? 20_000 : 0
/** Somebody has to write when something is lost, and not much after that: the tests wait for others to take over. */
const load = isLong ? {} : { writers: 3 }
const requests = 12
const joinMessage = 7
/** The lock of appends in Postgres (adapters/postgres/migrations/0002-event-store.sql). */
const appendLock = [1196771660, 1]
const waitingAppends = `select from pg_locks where locktype = 'advisory' and not granted and classid = 1196771660
  and database = (select oid from pg_database where datname = current_database())`
const followersOfJoins = ['joins', 'system_messages']

/** A way in which a holder of locks is lost. */
interface Loss {
  readonly row: string
  readonly title: string
  lose(product: ProductProcess): void
  /** Ends the fault, once another process has taken over. */
  end(product: ProductProcess): Promise<unknown>
}

/** Each process of the stage has a gate of its own to Postgres. */
export function lockHolders(on: OnStage, seed: number): void {
  describe('Who holds a lock, in a process of each role', () => {
    let author: Author
    let guilds: WatchedGuilds

    beforeAll(async () => {
      const { store, urlOf, atLeast } = on()
      await Promise.all([atLeast('api', 2), atLeast('projector', 2)])
      // The new worker stands by, because another one already follows.
      await atLeast('worker', 2)
      // Before those who watch every guild: they are not told of this one.
      author = await newAuthor(urlOf('api'), urlOf('gateway'), 'author')
      const place = { apiUrl: () => urlOf('api'), gatewayUrl: () => urlOf('gateway'), store }
      guilds = await watchedGuilds(place, { seed, ...load })
    })
    afterAll(() => guilds.close())

    /** The machine is gone: it sends nothing, not even the end of its connections. */
    const hostLoss = (part: string, row: string): Loss => ({
      row,
      title: `host of ${part} vanished`,
      lose: (product) => on().cluster.gateOf(product).stall(),
      end: (product) => product.kill('SIGKILL'),
    })
    const hang = (part: string, row: string): Loss => ({
      row,
      title: `${part} hangs`,
      lose: (product) => product.signal('SIGSTOP'),
      async end(product) {
        await sleep(hangs_ms)
        product.signal('SIGCONT')
      },
    })

    async function leader(): Promise<ProductProcess> {
      const running = on().cluster.running('projector')
      let leaders: readonly ProductProcess[] = []
      // The one that was seen: on a busy machine, nobody may lead a moment later.
      await expect.poll(async () => (leaders = await leadersOf(running)).length).toBe(1)
      const [leading] = leaders
      if (!leading) throw new Error('No projector leads')
      return leading
    }

    describe('F30: an API process that hangs within a keyed request', () => {
      it('gives its repeat to another process within seconds, and changes nothing when it comes back', async () => {
        const [hanging, living] = on().cluster.running('api')
        if (!hanging || !living) throw new Error('There are no two api processes')
        const scene = { hanging, living, author, pool: on().store.database.pool }
        const { plain, answer, again, messages, stuck_s } = await hungWithin(scene)
        noteFault('F30k', {
          title: 'API process hung in a keyed request',
          runs: 1,
          lost: messages.length === 0 ? 1 : 0,
          repeated: Math.max(0, messages.length - 1),
          reordered: 0,
          divergent: again.filter((one) => JSON.stringify(one) !== JSON.stringify(answer)).length,
          stuck_s,
        })
        expect(answer.status).toBe(200)
        expect(messages).toStrictEqual([plain.parse(answer.body).id])
        expect(again).toStrictEqual([answer, answer])
        expect(stuck_s).toBeLessThan(paced(takenOver_s_max))
      })
    })

    /** Loses a process under load; resolves with the milliseconds until another process does all of its work. */
    async function lost(loss: Loss, product: ProductProcess, goesOn: () => Promise<unknown>): Promise<number> {
      guilds.write()
      await guilds.mark()
      loss.lose(product)
      guilds.pace('slow')
      const began = performance.now()
      await goesOn()
      const stuck_ms = performance.now() - began
      await loss.end(product)
      return stuck_ms
    }

    /** Compares everything with what clients were told, and adds the row. */
    async function noteRow({ row, title }: Loss, stuck_ms: number, note: string): Promise<void> {
      await guilds.mark()
      await guilds.rest()
      await guilds.mark()
      const found = await productFindings(guilds, on().store)
      noteFindings(row, { title, runs: 1, recovered_ms: stuck_ms, note }, found)
      expect(found.findings).toEqual(nothingWrong)
      expect(stuck_ms).toBeLessThan(paced(taken_ms_max))
    }

    for (const makeLoss of [
      () => hang('the leading projector', 'F30a'),
      () => hostLoss('the leading projector', 'F29a'),
    ]) {
      const loss = makeLoss()
      it(`${loss.row}: the leading projector is replaced within 10 s, and writes nothing stale: ${loss.title}`, async () => {
        const victim = await leader()
        const stuck_ms = await lost(loss, victim, () => guilds.mark())
        const next = await leader()
        await noteRow(loss, stuck_ms, 'until a join is told to every session')
        expect(next.pid).not.toBe(victim.pid)
        // A busy machine may lose it to yet another one, but not to the one that comes back.
        expect((await leader()).pid).not.toBe(victim.pid)
      })
    }

    /** The lowest position that the followers of joins have reached. */
    async function followed(): Promise<bigint> {
      const { rows } = await on().store.database.pool.query(
        'select min(position) as position from followers.checkpoints where name = any ($1)',
        [followersOfJoins],
      )
      return z.tuple([z.object({ position: z.coerce.bigint() })]).parse(rows)[0].position
    }

    /** Lets an account join, and waits until the followers of joins have reached that event. */
    async function isFollowed(): Promise<void> {
      const before = await on().store.events.end()
      await guilds.mark()
      await expect.poll(followed).toBeGreaterThan(before)
    }

    /** Deviations from one join message for each join: those missing, and those too many. */
    async function wrongJoinMessages() {
      await isFollowed()
      await expect.poll(followed).toBeGreaterThanOrEqual(await lastJoin())
      const { rows } = await on().store.database.pool.query(
        'select guild_id::text as guild, author_id::text as account from messages.messages where type = $1',
        [joinMessage],
      )
      const told = z.array(z.object({ guild: z.string(), account: z.string() })).parse(rows)
      const joins = (await wholeHistory(on().store)).flatMap(({ type, data }) => joinIn(type, data))
      const counts = new Map<string, number>()
      for (const join of joins) counts.set(join, 0)
      for (const { guild, account } of told)
        counts.set(`${guild} ${account}`, (counts.get(`${guild} ${account}`) ?? 0) + 1)
      return {
        missing: [...counts].filter(([, count]) => count === 0),
        repeated: [...counts].filter(([, count]) => count > 1),
      }
    }

    async function lastJoin(): Promise<bigint> {
      const joins = (await wholeHistory(on().store)).filter(({ type, data }) => joinIn(type, data).length > 0)
      return joins.at(-1)?.position ?? -1n
    }

    for (const makeLoss of [() => hang('a worker', 'F30b'), () => hostLoss('a worker', 'F29b')]) {
      const loss = makeLoss()
      it(`${loss.row}: another worker follows within 10 s, and each join is announced once: ${loss.title}`, async () => {
        const [victim, standby] = on().cluster.running('worker')
        if (!victim || !standby) throw new Error('There are no two workers')
        const holder = loss.row === 'F30b' ? victim : standby
        const stuck_ms = await lost(loss, holder, isFollowed)
        await guilds.rest()
        expect(await wrongJoinMessages()).toEqual({ missing: [], repeated: [] })
        await noteRow(loss, stuck_ms, 'until a join was followed')
      })
    }

    interface Repeated {
      readonly maxAge: number
      readonly ms: number
      readonly statuses: readonly number[]
    }

    /** Repeats a request until it succeeds or the time is up. */
    async function repeated(other: ProductProcess, maxAge: number, key: string): Promise<Repeated> {
      const began = performance.now()
      const statuses: number[] = []
      while (statuses.at(-1) !== 200 && performance.now() - began < 2 * taken_ms_max) {
        statuses.push((await send(other.url, inviteRequest(maxAge), key)).status)
        if (statuses.at(-1) !== 200) await sleep(50)
      }
      return { maxAge, ms: performance.now() - began, statuses: [...new Set(statuses)] }
    }

    const inviteRequest = (maxAge: number) =>
      createInvite(guilds.owner, guilds.guild.textChannel, { max_uses: 1, max_age: maxAge })

    /**
     * Loses a process while each of its requests holds its key and has an append under way. Then sends the requests to another
     * process.
     */
    async function lostWithKeys(loss: Loss, victim: ProductProcess, other: ProductProcess, ages: readonly number[]) {
      const { pool } = on().store.database
      const asked = ages.map((maxAge) => ({ maxAge, key: randomUUID() }))
      const appends = await pool.connect()
      const unanswered = new AbortController()
      try {
        await appends.query('select pg_advisory_lock($1, $2)', appendLock)
        for (const { maxAge, key } of asked)
          void post(victim, inviteRequest(maxAge), key, unanswered.signal).catch(() => undefined)
        const held = 'select from http.idempotency_keys where held_until > clock_timestamp() and sealed_answer is null'
        await expect.poll(async () => (await pool.query(held)).rowCount).toBeGreaterThanOrEqual(ages.length)
        await expect.poll(async () => (await pool.query(waitingAppends)).rowCount).toBeGreaterThan(0)
        loss.lose(victim)
        guilds.pace('slow')
      } finally {
        await appends.query('select pg_advisory_unlock($1, $2)', appendLock)
        appends.release()
      }
      const found = await Promise.all(asked.map(({ maxAge, key }) => repeated(other, maxAge, key)))
      unanswered.abort()
      await loss.end(victim)
      return found
    }

    for (const makeLoss of [
      () => hang('an api with locked keys', 'F30c'),
      () => hostLoss('an api with locked keys', 'F29c'),
    ]) {
      const loss = makeLoss()
      it(`${loss.row}: what it had locked is free within 10 s, and each command is done once: ${loss.title}`, async () => {
        const [other, victim] = on().cluster.running('api')
        if (!victim || !other) throw new Error('There are no two api processes')
        const base = loss.row === 'F30c' ? 500_000 : 510_000
        guilds.write()
        await guilds.mark()
        const ages = Array.from({ length: requests }, (_, index) => base + index)
        const asked = await lostWithKeys(loss, victim, other, ages)
        const stuck_ms = Math.max(...asked.map(({ ms }) => ms))
        const made = invitesByAge(await wholeHistory(on().store))
        const seen = [...new Set(asked.flatMap(({ statuses }) => statuses))].join()
        await noteRow(loss, stuck_ms, `answers ${seen}`)
        expect(asked.map(({ maxAge }) => made.get(String(maxAge)))).toEqual(asked.map(() => 1))
        expect(asked.filter(({ statuses }) => statuses.at(-1) !== 200)).toEqual([])
      })
    }
  })
}

/** Sends a request and does not wait for its answer. */
function post({ url }: ProductProcess, request: ApiRequest, key: string, signal: AbortSignal): Promise<Response> {
  const { method, path, token = '', body } = request
  const headers = { authorization: token, 'content-type': 'application/json', 'idempotency-key': key }
  return fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body), signal })
}
