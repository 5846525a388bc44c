import { expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { divergentRows } from '../../../faults/store-checks.ts'
import { verifyChain } from '../../../../application/administration/audit/verify-chain.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { bodyOf } from '../../support/answers.ts'
import { deletionIsDue, erase, everyEvent, everyRow } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'

/** What administrators did to an account that is erased, and what they said of it. */

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const reason = 'shouted at the countess'
const headers = { 'x-audit-log-reason': reason }

function act(method: string, { id }: TestAccount, resource: string, body?: unknown) {
  const path = `/v1/admin/users/${id}${resource}`
  return guildhall.request(method, path, { token: admin.token, headers, ...(body === undefined ? {} : { body }) })
}

const logs = async (query: string) =>
  bodyOf(
    await guildhall.request('GET', `/v1/admin/audit-logs?admin_user_id=${admin.id}${query}`, { token: admin.token }),
  )

/** Does something of each kind to the account: to its own events, its names, its relationships, and what only reads. */
async function actOn(account: TestAccount, friend: TestAccount): Promise<void> {
  const { token } = account
  await guildhall.request('PUT', `/v1/users/@me/relationships/${friend.id}`, { token, body: { type: 2 } })
  const answers = [
    await act('GET', account, ''),
    await act('PATCH', account, '/username', { username: 'countess' }),
    await act('PATCH', account, '/email', { email: `given.${account.email}` }),
    await act('PATCH', account, '/email', { email: friend.email }),
    await act('PUT', account, '/email-verification'),
    await act('DELETE', account, `/relationships/${friend.id}`, { category: 'blocked' }),
  ]
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 200, 200, 204])
}

it('keeps no reason and no address of it, in no table and no event, and the chain holds', async () => {
  const [ada, grace] = [await guildhall.register(), await guildhall.register()]
  await actOn(ada, grace)
  const about = `&target_id=${ada.id}`
  const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)
  expect(entries.map((entry) => entry.reason)).toStrictEqual(entries.map(() => reason))
  expect(await logs(`${about}&q=shouted`)).toMatchObject({ total: 6 })
  expect(await logs(`${about}&q=given.${ada.email}`)).toMatchObject({ total: 2 })
  expect(await everyEvent(guildhall)).toContain(reason)

  await deletionIsDue(guildhall, ada)
  expect(await erase(guildhall, ada)).toBe(true)
  expect((await act('GET', ada, '')).status).toBe(200)
  const [rows, events] = [await everyRow(guildhall), await everyEvent(guildhall)]
  for (const text of [reason, ada.email]) {
    expect(rows).not.toContain(text)
    expect(events).not.toContain(text)
  }
  expect(await logs(`${about}&q=shouted`)).toMatchObject({ total: 0 })
  const { logs: shown } = await logs(about)
  const [newest, ...others] = shown as readonly Readonly<Record<string, unknown>>[]
  expect(newest).toMatchObject({ action: 'get_user', audit_log_reason: null })
  expect(others).toHaveLength(6)
  for (const entry of others) expect(entry['audit_log_reason']).toBeNull()
  expect(others.find((entry) => entry['action'] === 'change_email')).toMatchObject({ metadata: {} })
  expect(others.find((entry) => entry['action'] === 'change_username')).toMatchObject({
    metadata: { new_username: 'countess' },
  })

  const { ports, store } = guildhall
  const now = timestamp(Date.now())
  expect(await verifyChain({ store: store.events, hashOf: ports.adminAuditHash, now })).toMatchObject({
    fault: undefined,
  })
  // Other tests share this server, and leave accounts whose rows no replay makes.
  const ofLogs = (await divergentRows(store)).filter((row) => /^\w+_audit_log:/.test(row))
  expect(ofLogs).toStrictEqual([])
})

it('keeps the reason of what was done to others', async () => {
  const linus = await guildhall.register()
  expect((await act('GET', linus, '')).status).toBe(200)
  const shown = await logs(`&target_id=${linus.id}&q=shouted`)
  expect(shown).toMatchObject({ total: 1, logs: [{ action: 'get_user', audit_log_reason: reason }] })
})
