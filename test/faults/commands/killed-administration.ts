import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { auditChainHash } from '../../../adapters/personal-data/audit-chain-hash.ts'
import { verifyChain } from '../../../application/administration/audit/verify-chain.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { streamName } from '../../../domain/streams.ts'
import { happens } from '../../cli/support/happenings.ts'
import { account, registered } from '../../projections/support/people.ts'
import { recordedEntry, type RecordedEntry } from '../../support/administrators.ts'
import { appendCommands } from '../../support/append-commands.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { call, currentUser, password, register, send, type ApiRequest, type Person } from '../../support/load-api.ts'
import { jobLeasesEnd } from '../leases-end.ts'
import { divergentRows, finishedSteps, wholeHistory } from '../store-checks.ts'
import { countOf, type OnProduct } from './killable-product.ts'
import { patience_ms } from '../../support/pace.ts'

const items_count = isLong ? 200 : 150
const kills_count = 2
const flag = String(2 ** 40)
const plain = (body: unknown): unknown => body
const shownJob = z.object({
  job: z.object({
    status: z.string(),
    progress_current: z.int(),
    result: z.object({ changed: z.int() }).nullable(),
  }),
})
const withJobId = z.object({ job_id: z.string() })
const withArchiveId = z.object({ archive_id: z.string() })
const pending = z.object({ user: z.object({ pending_deletion_at: z.string() }) })

export function killedAdministration(on: OnProduct): void {
  describe('a process that is killed with an administrator’s work under way', () => {
    let root: Person
    beforeAll(async () => {
      root = await call(on().product.url, register('root'))
      await appendCommands(on().store.events, root, [{ type: 'SetAcls', acls: ['*'] }])
    })

    const admin = (method: ApiRequest['method'], below: string, body?: ApiRequest['body']): ApiRequest => ({
      method,
      path: `/v1/admin/${below}`,
      token: root.token,
      ...(body === undefined ? {} : { body }),
      parse: plain,
    })
    const ask = (request: ApiRequest, key?: string) => send(on().product.url, request, key)
    const query = async (text: string, values: readonly unknown[] = []) =>
      (await on().test.database.pool.query<Record<string, unknown>>(text, [...values])).rows
    const entries = async (): Promise<readonly RecordedEntry[]> =>
      (await wholeHistory(on().store)).flatMap(({ type, data }) =>
        type === 'AdminActionRecorded' ? [recordedEntry(data)] : [],
      )
    const jobOf = async (id: string) => shownJob.parse((await ask(admin('GET', `jobs/${id}`))).body).job

    async function leasesEnd(): Promise<void> {
      await jobLeasesEnd(query)
      await query(`update archives.archives set run_at = now() where completed_at is null`)
    }

    async function restart(): Promise<void> {
      await on().product.kill()
      await leasesEnd()
      await on().restart()
    }

    /** What is wrong once everything has ended: rows that differ from a rebuild, and faults of the audit log's chain. */
    async function faults() {
      const { left, ms } = await finishedSteps(on().store, patience_ms)
      const chain = await verifyChain({
        store: on().store.events,
        hashOf: auditChainHash(on().store.personalDataKey),
        now: timestamp(Date.now()),
      })
      return { left, ms, fault: chain.fault, divergent: await divergentRows(on().store) }
    }
    const noFaults = { left: 0, fault: undefined, divergent: [] }

    it('F1e: has a bulk job continued by the next one, which does each item once and shows true progress', async () => {
      const numbers = Array.from({ length: items_count }, (_, index) => index + 1)
      const ids = numbers.map(account)
      for (const number of numbers)
        await happens(on().store.events, streamName('account', account(number)), registered(number))
      const bulk = admin('POST', 'bulk-jobs', { task: 'update_user_flags', user_ids: ids, add_flags: [flag] })
      const { job_id: id } = withJobId.parse((await ask(bulk)).body)
      const done = async () =>
        Number((await query('select done from background_jobs.jobs where job_id = $1', [id]))[0]?.['done'])
      let seen = 0
      for (let kill = 0; kill < kills_count; kill += 1) {
        await expect.poll(done, { interval: 5, timeout: patience_ms }).toBeGreaterThan(seen)
        await restart()
        const { progress_current: shown, status } = await jobOf(id)
        const flagged = await countOf(on().test, 'FlagsChanged')
        expect(['queued', 'running']).toContain(status)
        expect(shown).toBeGreaterThan(seen)
        expect(shown).toBeLessThanOrEqual(flagged)
        seen = shown
      }
      await expect.poll(async () => (await jobOf(id)).status).toBe('succeeded')
      expect(await jobOf(id)).toMatchObject({ progress_current: items_count, result: { changed: items_count } })
      const changed = (await wholeHistory(on().store)).flatMap(({ type, stream }) =>
        type === 'FlagsChanged' ? [stream] : [],
      )
      const recorded = (await entries())
        .filter(({ action }) => action === 'update_flags')
        .map(({ targetId }) => targetId)
      const summaries = (await entries()).filter(({ action }) => action === 'bulk_update_user_flags')
      const { ms, ...found } = await faults()
      noteFault('F1e', {
        title: 'One process killed within a bulk job',
        runs: kills_count,
        lost: items_count - new Set(changed).size + items_count - new Set(recorded).size,
        repeated: changed.length - new Set(changed).size + recorded.length - new Set(recorded).size,
        reordered: 0,
        divergent: found.divergent.length,
        stuck_s: on().stuck_s + ms / 1000,
        note: `${items_count} accounts; a process starts in the time`,
      })
      expect(changed.toSorted()).toStrictEqual(ids.map((each) => `account-${each}`).toSorted())
      expect(recorded.toSorted()).toStrictEqual([...ids].toSorted())
      expect(summaries).toHaveLength(1)
      const outcomes = await query(
        'select item_id::text as id from background_jobs.outcomes where job_id = $1 order by position',
        [id],
      )
      expect(outcomes.map((row) => row['id'])).toStrictEqual(ids)
      expect(found).toStrictEqual(noFaults)
    })

    it('F1f: leaves each act whole and recorded once, no session to who is banned or to be deleted, and stored answers', async () => {
      const cast = await setTheScene()
      const { banned, lifted, scheduled, cancelled, dueAt, reporter } = cast
      const acts = {
        temp_ban: ban(banned),
        unban: admin('DELETE', `users/${lifted.id}/ban`),
        schedule_deletion: schedule(scheduled),
        cancel_deletion: cancel(cancelled, dueAt),
      }
      const bulk = { task: 'update_user_flags', user_ids: [banned.id, lifted.id], add_flags: [String(2 ** 41)] }
      const posts = {
        bulk: { request: admin('POST', 'bulk-jobs', bulk), key: randomUUID() },
        archive: {
          request: admin('POST', `users/${reporter.id}/archives`, { include_attachments: false }),
          key: randomUUID(),
        },
      }
      await killWhileAnswersAreHeld(() => [
        ...Object.values(acts).map((request) => ask(request)),
        ...Object.values(posts).map(({ request, key }) => ask(request, key)),
      ])
      const { ms, ...found } = await faults()
      expect(found).toStrictEqual(noFaults)

      for (const person of [banned, scheduled]) {
        expect(await query('select 1 from accounts.sessions where account_id = $1', [person.id])).toStrictEqual([])
        expect(await ask(currentUser(person))).toMatchObject({ status: 401 })
        expect(await ask(login(person))).toMatchObject({ status: 403 })
      }
      for (const person of [lifted, cancelled]) expect(await ask(login(person))).toMatchObject({ status: 200 })

      // A repeat without a key is another request: it finds the act done.
      expect(await ask(acts.temp_ban)).toMatchObject({ status: 200 })
      expect(await ask(acts.unban)).toMatchObject({ status: 200 })
      expect(await ask(acts.schedule_deletion)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
      expect(await ask(acts.cancel_deletion)).toMatchObject({ status: 400, body: { code: 'NO_PENDING_DELETION' } })
      const repeated = await Promise.all(
        Object.values(posts).map(async ({ request, key }) => {
          const answer = await ask(request, key)
          expect(answer.status).toBe(200)
          expect(await ask(request, key)).toStrictEqual(answer)
          return answer.body
        }),
      )
      const { job_id: jobId } = withJobId.parse(repeated[0])
      const { archive_id: archiveId } = withArchiveId.parse(repeated[1])
      await expect.poll(async () => (await jobOf(jobId)).status).toBe('succeeded')
      const archives = () =>
        query(
          'select archive_id::text as id, completed_at is not null as ok from archives.archives where subject_id = $1',
          [reporter.id],
        )
      await expect.poll(archives).toStrictEqual([{ id: archiveId, ok: true }])
      // The parts of one turn, and nothing of another.
      expect(readdirSync(path.join(on().dataDir, 'media', 'archives', reporter.id, archiveId))).toHaveLength(1)

      const recorded = (await entries()).map(({ action, targetId }) => `${action} ${targetId}`)
      const wanted = [
        // The repeats of these two are recorded as well.
        ...[1, 2].flatMap(() => [`temp_ban ${banned.id}`, `unban ${lifted.id}`]),
        `schedule_deletion ${scheduled.id}`,
        `cancel_deletion ${cancelled.id}`,
        `trigger_user_archive ${reporter.id}`,
        ...[banned, lifted].map(({ id }) => `update_flags ${id}`),
      ]
      const about = recorded.filter((entry) => wanted.includes(entry))
      const jobs = await query(`select 1 from background_jobs.jobs where work is null and payload ->> 'count' = '2'`)
      noteFault('F1f', {
        title: 'One process killed within administrators’ acts',
        runs: Object.keys(acts).length + Object.keys(posts).length,
        lost: wanted.length - about.length,
        repeated: new Set(about).size - new Set(wanted).size + jobs.length - 1,
        reordered: 0,
        divergent: found.divergent.length,
        stuck_s: on().stuck_s + ms / 1000,
        note: 'bans, deletions, a bulk job and an archive; a process starts in the time',
      })
      expect(about.toSorted()).toStrictEqual(wanted.toSorted())
      expect(jobs).toHaveLength(1)
      const { ms: _, ...after } = await faults()
      expect(after).toStrictEqual(noFaults)
    })

    const ban = ({ id }: Person) => admin('PUT', `users/${id}/ban`, { duration_hours: 2 })
    const schedule = ({ id }: Person) => admin('PUT', `users/${id}/deletion`, { reason_code: 3, notify_user: false })
    const cancel = ({ id }: Person, dueAt: string) =>
      admin('DELETE', `users/${id}/deletion`, { expected_pending_deletion_at: dueAt })
    const login = ({ email }: { readonly email: string }): ApiRequest => ({
      method: 'POST',
      path: '/v1/auth/login',
      body: { email, password },
      parse: plain,
    })

    /** One of each: banned, with a ban to lift, to be deleted and reported twice, with a deletion to cancel, and a reporter. */
    async function setTheScene() {
      const { url } = on().product
      const newcomer = async (username: string) => {
        const person = { ...(await call(url, register(username))), email: `${username}@example.com` }
        await call(url, login(person))
        return person
      }
      const [banned, lifted, scheduled] = [
        await newcomer('banned'),
        await newcomer('lifted'),
        await newcomer('scheduled'),
      ]
      const [cancelled, reporter] = [await newcomer('cancelled'), await newcomer('reporter')]
      await call(url, ban(lifted))
      const { user } = pending.parse(await call(url, schedule(cancelled)))
      for (const { token } of [root, reporter])
        await call(url, {
          method: 'POST',
          path: '/v1/reports/user',
          token,
          body: { user_id: scheduled.id, category: 'harassment' },
          parse: plain,
        })
      return { banned, lifted, scheduled, cancelled, reporter, dueAt: user.pending_deletion_at }
    }

    /** What an act appends before its answer waits for the read models. */
    const beforeAnswers = {
      AccountBanned: 1,
      AccountBanLifted: 1,
      AccountDeletionScheduled: 1,
      ReportResolved: 2,
      AccountDeletionCancelled: 1,
      // Of the requests that append nothing else.
      AdminActionRecorded: 2,
    } as const
    const typesBeforeAnswers = Object.keys(beforeAnswers) as readonly (keyof typeof beforeAnswers)[]

    /** Answers wait for the read models. While these are held still, everything is appended and nothing answered. */
    async function killWhileAnswersAreHeld(begin: () => readonly Promise<unknown>[]): Promise<void> {
      const counts = () =>
        Promise.all(typesBeforeAnswers.map(async (type) => [type, await countOf(on().test, type)] as const))
      const before = new Map(await counts())
      // The bulk job may have begun, and appends more.
      const lacking = async () =>
        (await counts()).filter(([type, count]) => count - (before.get(type) ?? 0) < beforeAnswers[type])
      const client = await on().test.database.pool.connect()
      try {
        await client.query('begin; lock table read_models.checkpoints in exclusive mode')
        const answers = begin().map((answer) => answer.catch((error: unknown) => error))
        await expect.poll(lacking).toStrictEqual([])
        await on().product.kill()
        for (const answer of await Promise.all(answers)) expect(answer).toBeInstanceOf(Error)
      } finally {
        await client.query('rollback')
        client.release()
      }
      await restart()
    }
  })
}
