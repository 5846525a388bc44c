import { describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal, listOf } from '../operations/support/answers.ts'
import { adminKeyOf, administrator } from '../support/administrators.ts'
import { reportsOn } from '../operations/support/reports.ts'
import { openServer } from '../operations/support/scene.ts'

/** What an administrator may not read is not shown elsewhere either, by an order or by a number. */

const guildhall = await openServer()
const root = await administrator(guildhall, '*')

/** The paths of all members of an answer, however deep; those of all members of a list are one. */
function shapeOf(value: unknown, at = '$'): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const members = Array.isArray(value) ? value.map((each: unknown) => ['', each] as const) : Object.entries(value)
  return [...new Set([at, ...members.flatMap(([name, each]) => shapeOf(each, `${at}.${name}`))])].toSorted()
}

const protectedFields = ['email', 'date_of_birth', 'last_active_ip'] as const

describe('an administrator without the ACLs for personal data', () => {
  it('reads another account with the protected fields empty and the shape unchanged', async () => {
    const bob = await guildhall.register()
    const lesser = await adminKeyOf(guildhall, root, 'acl:set:user')
    const changed = (token: string) =>
      guildhall.request('PUT', `/v1/admin/users/${bob.id}/acls`, { token, body: { acls: [] } })
    const { user: whole } = bodyOf(await changed(root.token))
    const { user: redacted } = bodyOf(await changed(lesser))
    expect(whole).toMatchObject({ email: bob.email, email_verified: true })
    expect(Object.keys(redacted as object)).toEqual(Object.keys(whole as object))
    for (const field of protectedFields) expect(redacted).toMatchObject({ [field]: null })
    expect(redacted).toMatchObject({ email_verified: false, email_bounced: false })
  })

  it('reads objects with the same members whichever ACLs for personal data it holds, in every answer about accounts', async () => {
    const bob = await guildhall.register()
    const path = `/v1/admin/users/${bob.id}`
    bodyOf(await reportsOn(guildhall).reportUser(bob, root))
    const body = { email: `new.${bob.email}` }
    bodyOf(await guildhall.request('PATCH', `${path}/email`, { token: root.token, body }))
    const reports = `/v1/admin/reports?reported_user_id=${root.id}`
    const reads = [path, `/v1/admin/users?user_id=${bob.id}`, `${path}/sessions`, `${path}/change-log`, reports]
    const shapesTo = async (token: string) =>
      Promise.all(reads.map(async (read) => shapeOf(bodyOf(await guildhall.request('GET', read, { token })))))
    const whole = await shapesTo(root.token)
    for (const shape of whole) expect(shape.length).toBeGreaterThan(5)
    const least = [
      'admin:authenticate',
      'user:lookup',
      'user:list:sessions',
      'user:view:contact_log',
      'report:view',
    ] as const
    const personal = ['user:view:email', 'user:view:dob', 'user:view:ip', 'report:view:reporter_pii'] as const
    for (const held of [[], ...personal.map((acl) => [acl])]) {
      const shapes = await shapesTo(await adminKeyOf(guildhall, root, ...least, ...held))
      expect({ held, shapes }).toEqual({ held, shapes: whole })
    }
  })

  it('finds nothing in the audit log by values that it may not read: no search, order or total uses them', async () => {
    const { token } = root
    const search = (query: string) =>
      guildhall.request('GET', `/v1/admin/audit-logs?${query}`, { token }).then((answer) => bodyOf(answer))
    const all = await search('limit=200')
    for (const value of [root.email, root.email.split('@')[0] ?? '', '127.0.0.1'])
      expect(await search(`q=${encodeURIComponent(value)}`)).toMatchObject({ logs: [], total: 0 })
    expect(JSON.stringify(all)).not.toContain(root.email)
  })

  it('finds accounts by nothing that it may not read: no selector, match, order or total uses it', async () => {
    const key = await adminKeyOf(guildhall, root, 'user:lookup')
    const bob = await guildhall.register()
    const users = (query: string) => guildhall.request('GET', `/v1/admin/users?${query}`, { token: key })
    const address = encodeURIComponent(bob.email)
    for (const query of [`email=${address}`, `resolve=${address}`, 'last_active_ip=127.0.0.1'])
      expectRefusal(await users(query), 403, 'MISSING_ACL')
    for (const q of [address, address.slice(0, -4), bob.email.replace('@', '%25'), '%25', '127.0.0.1'])
      expect(bodyOf(await users(`q=${q}`))).toEqual({ users: [], total: 0 })
    const { users: found, total } = bodyOf(await users(`user_id=${bob.id}&email=${address}`))
    expect(total).toBe(1)
    for (const field of protectedFields) expect(found).toMatchObject([{ [field]: null }])
  })

  it('sees nothing of the log without audit_log:view, whatever filter it asks with', async () => {
    const key = await adminKeyOf(guildhall, root, 'user:lookup')
    for (const query of ['', '?q=set_acls', `?admin_user_id=${root.id}`, '?limit=0', '?sort_by=relevance&q=x'])
      expectRefusal(await guildhall.request('GET', `/v1/admin/audit-logs${query}`, { token: key }), 403, 'MISSING_ACL')
  })

  it('lists only the Admin keys that it created itself', async () => {
    await adminKeyOf(guildhall, root, '*')
    const key = await adminKeyOf(guildhall, root, 'admin_api_key:manage')
    const own = listOf(await guildhall.request('GET', '/v1/admin/api-keys', { token: key }))
    expect(new Set(own.map(({ created_by_user_id: id }) => id))).toEqual(new Set([root.id]))
    expect(JSON.stringify(own)).not.toMatch(/gla_|hash/i)
  })
})
