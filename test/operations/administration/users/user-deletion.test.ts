import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { msOf, timestamp, type Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { adminKeyOf, administrator, giveAcls } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { asBearer, expectProtocolError, newClient, refresh, tokensFor } from '../../support/oauth2.ts'
import { openServer } from '../../support/scene.ts'
import { deletionsBy, entriesAbout, unknownUser } from './support.ts'
import { expectEnded } from '../../../gateway/support/ended.ts'

/** Schedule user deletion, Cancel user deletion (rules/administration#scheduled-deletions). */

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { schedule, cancel, cancelAt } = deletionsBy(guildhall, root)
const { connect, end } = connections()
afterEach(end)

const day_ms = 24 * 3_600_000
const [requested, other, spam, inactivity] = [1, 2, 3, 19]
let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
})

interface User {
  readonly flags: string
  readonly pending_deletion_at: Timestamp
  readonly deletion_scheduled_at: Timestamp
}
const userIn = (answer: TestAnswer) => bodyOf(answer)['user'] as User
const userOf = async ({ id }: TestAccount, token = root.token) => {
  const { users } = bodyOf(await guildhall.request('GET', `/v1/admin/users/${id}`, { token }))
  return (users as readonly User[])[0]
}
const login = ({ email, password }: TestAccount) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const get = (path: string, token: string) => guildhall.request('GET', path, { token })
const dueIn_days = (user: User) => (msOf(user.pending_deletion_at) - msOf(user.deletion_scheduled_at)) / day_ms
/** What was done to the account, oldest first; reads of it are recorded too. */
const entries = async () => (await entriesAbout(guildhall, ada)).filter(({ action }) => action !== 'get_user')

describe('Schedule user deletion', () => {
  it('stores the deadline, the reasons and the scheduler, and answers with the user', async () => {
    const body = { reason_code: spam, days: 90, public_reason: 'Spam', notify_user: false }
    const before = Date.now()
    const user = userIn(await schedule(ada, body, root.token, { 'X-Audit-Log-Reason': 'seen thrice' }))
    expect(user).toMatchObject({
      id: ada.id,
      flags: accountFlags.DELETED.toString(),
      deletion_reason_code: spam,
      deletion_public_reason: 'Spam',
      deletion_audit_log_reason: 'seen thrice',
      deletion_scheduled_by: root.id,
    })
    expect(dueIn_days(user)).toBe(90)
    expect(msOf(user.deletion_scheduled_at)).toBeGreaterThanOrEqual(before - 1000)
    expect(await userOf(ada)).toStrictEqual(user)
  })

  it.each([
    [requested, 14],
    [other, 60],
    [inactivity, 60],
    [spam, 60],
  ])('for reason %i is due after %i days at the earliest, and after 60 by default', async (reason_code, minimum) => {
    expect(dueIn_days(userIn(await schedule(ada, { reason_code, days: 1 })))).toBe(minimum)
    expect((await entries())[0]?.metadata).toMatchObject({ days: String(minimum) })
    const grace = await guildhall.register()
    expect(dueIn_days(userIn(await schedule(grace, { reason_code })))).toBe(60)
  })

  it('ends the sessions, which hear of nothing else, and lets nobody sign in', async () => {
    const { client } = await connect(guildhall, ada)
    userIn(await schedule(ada, { reason_code: spam }))
    await expectEnded(client)
    expect(client.dispatches.map(({ t }) => t)).not.toContain('USER_UPDATE')
    expectRefusal(await get('/v1/users/@me', ada.token), 401, 'UNAUTHORIZED')
    expectRefusal(await login(ada), 403, 'ACCOUNT_SUSPENDED_PERMANENTLY')
  })

  it('ends tokens of applications for good, and Admin keys for as long as it is pending', async () => {
    const engine = await newClient(guildhall, await guildhall.register())
    const tokens = await tokensFor(guildhall, ada, engine, 'identify email')
    await giveAcls(guildhall, ada, ['*'])
    const key = await adminKeyOf(guildhall, ada, 'admin:authenticate')
    const { pending_deletion_at: dueAt } = userIn(await schedule(ada, { reason_code: other }))
    const asApplication = () => get('/v1/oauth2/userinfo', asBearer(tokens))
    expectRefusal(await asApplication(), 401, 'UNAUTHORIZED')
    expectRefusal(await get('/v1/admin/users/@me', key), 401, 'UNAUTHORIZED')
    expectProtocolError(await refresh(guildhall, engine, tokens.refresh), 'invalid_grant')
    userIn(await cancelAt(ada, dueAt))
    expectRefusal(await asApplication(), 401, 'UNAUTHORIZED')
    expectProtocolError(await refresh(guildhall, engine, tokens.refresh), 'invalid_grant')
    expect((await get('/v1/admin/users/@me', key)).status).toBe(200)
    expect((await login(ada)).status).toBe(200)
  })

  it('replaces the deletion that it names, written in any way, and records what it replaced', async () => {
    const first = userIn(await schedule(ada, { reason_code: spam }))
    const due_ms = msOf(first.pending_deletion_at)
    const again = { reason_code: requested, notify_user: false }
    expectRefusal(await schedule(ada, again), 409, 'CONFLICT')
    const wrong = timestamp(due_ms + 1)
    expectRefusal(await schedule(ada, { ...again, expected_pending_deletion_at: wrong }), 409, 'CONFLICT')
    const named = new Date(due_ms + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    const user = userIn(await schedule(ada, { ...again, expected_pending_deletion_at: named }))
    expect(user).toMatchObject({ deletion_reason_code: requested, deletion_public_reason: null })
    const [, entry, ...more] = (await entries()).filter(({ action }) => action !== 'auto_resolve_reports_on_deletion')
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      metadata: {
        days: '60',
        pending_deletion_at: user.pending_deletion_at,
        notify_user: 'false',
        notification_sent: 'false',
        replaced_pending_deletion_at: first.pending_deletion_at,
        replaced_scheduled_by: root.id,
        replaced_scheduled_at: first.deletion_scheduled_at,
      },
      personalMetadata: { reason_code: '1', replaced_reason_code: '3' },
    })
  })

  it('replaces what the holder has scheduled only if it names that, and signing in cancels it no more', async () => {
    const body = { password: ada.password }
    expect((await guildhall.request('POST', '/v1/users/@me/delete', { token: ada.token, body })).status).toBe(204)
    const { pending_deletion_at: own } = (await userOf(ada)) ?? {}
    expectRefusal(await schedule(ada, { reason_code: spam }), 409, 'CONFLICT')
    userIn(await schedule(ada, { reason_code: spam, expected_pending_deletion_at: own }))
    expect((await entries()).find(({ action }) => action === 'schedule_deletion')?.metadata).toMatchObject({
      replaced_scheduled_by: 'null',
      replaced_scheduled_at: 'null',
    })
    expectRefusal(await login(ada), 403, 'ACCOUNT_SUSPENDED_PERMANENTLY')
  })

  it('is possible for the own account, and for one with broader permissions', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:delete')
    await giveAcls(guildhall, ada, ['*'])
    expect(userIn(await schedule(ada, { reason_code: spam }, lesser.token))).toMatchObject({ id: ada.id })
    expect(userIn(await schedule(lesser, { reason_code: spam }, lesser.token))).toMatchObject({ id: lesser.id })
    expectRefusal(await get('/v1/users/@me', lesser.token), 401, 'UNAUTHORIZED')
  })
})

describe('Cancel user deletion', () => {
  it('clears the schedule, the reasons, the scheduler and both flags', async () => {
    const { pending_deletion_at: dueAt, deletion_scheduled_at: at } = userIn(await schedule(ada, { reason_code: spam }))
    const nothing = {
      flags: '0',
      pending_deletion_at: null,
      deletion_reason_code: null,
      deletion_public_reason: null,
      deletion_audit_log_reason: null,
      deletion_scheduled_by: null,
      deletion_scheduled_at: null,
    }
    expect(userIn(await cancelAt(ada, dueAt))).toMatchObject(nothing)
    expect(await userOf(ada)).toMatchObject(nothing)
    expect((await entries()).at(-1)).toMatchObject({
      action: 'cancel_deletion',
      metadata: {
        cancelled_pending_deletion_at: dueAt,
        cancelled_scheduled_by: root.id,
        cancelled_scheduled_at: at,
        notify_user: 'false',
      },
      personalMetadata: { cancelled_reason_code: '3' },
    })
    expect((await login(ada)).status).toBe(200)
    expectRefusal(await cancelAt(ada, dueAt), 400, 'NO_PENDING_DELETION')
  })

  it('cancels what the holder scheduled, and nothing that is due at another instant', async () => {
    const body = { password: ada.password }
    await guildhall.request('POST', '/v1/users/@me/delete', { token: ada.token, body })
    const { pending_deletion_at: dueAt = timestamp(0) } = (await userOf(ada)) ?? {}
    expectRefusal(await cancelAt(ada, timestamp(msOf(dueAt) - 1)), 409, 'CONFLICT')
    expect(userIn(await cancelAt(ada, dueAt))).toMatchObject({ flags: '0', pending_deletion_at: null })
  })
})

describe('an account that is erased', () => {
  it('refuses both with CONFLICT', async () => {
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expectRefusal(await schedule(ada, { reason_code: other }), 409, 'CONFLICT')
    expectRefusal(await cancelAt(ada, timestamp(0)), 409, 'CONFLICT')
    expect(await entries()).toEqual([])
  })
})

describe('bad input', () => {
  const good = { reason_code: other }
  it.each<readonly [unknown, string]>([
    [{}, 'reason_code'],
    [{ reason_code: 0 }, 'reason_code'],
    [{ reason_code: 23 }, 'reason_code'],
    [{ reason_code: 1.5 }, 'reason_code'],
    [{ reason_code: '2' }, 'reason_code'],
    [{ ...good, days: 0 }, 'days'],
    [{ ...good, days: 366 }, 'days'],
    [{ ...good, days: 1.5 }, 'days'],
    [{ ...good, public_reason: 'x'.repeat(513) }, 'public_reason'],
    [{ ...good, notify_user: 'yes' }, 'notify_user'],
    [{ ...good, expected_pending_deletion_at: 'soon' }, 'expected_pending_deletion_at'],
    [{ ...good, expected_pending_deletion_at: '2026-02-30T00:00:00Z' }, 'expected_pending_deletion_at'],
  ])('schedules nothing for %j', async (body, path) => {
    const answer = await schedule({ id: unknownUser }, body)
    expectRefusal(answer, 400, 'INVALID_FORM_BODY')
    expect(answer.body).toMatchObject({ errors: [{ path }] })
  })

  it('cancels nothing: the deletion has to be named, and a body is required', async () => {
    for (const body of [undefined, {}, { expected_pending_deletion_at: null }, { expected_pending_deletion_at: 5 }])
      expectRefusal(await cancel({ id: unknownUser }, body), 400, 'INVALID_FORM_BODY')
    expectRefusal(await schedule({ id: unknownUser }, undefined), 400, 'INVALID_FORM_BODY')
    expectFields(await schedule({ id: 'x' }, good), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })

  it('names nobody, or comes without the ACL', async () => {
    expectRefusal(await schedule({ id: unknownUser }, good), 404, 'UNKNOWN_USER')
    expectRefusal(await cancelAt({ id: unknownUser }, timestamp(0)), 404, 'UNKNOWN_USER')
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:temp_ban')
    expectRefusal(await schedule(ada, good, lesser.token), 403, 'MISSING_ACL')
    expectRefusal(await cancel(ada, {}, lesser.token), 403, 'MISSING_ACL')
    expectRefusal(await schedule(ada, good, ada.token), 403, 'MISSING_PERMISSIONS')
    expect(await entries()).toEqual([])
  })
})
