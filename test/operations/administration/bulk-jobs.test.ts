import { beforeEach, describe, expect, it } from 'vitest'
import { accountFlags } from '../../../domain/account/flags.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { adminKeyOf, administrator } from '../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { bulkJobsOn, recordedOf } from '../support/bulk-jobs.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()
let root: TestAccount
let bulk: ReturnType<typeof bulkJobsOn>
let ada: TestAccount
let brian: TestAccount

beforeEach(async () => {
  root = await administrator(guildhall, '*')
  bulk = bulkJobsOn(guildhall, root)
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
})

const { STAFF, PARTNER } = accountFlags
const flagsOf = async ({ id }: TestAccount) => {
  const { users } = bodyOf(await guildhall.request('GET', `/v1/admin/users/${id}`, { token: root.token }))
  return (users as readonly { readonly flags: string }[])[0]?.flags
}
/** Oldest first, without what was read. */
const entries = () => recordedOf(guildhall, root)
const jobsOfRoot = async () => {
  const path = `/v1/admin/jobs?requested_by_user_id=${root.id}`
  return bodyOf(await guildhall.request('GET', path, { token: root.token }))['jobs'] as readonly unknown[]
}

describe('Queue bulk job: update_user_flags', () => {
  const wish = (ids: readonly string[], more: object = {}) => ({
    task: 'update_user_flags',
    user_ids: ids,
    add_flags: [STAFF.toString()],
    ...more,
  })

  it('updates each account as Update user flags does, and says what each came to', async () => {
    await bulk.done(wish([brian.id]))
    const job = await bulk.done(wish([ada.id, brian.id, '7', ada.id], { remove_flags: [PARTNER.toString()] }))
    expect(job).toMatchObject({
      task_type: 'update_user_flags',
      status: 'succeeded',
      progress_current: 3,
      progress_total: 3,
      requested_by_user_id: root.id,
      payload: { count: 3, dry_run: 'false', add_flags: STAFF.toString(), remove_flags: PARTNER.toString() },
      result: {
        done: 3,
        changed: 1,
        unchanged: 1,
        failed: 1,
        items: [
          { id: ada.id, outcome: 'changed', code: null },
          { id: brian.id, outcome: 'unchanged', code: null },
          { id: '7', outcome: 'failed', code: 'UNKNOWN_USER' },
        ],
      },
    })
    for (const account of [ada, brian]) expect(BigInt((await flagsOf(account)) ?? 0) & STAFF).toBe(STAFF)
  })

  it('leaves an entry for each account that it was done to, and one for the job', async () => {
    const { job_id: id } = await bulk.done(wish([ada.id, '7']), { 'X-Audit-Log-Reason': 'a raid' })
    const flags = await flagsOf(ada)
    expect(await entries()).toMatchObject([
      {
        action: 'queue_bulk_job',
        targetType: 'bulk_job',
        targetId: id,
        metadata: { task: 'update_user_flags', entity_count: '2' },
        reason: 'a raid',
      },
      {
        action: 'update_flags',
        credential: 'session',
        targetType: 'user',
        targetId: ada.id,
        metadata: { add_flags: STAFF.toString(), new_flags: flags },
        reason: 'a raid',
      },
      {
        action: 'bulk_update_user_flags',
        targetType: 'bulk_job',
        targetId: id,
        metadata: { task: 'update_user_flags', entity_count: '2' },
      },
    ])
  })

  it('tried dry says what each account would come to, and changes none', async () => {
    await bulk.done(wish([brian.id]))
    const before = await entries()
    const job = await bulk.done(wish([ada.id, brian.id, '7'], { dry_run: true }))
    expect(job).toMatchObject({ status: 'succeeded', result: { done: 3, changed: 1, unchanged: 1, failed: 1 } })
    expect(BigInt((await flagsOf(ada)) ?? 0) & STAFF).toBe(0n)
    const own = (await entries()).slice(before.length)
    expect(own).toMatchObject([{ action: 'queue_bulk_job_dry_run', targetId: job['job_id'] }])
    const real = await bulk.done(wish([ada.id, brian.id, '7']))
    expect(real['result']).toStrictEqual(job['result'])
  })

  it('takes 1000 ids, and none', async () => {
    expect(await bulk.done(wish([]))).toMatchObject({ status: 'succeeded', progress_total: 0, result: { done: 0 } })
    const many = Array.from({ length: 1000 }, (_, index) => `${index + 1}`)
    const answer = await bulk.queue(wish(many, { dry_run: true }))
    expect(await bulk.ended(bodyOf(answer)['job_id'])).toMatchObject({ result: { done: 1000, failed: 1000 } })
  })

  it('is queued once for an Idempotency-Key, also with 1000 accounts', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `${index + 1}`)
    const queue = () => bulk.queue(wish(many, { dry_run: true }), { 'Idempotency-Key': `bulk-${root.id}` })
    const [first, second] = [bodyOf(await queue()), bodyOf(await queue())]
    expect(second).toStrictEqual(first)
    expect(await jobsOfRoot()).toHaveLength(1)
  })

  it('is shown without its items in lists', async () => {
    await bulk.done(wish([ada.id]))
    expect(await jobsOfRoot()).toMatchObject([{ result: { done: 1, changed: 1, unchanged: 0, failed: 0 } }])
    expect(JSON.stringify(await jobsOfRoot())).not.toContain('items')
  })
})

describe('Queue bulk job: schedule_user_deletion', () => {
  const spam = 3
  const wish = (ids: readonly string[], more: object = {}) => ({
    task: 'schedule_user_deletion',
    user_ids: ids,
    reason_code: spam,
    ...more,
  })
  const pendingOf = async ({ id }: TestAccount) => {
    const { users } = bodyOf(await guildhall.request('GET', `/v1/admin/users/${id}`, { token: root.token }))
    return (users as readonly object[])[0]
  }

  it('schedules each, and leaves those alone whose deletion is pending', async () => {
    const tried = await bulk.done(wish([ada.id, brian.id], { dry_run: true }))
    expect(tried).toMatchObject({ result: { changed: 2, failed: 0 } })
    const [first, second] = [
      await bulk.done(wish([ada.id], { public_reason: 'Spam', days_until_deletion: 90 })),
      await bulk.done(wish([ada.id, brian.id, '7'])),
    ]
    expect(first).toMatchObject({ result: { changed: 1 }, payload: { count: 1, days: 90, notify_user: 'true' } })
    expect(JSON.stringify(first)).not.toContain('Spam')
    expect(second['result']).toMatchObject({
      items: [
        { id: ada.id, outcome: 'failed', code: 'CONFLICT' },
        { id: brian.id, outcome: 'changed', code: null },
        { id: '7', outcome: 'failed', code: 'UNKNOWN_USER' },
      ],
    })
    expect(await pendingOf(ada)).toMatchObject({
      deletion_reason_code: spam,
      deletion_public_reason: 'Spam',
      deletion_scheduled_by: root.id,
    })
    expect(
      (await guildhall.request('GET', '/v1/users/@me', { token: brian.token })).status,
      'the sessions are gone',
    ).toBe(401)
  })

  it('records each account twice where the reason resolves reports', async () => {
    await bulk.done(wish([ada.id]))
    const user = await pendingOf(ada)
    expect(await entries()).toMatchObject([
      { action: 'queue_bulk_job' },
      {
        action: 'schedule_deletion',
        targetId: ada.id,
        metadata: {
          days: '60',
          pending_deletion_at: (user as { readonly pending_deletion_at: string }).pending_deletion_at,
          notify_user: 'true',
          notification_sent: 'false',
        },
      },
      { action: 'auto_resolve_reports_on_deletion', targetId: ada.id },
      { action: 'bulk_schedule_deletion' },
    ])
  })
})

describe('Queue bulk job', () => {
  const flags = { task: 'update_user_flags', user_ids: ['7'], add_flags: ['1'] }
  const nothingBegun = async (answer: Promise<TestAnswer>) => {
    const refused = await answer
    expect(await jobsOfRoot()).toStrictEqual([])
    expect(await entries()).toStrictEqual([])
    return refused
  }

  it.each([
    ['a task that is none', { ...flags, task: 'rename_users' }, field('task', 'INVALID_FORMAT')],
    ['no task', { user_ids: [] }, field('task', 'INVALID_FORMAT')],
    [
      '1001 accounts',
      { ...flags, user_ids: Array.from({ length: 1001 }, () => '7') },
      field('user_ids', 'INVALID_FORMAT'),
    ],
    ['an id that is none', { ...flags, user_ids: ['7', 'ada'] }, field('user_ids.1', 'INVALID_SNOWFLAKE_FORMAT')],
    ['65 flags', { ...flags, add_flags: Array.from({ length: 65 }, () => '1') }, field('add_flags', 'INVALID_FORMAT')],
    ['a flag that is none', { ...flags, add_flags: ['staff'] }, field('add_flags.0', 'INVALID_INTEGER_FORMAT')],
    ['a dry run of other text', { ...flags, dry_run: 'no' }, field('dry_run', 'INVALID_FORMAT')],
    [
      'a reason that is none',
      { task: 'schedule_user_deletion', user_ids: [], reason_code: 23 },
      field('reason_code', 'INVALID_FORMAT'),
    ],
    [
      '366 days',
      { task: 'schedule_user_deletion', user_ids: [], reason_code: 3, days_until_deletion: 366 },
      field('days_until_deletion', 'INVALID_FORMAT'),
    ],
    [
      'a feature that is none',
      { task: 'update_guild_features', guild_ids: [], add_features: ['FLYING'] },
      field('add_features.0', 'INVALID_FORMAT'),
    ],
  ])('refuses %s, and begins nothing', async (_, body, refused) => {
    expectFields(await nothingBegun(bulk.queue(body)), refused)
  })

  it('validates the body before the ACL of its task, and asks a key for its own', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'bulk:update:user_flags', 'admin_api_key:manage')
    const asOther = bulkJobsOn(guildhall, other)
    const deletion = { task: 'schedule_user_deletion', user_ids: ['7'] }
    expectRefusal(await asOther.queue(deletion), 400, 'INVALID_FORM_BODY')
    expectRefusal(await asOther.queue({ ...deletion, reason_code: 3 }), 403, 'MISSING_ACL')
    expect((await asOther.queue(flags)).status).toBe(200)
    const authorization = await adminKeyOf(guildhall, other, 'admin:authenticate')
    const byKey = await guildhall.request('POST', '/v1/admin/bulk-jobs', { headers: { authorization }, body: flags })
    expectRefusal(byKey, 403, 'MISSING_ACL')
    expectRefusal(await bulkJobsOn(guildhall, ada).queue(flags), 403, 'MISSING_PERMISSIONS')
  })
})
