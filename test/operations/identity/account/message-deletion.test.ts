import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresBackgroundWork } from '../../../../adapters/background-jobs/postgres-background-work.ts'
import {
  deletingScheduledMessages,
  startDueMessageDeletions,
} from '../../../../application/administration/messages/scheduled-message-deletions.ts'
import { startProcessManagers } from '../../../../process/process-managers.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import { laidDatabase } from '../../../support/test-database.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { writeEverywhere } from '../../support/every-kind-of-channel.ts'
import { shredsOn, writtenBy } from '../../support/message-shreds.ts'
import { sent } from '../../support/messages.ts'
import { foundWith, openServer } from '../../support/scene.ts'

/** Scheduling, withdrawing and cancelling the deletion of all messages (rules/users#delete-all-messages). */

const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection })
const root = await administrator(guildhall, '*')
const { cancelDeletion } = shredsOn(guildhall, root)
const { connect, end } = connections()
const path = '/v1/users/@me/messages/delete'
const day_ms = 24 * 3_600_000
let ada: TestAccount
let home: TestGuild

beforeEach(async () => {
  ada = await guildhall.register()
  home = await foundWith(guildhall, ada, await guildhall.register())
})
afterEach(end)

const schedule = (body: unknown = { password: ada.password }) =>
  guildhall.request('POST', path, { token: ada.token, body })
const withdraw = () => guildhall.request('DELETE', path, { token: ada.token })
const pending = async () =>
  bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))['pending_bulk_message_deletion']
const shownToAdmins = async () => {
  const { users } = bodyOf(await guildhall.request('GET', `/v1/admin/users/${ada.id}`, { token: root.token }))
  const [user] = users as readonly { readonly pending_bulk_message_deletion_at: string | null }[]
  return user?.pending_bulk_message_deletion_at
}
const stateOf = async () => {
  const { state } = await guildhall.ports.aggregates.account.load(accountId(snowflake(ada.id)))
  return state.status === 'registered' ? state.messageDeletion : undefined
}

/** Schedules the deletion for an instant. */
async function scheduleFor(at: number): Promise<void> {
  const context = testContext({ kind: 'account', id: accountId(snowflake(ada.id)) })
  const command = { type: 'ScheduleMessageDeletion', dueAt: timestamp(at), channelCount: 1, messageCount: 1 } as const
  await guildhall.ports.aggregates.account.execute(accountId(snowflake(ada.id)), command, context)
  await guildhall.ports.readModels.reached(context.written)
}

/** What the worker does every ten minutes. */
const startDue = () => startDueMessageDeletions(guildhall.ports)(timestamp(Date.now()))

/** How scheduled deletions ended: one event for each. */
async function ends(): Promise<readonly string[]> {
  const types: string[] = []
  for await (const page of guildhall.store.events.readStream(`account-${ada.id}`, -1))
    types.push(...page.map(({ type }) => type))
  return types.filter((type) => ['MessageDeletionCancelled', 'MessageDeletionFinished'].includes(type))
}

describe('the holder of an account', () => {
  it('schedules the deletion of all own messages for a day later, with what there is now', async () => {
    for (const text of ['one', 'two']) await sent(guildhall, ada, home.channel, text)
    const { client } = await connect(guildhall, ada)
    const before = Date.now()
    expect(await schedule()).toMatchObject({ status: 204, body: undefined })
    const shown = { scheduled_at: expect.any(String), channel_count: 1, message_count: 2 }
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ pending_bulk_message_deletion: shown })
    const held = (await pending()) as { readonly scheduled_at: string }
    expect(held).toStrictEqual(shown)
    expect(Date.parse(held.scheduled_at) - day_ms).toBeGreaterThanOrEqual(before)
    expect(Date.parse(held.scheduled_at) - day_ms).toBeLessThanOrEqual(Date.now())
    expect(await shownToAdmins()).toBe(held.scheduled_at)
  })

  it('replaces the time by asking again', async () => {
    await schedule()
    const first = await stateOf()
    await sent(guildhall, ada, home.channel, 'one')
    await schedule()
    const second = await stateOf()
    expect(second?.messageCount).toBe(1)
    expect(Date.parse(String(second?.dueAt))).toBeGreaterThan(Date.parse(String(first?.dueAt)))
  })

  it('cancels it, also where none is scheduled, and is told each time', async () => {
    await schedule()
    const { client } = await connect(guildhall, ada)
    for (let times = 0; times < 2; times += 1) {
      expect(await withdraw()).toMatchObject({ status: 200, body: { success: true } })
      expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ pending_bulk_message_deletion: null })
    }
    expect(await pending()).toBeNull()
    expect(await shownToAdmins()).toBeNull()
  })

  it('needs sudo mode to schedule it, and none to cancel it', async () => {
    expectRefusal(await schedule({}), 403, 'SUDO_MODE_REQUIRED')
    expect((await withdraw()).status).toBe(200)
  })
})

describe('a scheduled deletion of messages that is due', () => {
  it('deletes what was written before, and leaves later messages; then none is scheduled, and nobody is told', async () => {
    for (const text of ['one', 'two']) await sent(guildhall, ada, home.channel, text)
    const at = Date.now() + 1
    await expect.poll(() => Date.now() > at).toBe(true)
    const later = await sent(guildhall, ada, home.channel, 'later')
    await scheduleFor(at)
    const { client } = await connect(guildhall, ada)
    await startDue()
    await expect.poll(() => writtenBy(guildhall, ada)).toStrictEqual([{ channel_id: home.channel, id: later }])
    await expect.poll(stateOf).toBeNull()
    await expect.poll(pending).toBeNull()
    expect(client.dispatches.map(({ t }) => t)).not.toContain('USER_UPDATE')
  })

  it('deletes as many messages as it counted, in every kind of channel', async () => {
    const places = await writeEverywhere(guildhall, ada, { friend: await guildhall.register(), home })
    const written = await writtenBy(guildhall, ada)
    await schedule()
    const counts = { channel_count: places.length, message_count: written.length }
    expect(await pending()).toMatchObject(counts)
    await scheduleFor(Date.now())
    await startDue()
    await expect.poll(() => writtenBy(guildhall, ada)).toStrictEqual([])
  })

  it('begins one job, however often the worker looks', async () => {
    await sent(guildhall, ada, home.channel, 'one')
    await scheduleFor(Date.now())
    await Promise.all([startDue(), startDue()])
    await startDue()
    await expect.poll(stateOf).toBeNull()
    const jobs = async () => {
      const { rows } = await guildhall.store.database.pool.query<object>(
        `select status, done, payload from background_jobs.jobs
        where task = 'delete_scheduled_messages' and requested_by = $1`,
        [ada.id],
      )
      return rows
    }
    await expect
      .poll(jobs)
      .toStrictEqual([{ status: 'succeeded', done: 1, payload: { user_id: ada.id, requested: 1 } }])
  })

  it('is over at once where there is no message', async () => {
    await scheduleFor(Date.now())
    await startDue()
    expect(await stateOf()).toBeNull()
  })

  it('is found by the worker', async () => {
    await sent(guildhall, ada, home.channel, 'one')
    const managers = await startProcessManagers({
      ports: guildhall.ports,
      connection: kept.connection,
      logger: pino({ level: 'silent' }),
      finishesFirst: false,
      background: {
        work: postgresBackgroundWork(guildhall.store.database),
        tasks: { delete_scheduled_messages: deletingScheduledMessages(guildhall.ports) },
        now: () => timestamp(Date.now()),
      },
      timing: { start_ms: 0, scan_ms: 200, poll_ms: 200, messageDeletions_ms: 200 },
    })
    await scheduleFor(Date.now())
    await expect.poll(() => writtenBy(guildhall, ada)).toStrictEqual([])
    await expect.poll(stateOf).toBeNull()
    await managers.stop()
  })

  it('is not begun before its time', async () => {
    await sent(guildhall, ada, home.channel, 'one')
    await schedule()
    await startDue()
    expect(await writtenBy(guildhall, ada)).toHaveLength(1)
    expect(await stateOf()).not.toBeNull()
  })

  it('has lost its reason once it was cancelled or replaced', async () => {
    const at = Date.now()
    await scheduleFor(at)
    const { hasReason } = deletingScheduledMessages(guildhall.ports)
    const author = accountId(snowflake(ada.id))
    const job = { work: { author, upTo: '1', dueAt: timestamp(at) } } as unknown as Parameters<
      NonNullable<typeof hasReason>
    >[0]
    expect(await hasReason?.(job, timestamp(at))).toBe(true)
    await scheduleFor(at + day_ms)
    expect(await hasReason?.(job, timestamp(at))).toBe(false)
    await scheduleFor(at)
    await withdraw()
    expect(await hasReason?.(job, timestamp(at))).toBe(false)
  })

  it('is either cancelled or carried out where both come at the same moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      await sent(guildhall, ada, home.channel, 'one')
      await scheduleFor(Date.now())
      await Promise.all([startDue(), cancelDeletion(ada)])
      await expect.poll(stateOf).toBeNull()
      expect(await ends()).toHaveLength(round + 1)
      await expect
        .poll(async () => {
          const { rows } = await guildhall.store.database.pool.query(
            `select from background_jobs.jobs where status in ('queued', 'running') and requested_by = $1`,
            [ada.id],
          )
          return rows.length
        })
        .toBe(0)
    }
  })
})

describe('Cancel scheduled message deletion', () => {
  it('clears the schedule and its counts, and tells the holder nothing', async () => {
    await schedule()
    const { client } = await connect(guildhall, ada)
    const { user } = bodyOf(await cancelDeletion(ada))
    expect(user).toMatchObject({ id: ada.id, pending_bulk_message_deletion_at: null })
    expect(await pending()).toBeNull()
    // A dispatch that follows shows that none came before.
    bodyOf(await withdraw())
    await client.dispatch('USER_UPDATE')
    expect(client.dispatches.filter(({ t }) => t === 'USER_UPDATE')).toHaveLength(1)
  })

  it('changes nothing where none is scheduled, and is recorded each time', async () => {
    for (let times = 0; times < 2; times += 1) expect((await cancelDeletion(ada)).status).toBe(200)
    const entry = {
      action: 'cancel_bulk_message_deletion',
      adminId: root.id,
      targetType: 'user',
      targetId: ada.id,
      metadata: {},
    }
    expect((await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)).toMatchObject([entry, entry])
  })

  it('refuses an account that does not exist, and administrators without its ACL', async () => {
    expectRefusal(await cancelDeletion({ id: '1' }), 404, 'UNKNOWN_USER')
    const other = shredsOn(guildhall, await administrator(guildhall, 'admin:authenticate', 'message:delete_all'))
    expectRefusal(await other.cancelDeletion(ada), 403, 'MISSING_ACL')
  })
})
