import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inProcessDeferredTasks } from '../../../adapters/jobs/in-process-deferred-tasks.ts'
import { postgresBackgroundJobs } from '../../../adapters/background-jobs/postgres-background-jobs.ts'
import { postgresBackgroundWork } from '../../../adapters/background-jobs/postgres-background-work.ts'
import { adminAuditLog } from '../../../application/administration/audit/admin-audit-log.ts'
import type { BulkWishes } from '../../../application/administration/bulk/bulk-tasks.ts'
import { bulkWork } from '../../../application/administration/bulk/bulk-work.ts'
import { queueBulkJob } from '../../../application/administration/bulk/queue-bulk-job.ts'
import { runBackgroundJob } from '../../../application/administration/jobs/run-background-job.ts'
import { applyForDiscovery } from '../../../application/communities/discovery/apply-for-discovery.ts'
import { reportId, type AccountId, type BackgroundJobId } from '../../../domain/ids/ids.ts'
import type { ReportCategory } from '../../../domain/report/categories.ts'
import { chessListing } from '../../operations/support/discovery.ts'
import { world, type World } from '../../application/support/world.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'
import { mortal, never } from './mortal-worker.ts'

let the: TestDatabase
beforeAll(async () => {
  the = await migratedDatabase()
})
afterAll(() => the.close())

/** Attempts that a job survives. */
const deaths_max = 6

/** Lets a worker take the job; gives how many steps it took. */
async function work(on: World, jobId: BackgroundJobId, step = never): Promise<number> {
  await the.database.pool.query('update background_jobs.jobs set run_at = now() where job_id = $1', [jobId])
  const { of, signal, steps } = mortal(step)
  const { account, guild, discoveryApplication, report } = on.ports.aggregates
  const aggregates = {
    ...on.ports.aggregates,
    account: { ...account, execute: of(account.execute) },
    guild: { ...guild, execute: of(guild.execute) },
    discoveryApplication: { ...discoveryApplication, execute: of(discoveryApplication.execute) },
    report: { ...report, execute: of(report.execute) },
  }
  const mail = { ...on.ports.mail, send: of(on.ports.mail.send) }
  // What a dead worker could not do is no failure.
  const deferred = inProcessDeferredTasks((error) => {
    if (!signal.aborted) throw error
  })
  const log = adminAuditLog(on.ports)
  const records = postgresBackgroundWork(the.database)
  const run = runBackgroundJob({
    work: { ...records, progress: of(records.progress), succeed: of(records.succeed) },
    tasks: bulkWork({ ...on.ports, aggregates, mail, deferred, adminAudit: { ...log, record: of(log.record) } }),
    now: () => on.now,
  })
  await run(jobId, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  // The projector goes on without the worker.
  await on.ports.readModels.reached(0n)
  return steps()
}

const jobs = () => postgresBackgroundJobs(the.database)

async function queue(on: World, root: AccountId, wishes: BulkWishes): Promise<BackgroundJobId> {
  const caller = await on.as(root)
  const asRoot = { ...caller, account: { ...caller.account, acls: ['*'] } }
  return (await queueBulkJob({ backgroundJobs: jobs() })(asRoot, wishes)).job_id
}

interface Reporting {
  readonly reporter: AccountId
  readonly reported: AccountId
  readonly category: ReportCategory
}

async function report(on: World, { reporter, reported, category }: Reporting): Promise<void> {
  const { context } = await on.as(reporter)
  const id = reportId(context.newId())
  const nothing = { guild: null, channel: null, messageId: null, guildContextId: null, inviteCode: null }
  const filed = {
    reportId: id,
    reporterId: reporter,
    category,
    reported: { kind: 'user', accountId: reported, ...nothing },
    additionalInfo: null,
    reportedAt: on.now,
  } as const
  await on.ports.aggregates.report.execute(id, { type: 'FileReport', filed, evidence: null }, context)
  await on.ports.readModels.reached(context.written)
}

async function stage() {
  await the.database.pool.query('delete from background_jobs.jobs')
  const on = world()
  const [root, ada, brian] = [await on.newcomer(), await on.newcomer(), await on.newcomer()]
  const { id: guild } = await on.guildOf(ada)
  await applyForDiscovery(on.ports)(await on.as(ada), guild, chessListing)
  for (const [reporter, category] of [
    [root, 'spam'],
    [brian, 'harassment'],
    [brian, 'child_safety'],
  ] as const)
    await report(on, { reporter, reported: ada, category })
  const unknown = '7' as AccountId
  const tasks = {
    update_user_flags: {
      task: 'update_user_flags',
      dryRun: false,
      ids: [ada, unknown, brian],
      act: { add: ['1'], remove: [] },
    },
    schedule_user_deletion: {
      task: 'schedule_user_deletion',
      dryRun: false,
      ids: [ada, unknown, brian],
      act: { reasonCode: 3, days: 60, publicReason: null, notifiesHolder: true },
    },
    update_guild_features: {
      task: 'update_guild_features',
      dryRun: false,
      ids: [guild],
      act: { add: ['VERIFIED', 'DISCOVERABLE'], remove: [] },
    },
  } as const satisfies Record<string, BulkWishes>
  return { on, root, ada, brian, tasks }
}

/** What happened by jobs, without ids and times: the types of events with their streams, sorted, and the entries. */
async function happened(on: World) {
  const events = await on.events()
  const changes = events.flatMap(({ type, stream, metadata }) =>
    metadata.adminAction || type.startsWith('Discovery') ? [`${stream} ${type}`] : [],
  )
  const entries = events.flatMap(({ type, data }) => {
    if (type !== 'AdminActionRecorded') return []
    const { entryId, action, targetId, metadata } = data as unknown as Record<string, string>
    return [{ entryId, action, targetId, metadata: JSON.stringify(metadata) }]
  })
  return { changes: changes.toSorted(), entries }
}

/** What became of the reports against each account, in the order of the accounts. */
const resolutionsIn = (entries: Awaited<ReturnType<typeof happened>>['entries']): readonly (string | undefined)[] =>
  entries
    .filter(({ action }) => action === 'auto_resolve_reports_on_deletion')
    .map(({ metadata }) => metadata)
    .toSorted()

const lettersOf = ({ letters }: World): readonly string[] => letters.map(({ template }) => template).toSorted()

const actionsIn = (entries: readonly { readonly action: string | undefined }[]): readonly string[] =>
  entries.map(({ action }) => action ?? '').toSorted()

const outcomesOf = async (jobId: BackgroundJobId) =>
  (await jobs().outcomes(jobId)).map(({ outcome, code }) => [outcome, code])

describe('a bulk job whose worker dies', () => {
  it.each(['update_user_flags', 'schedule_user_deletion', 'update_guild_features'] as const)(
    'between any two steps of %s does each thing once, and records it once',
    async (task) => {
      const whole = await stage()
      const wholeJob = await queue(whole.on, whole.root, whole.tasks[task])
      const steps = await work(whole.on, wholeJob)
      const expected = await happened(whole.on)
      expect(steps).toBeGreaterThan(8)
      if (task === 'schedule_user_deletion') {
        const resolved = { outcome: 'completed', found_count: '2', resolved_count: '2', failed_count: '0' }
        expect(resolutionsIn(expected.entries)).toContain(JSON.stringify({ ...resolved, notified_count: '2' }))
        expect(lettersOf(whole.on).filter((template) => template === 'report_resolved')).toHaveLength(2)
      }
      for (let step = 1; step <= steps; step += 1) {
        const { on, root, tasks } = await stage()
        const jobId = await queue(on, root, tasks[task])
        await work(on, jobId, step)
        // A death after the last step leaves nothing to do.
        await work(on, jobId)
        expect(await jobs().find(jobId)).toMatchObject({ status: 'succeeded' })
        const { changes, entries } = await happened(on)
        expect(
          changes.map((each) => each.replace(/\d+/, '')),
          `step ${step}`,
        ).toStrictEqual(expected.changes.map((each) => each.replace(/\d+/, '')))
        expect(actionsIn(entries), `step ${step}`).toStrictEqual(actionsIn(expected.entries))
        expect(resolutionsIn(entries), `step ${step}`).toStrictEqual(resolutionsIn(expected.entries))
        expect(lettersOf(on), `step ${step}`).toStrictEqual(lettersOf(whole.on))
        expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length)
        expect(await outcomesOf(jobId)).toStrictEqual(await outcomesOfWhole(task))
      }
    },
  )

  it('again and again, in any of its parts, leaves one change and one entry for each account', async () => {
    const { on, root } = await stage()
    const ids: AccountId[] = []
    for (let made = 0; made < 60; made += 1) ids.push(await on.newcomer())
    const wishes = { task: 'update_user_flags', dryRun: false, ids, act: { add: ['1'], remove: [] } } as const
    const jobId = await queue(on, root, wishes)
    for (const step of [5, 60, 110, 130, 104]) await work(on, jobId, step)
    await work(on, jobId)
    expect(await jobs().find(jobId)).toMatchObject({ status: 'succeeded', done: 60, results: { changed: 60 } })
    const { changes: all, entries } = await happened(on)
    const changes = all.filter((each) => each.endsWith(' FlagsChanged'))
    expect(new Set(changes).size).toBe(60)
    expect(changes).toHaveLength(60)
    expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(61)
    expect(entries).toHaveLength(61)
    expect((await jobs().outcomes(jobId)).map(({ id }) => id)).toStrictEqual(ids)
  })

  const outcomesOfWhole = async (task: keyof Awaited<ReturnType<typeof stage>>['tasks']) =>
    task === 'update_guild_features'
      ? [['changed', null]]
      : [
          ['changed', null],
          ['failed', 'UNKNOWN_USER'],
          ['changed', null],
        ]
})

const move = fc.oneof(
  fc.record({ kind: fc.constant('work' as const), job: fc.nat(1), dies: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant('cancel' as const), job: fc.nat(1) }),
  fc.record({ kind: fc.constant('race' as const), job: fc.nat(1), dies: fc.integer({ min: 1, max: 60 }) }),
)

describe('two bulk jobs of the same kind', () => {
  it('do each thing once, whoever dies, resumes, cancels or meets', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: deaths_max }), async (moves) => {
        const { on, root, ada, brian, tasks } = await stage()
        const both = [await queue(on, root, tasks.update_user_flags), await queue(on, root, tasks.update_user_flags)]
        const promised = new Set<BackgroundJobId>()
        const cancel = async (jobId: BackgroundJobId) => {
          if (await jobs().cancel(jobId)) promised.add(jobId)
        }
        for (const each of moves) {
          const jobId = both[each.job]
          if (!jobId) throw new Error('There are two jobs')
          if (each.kind === 'work') await work(on, jobId, each.dies)
          if (each.kind === 'cancel') await cancel(jobId)
          if (each.kind === 'race') await Promise.all([work(on, jobId, each.dies), cancel(jobId)])
        }
        await Promise.all(both.map((jobId) => work(on, jobId)))
        let changed = 0
        for (const jobId of both) {
          const job = await jobs().find(jobId)
          expect(job?.status).toBe(promised.has(jobId) ? 'cancelled' : 'succeeded')
          changed += job?.results?.changed ?? 0
          const done = await jobs().outcomes(jobId)
          expect(done).toHaveLength(job?.done ?? -1)
          if (!promised.has(jobId)) expect(done.map(({ id }) => id)).toStrictEqual([ada, '7', brian])
        }
        const { changes: all, entries } = await happened(on)
        const changes = all.filter((each) => each.endsWith(' FlagsChanged'))
        // Each account changes at most once: by the job that came first.
        expect(new Set(changes).size).toBe(changes.length)
        if (promised.size < 2) expect(changes).toHaveLength(2)
        expect(changed).toBeLessThanOrEqual(changes.length)
        expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length)
        expect(entries.filter(({ action }) => action === 'bulk_update_user_flags').length).toBeGreaterThanOrEqual(
          2 - promised.size,
        )
      }),
      { numRuns: 25 },
    )
  })
})
