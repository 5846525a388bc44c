import { beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'
import { deletionsBy, entriesAbout } from './support.ts'

/**
 * What follows when a deletion is scheduled: mails, blocklisted addresses and reports, and who sees the private reason.
 */

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { schedule, cancel } = deletionsBy(guildhall, root)

const [requested, other, spam, childSafety, inactivity] = [1, 2, 3, 13, 19]
let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
})

const userIn = (answer: Parameters<typeof bodyOf>[0]) => bodyOf(answer)['user'] as Readonly<Record<string, unknown>>
const userOf = async ({ id }: TestAccount, token: string) => {
  const { users } = bodyOf(await guildhall.request('GET', `/v1/admin/users/${id}`, { token }))
  return (users as readonly unknown[])[0]
}
const get = (path: string, token: string) => guildhall.request('GET', path, { token })
const entries = () => entriesAbout(guildhall, ada)

describe('the holder', () => {
  it.each([
    [requested, 'account_deletion_scheduled_requested', /As you have asked/],
    [inactivity, 'account_deletion_scheduled_inactivity', /not been used/],
    [other, 'scheduled_deletion_notification', /have closed your account\./],
    [spam, 'account_scheduled_deletion', /broke the rules/],
  ])('is mailed for reason %i with the template %s', async (reason_code, notification_template, what) => {
    const headers = { 'X-Audit-Log-Reason': 'the private one' }
    userIn(await schedule(ada, { reason_code, public_reason: 'We wrote twice.' }, root.token, headers))
    const { text } = await guildhall.mailTo(ada.email)
    expect(text).toMatch(what)
    expect(text).toContain('We wrote twice.')
    expect(text).not.toContain('the private one')
    const [entry] = await entries()
    expect(entry).toMatchObject({ metadata: { notify_user: 'true', notification_sent: 'false' } })
    expect(entry).toMatchObject({ personalMetadata: { notification_template } })
  })

  it('without an address is not mailed', async () => {
    const { user_id: id } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    userIn(await schedule({ ...ada, id: String(id) }, { reason_code: other }))
    const unmailed = await entriesAbout(guildhall, { id: String(id) })
    expect(unmailed[0]?.metadata).toMatchObject({ notify_user: 'true', notification_sent: 'false' })
    expect(unmailed[0]).toHaveProperty('personalMetadata', { reason_code: '2' })
  })

  it('is not mailed where mails fail: the schedule is kept', async () => {
    const failing = vi.spyOn(guildhall.ports.mail, 'deliver').mockRejectedValueOnce(new Error('No mails today'))
    userIn(await schedule(ada, { reason_code: other }))
    failing.mockRestore()
    const [entry] = await entries()
    expect(entry?.metadata).toMatchObject({ notify_user: 'true', notification_sent: 'false' })
    expect(entry).toMatchObject({ personalMetadata: { notification_template: 'scheduled_deletion_notification' } })
    expect(await userOf(ada, root.token)).toMatchObject({ deletion_reason_code: other })
  })

  it('is mailed of the cancellation only if that is wished, never with the header’s reason', async () => {
    const { pending_deletion_at: dueAt } = userIn(await schedule(ada, { reason_code: other, notify_user: false }))
    const body = { expected_pending_deletion_at: dueAt, notify_user: true }
    userIn(await cancel(ada, body, root.token, { 'X-Audit-Log-Reason': 'a mistake' }))
    const { subject, text } = await guildhall.mailTo(ada.email)
    expect(subject).toContain('will not be deleted')
    expect(text).not.toContain('a mistake')
  })
})

describe('what follows from the reason', () => {
  const registers = async (email: string) => {
    const body = { email, username: 'newcomer', password: 'a password that is long' }
    return guildhall.request('POST', '/v1/auth/register', { body })
  }
  it('is a blocklisted address, except for USER_REQUESTED', async () => {
    const listed = async ({ email }: TestAccount) =>
      bodyOf(await get(`/v1/admin/blocklists/email/entries/${encodeURIComponent(email)}`, root.token))
    const reasonOf = async ({ email }: TestAccount) => {
      const page = bodyOf(await get('/v1/admin/blocklists/email/entries?limit=100', root.token))
      const found = page['items'] as readonly { readonly value: string; readonly reason: string }[]
      return found.find((entry) => entry.value === email)?.reason
    }
    const [grace, brian] = [await guildhall.register(), await guildhall.register()]
    userIn(await schedule(ada, { reason_code: requested }))
    expect(await listed(ada)).toStrictEqual({ banned: false })
    userIn(await schedule(grace, { reason_code: childSafety }))
    userIn(await schedule(brian, { reason_code: other }, root.token, { 'X-Audit-Log-Reason': 'a pest' }))
    expect(await listed(grace)).toStrictEqual({ banned: true })
    expect(await reasonOf(grace)).toContain('CHILD_SAFETY_VIOLATION')
    expect(await reasonOf(brian)).toBe('a pest')
    expect((await registers(grace.email)).status).toBeGreaterThanOrEqual(400)
  })

  it('is a second entry for reasons that resolve reports, even if there are none', async () => {
    userIn(await schedule(ada, { reason_code: spam }))
    const [first, second, ...more] = await entries()
    expect([first?.action, more]).toEqual(['schedule_deletion', []])
    expect(second).toMatchObject({
      action: 'auto_resolve_reports_on_deletion',
      adminId: root.id,
      targetType: 'user',
      metadata: {
        outcome: 'completed',
        found_count: '0',
        resolved_count: '0',
        failed_count: '0',
        notified_count: '0',
      },
    })
    for (const reason_code of [requested, other, childSafety, inactivity]) {
      ada = await guildhall.register()
      userIn(await schedule(ada, { reason_code }))
      expect((await entries()).map(({ action }) => action)).toEqual(['schedule_deletion'])
    }
  })
})

describe('the private reason', () => {
  it('needs audit_log:view', async () => {
    const headers = { 'X-Audit-Log-Reason': 'between us' }
    userIn(await schedule(ada, { reason_code: other }, root.token, headers))
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'user:delete')
    const auditor = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'audit_log:view')
    expect(await userOf(ada, lesser.token)).toMatchObject({ deletion_audit_log_reason: null })
    expect(await userOf(ada, auditor.token)).toMatchObject({ deletion_audit_log_reason: 'between us' })
  })
})
