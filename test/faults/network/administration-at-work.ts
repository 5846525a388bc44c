import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { z } from 'zod'
import { administrator } from '../../support/administrators.ts'
import { call, send, type ApiRequest } from '../../support/load-api.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import { wholeHistory } from '../store-checks.ts'
import { patience_ms } from '../../support/pace.ts'

/** What an administrator does while something is out. */
export interface AdministrationAtWork {
  /**
   * Bans, lifts, schedules and cancels, asks for an archive, and queues a bulk job. Repeats each request as long as it is answered
   * with 503, but not before `over`, and resolves with how many were.
   */
  act(over?: Promise<unknown>): Promise<number>
  /** Waits for the end of all work, and says what is wrong then; empty for nothing. */
  findings(): Promise<readonly string[]>
}

const pause_ms = 200
const look_ms = 250
const items_count = 10

const pending = z.object({ user: z.object({ pending_deletion_at: z.string() }) })
const withJobId = z.object({ job_id: z.string() })
const shownJob = z.object({ job: z.object({ status: z.string(), progress_current: z.int() }) })
const listed = z.object({ archives: z.array(z.object({ completed_at: z.string().nullable() })) })

/** The statuses that end an act. The second one tells that an earlier try was taken although it was refused. */
const ends = { ban: [200], lift: [200], schedule: [200, 409], cancel: [200, 400], archive: [200], bulk: [200] } as const
type Act = keyof typeof ends

/** Registers the accounts that it acts on, and does what it will take back. */
export async function administrationAtWork(guildhall: TestGuildhall): Promise<AdministrationAtWork> {
  const root = await administrator(guildhall, '*')
  const items = await Promise.all(Array.from({ length: items_count }, () => guildhall.register()))
  const on = {
    ban: await guildhall.register(),
    lift: await guildhall.register(),
    schedule: await guildhall.register(),
    cancel: await guildhall.register(),
    archive: await guildhall.register(),
  }
  const admin = (method: ApiRequest['method'], below: string, body?: ApiRequest['body']): ApiRequest => ({
    method,
    path: `/v1/admin/${below}`,
    token: root.token,
    ...(body === undefined ? {} : { body }),
    parse: (answer) => answer,
  })
  const ban = ({ id }: TestAccount) => admin('PUT', `users/${id}/ban`, { duration_hours: 2, notify_user: false })
  const schedule = ({ id }: TestAccount) => admin('PUT', `users/${id}/deletion`, { reason_code: 1, notify_user: false })
  await call(guildhall.url, ban(on.lift))
  const { user } = pending.parse(await call(guildhall.url, schedule(on.cancel)))
  const requests: Readonly<Record<Act, ApiRequest>> = {
    ban: ban(on.ban),
    lift: admin('DELETE', `users/${on.lift.id}/ban`),
    schedule: schedule(on.schedule),
    cancel: admin('DELETE', `users/${on.cancel.id}/deletion`, {
      expected_pending_deletion_at: user.pending_deletion_at,
    }),
    archive: admin('POST', `users/${on.archive.id}/archives`, { include_attachments: false }),
    bulk: admin('POST', 'bulk-jobs', {
      task: 'update_user_flags',
      user_ids: items.map(({ id }) => id),
      add_flags: [String(2 ** 42)],
    }),
  }
  const faults: string[] = []
  let jobId = ''

  async function deliver(act: Act, over: Promise<unknown>): Promise<number> {
    const key = randomUUID()
    const began = performance.now()
    for (let refused = 0; performance.now() - began < patience_ms; refused += 1) {
      const { status, body } = await send(guildhall.url, requests[act], key)
      if (status !== 503) {
        if (!(ends[act] as readonly number[]).includes(status)) faults.push(`${act} was answered with ${status}`)
        if (act === 'bulk' && status === 200) jobId = withJobId.parse(body).job_id
        return refused
      }
      await over
      await sleep(pause_ms)
    }
    faults.push(`${act} was refused all the time`)
    return 0
  }

  /** How often each of these events happened to an account. */
  async function happened(type: string, accounts: readonly TestAccount[]): Promise<readonly number[]> {
    const found = (await wholeHistory(guildhall.store)).filter((event) => event.type === type)
    return accounts.map(({ id }) => found.filter(({ stream }) => stream === `account-${id}`).length)
  }

  return {
    act: async (over = Promise.resolve()) => {
      const refused = await Promise.all(Object.keys(ends).map((act) => deliver(act as Act, over)))
      return refused.reduce((sum, each) => sum + each, 0)
    },
    async findings() {
      const job = async () => shownJob.parse(await call(guildhall.url, admin('GET', `jobs/${jobId}`))).job
      await expect
        .poll(job, { timeout: patience_ms, interval: look_ms })
        .toEqual({ status: 'succeeded', progress_current: items_count })

      const of = `archives?subject_type=user&subject_id=${on.archive.id}`
      const built = async () =>
        listed.parse(await call(guildhall.url, admin('GET', of))).archives.map(({ completed_at: at }) => at !== null)
      await expect.poll(built, { timeout: patience_ms, interval: look_ms }).toEqual([true])

      const once = {
        AccountBanLifted: on.lift,
        AccountDeletionScheduled: on.schedule,
        AccountDeletionCancelled: on.cancel,
      }
      for (const [type, account] of Object.entries(once)) {
        const [count] = await happened(type, [account])
        if (count !== 1) faults.push(`${type} happened ${count} times`)
      }
      const flagged = await happened('FlagsChanged', items)
      if (flagged.some((count) => count !== 1)) faults.push(`flags changed ${flagged.join()} times`)
      for (const account of [on.ban, on.schedule]) {
        const text = 'select 1 from accounts.sessions where account_id = $1'
        const { rowCount } = await guildhall.store.database.pool.query(text, [account.id])
        if (rowCount !== 0) faults.push(`${rowCount} sessions are left to ${account.id}`)
      }
      return faults
    },
  }
}
