import { describe, expect, it } from 'vitest'
import { createAdminKey } from '../../application/administration/keys/change-admin-keys.ts'
import { requireGrantable } from '../../application/administration/acls/require-grantable.ts'
import { bodyOf, expectRefusal, listOf } from '../operations/support/answers.ts'
import { openProvider, openWith } from '../operations/support/single-sign-on.ts'
import { adminKeyOf, administrator, giveAcls } from '../support/administrators.ts'
import type { TestAnswer } from '../support/test-guildhall.ts'
import { endingActs } from './support/ending-acts.ts'
import { callerOf } from '../support/caller-of.ts'

/** An Admin key that somebody made who had the account is theirs. It ends with all that speaks for the account. */

const provider = await openProvider()
const guildhall = await openWith(provider, {}, { withMailServer: true })
const { request, ports } = guildhall
const root = await administrator(guildhall, '*')

const use = (key: string): Promise<TestAnswer> => request('GET', '/v1/admin/users/@me', { token: key })
const keys = (method: string, path: string, token: string, body?: unknown): Promise<TestAnswer> =>
  request(method, `/v1/admin/api-keys${path}`, { token, ...(body === undefined ? {} : { body }) })
const idIn = (key: string): string => key.split('_')[1] ?? ''

describe('an Admin key', () => {
  it.each(endingActs(guildhall, provider))('ends by $name, and can be made anew', async ({ register, act }) => {
    const holder = await register()
    await giveAcls(guildhall, holder, ['*'])
    const key = await adminKeyOf(guildhall, holder, '*')
    bodyOf(await use(key))
    const token = await act(holder)
    expectRefusal(await use(key), 401, 'UNAUTHORIZED')
    expect(listOf(await keys('GET', '', token))).toEqual([])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expectRefusal(
        await keys(method, `/${idIn(key)}`, token, method === 'PATCH' ? {} : undefined),
        404,
        'ADMIN_API_KEY_NOT_FOUND',
      )
    const next = await adminKeyOf(guildhall, { ...holder, token }, '*')
    bodyOf(await use(next))
    expect(listOf(await keys('GET', '', token)).map(({ key_id: id }) => id)).toEqual([idIn(next)])
  })

  it('that a request in progress makes afterwards is void, and is in no answer', async () => {
    const holder = await administrator(guildhall, '*')
    const late = await callerOf(guildhall, holder)
    const token = await (endingActs(guildhall, provider).at(-1)?.act(holder) ?? '')
    const { key } = await createAdminKey(ports)(late, { name: 'Late', expiresIn_days: null, acls: ['*'] })
    await ports.readModels.reached(late.context.written)
    expectRefusal(await use(`Admin ${key}`), 401, 'UNAUTHORIZED')
    expect(listOf(await keys('GET', '', token))).toEqual([])
    expectRefusal(await keys('GET', `/${idIn(key)}`, token), 404, 'ADMIN_API_KEY_NOT_FOUND')
  })

  it('that has ended gives no ACL to the job that it queued before', async () => {
    const holder = await administrator(guildhall, '*')
    const keyId = idIn(await adminKeyOf(guildhall, holder, '*'))
    const by = { ...(await callerOf(guildhall, holder)), credential: { kind: 'admin_key', keyId } } as const
    await requireGrantable(ports, by, ['user:delete'], 'bulk:update')
    await endingActs(guildhall, provider).at(-1)?.act(holder)
    await expect(requireGrantable(ports, by, ['user:delete'], 'bulk:update')).rejects.toMatchObject({
      refusal: { code: 'MISSING_ACL' },
    })
  })

  it('outlives a new password, and sessions that an administrator terminates', async () => {
    const holder = await administrator(guildhall, '*')
    const key = await adminKeyOf(guildhall, holder, '*')
    const body = { password: holder.password, new_password: 'another password' }
    bodyOf(await request('PATCH', '/v1/users/@me', { token: holder.token, body }))
    bodyOf(await use(key))
    expect((await request('DELETE', `/v1/admin/users/${holder.id}/sessions`, { token: root.token })).status).toBe(200)
    bodyOf(await use(key))
  })
})
