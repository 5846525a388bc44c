import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administrator, adminKeyOf, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount, TestGuildhall } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

let guildhall: TestGuildhall
let admin: TestAccount

beforeAll(async () => {
  guildhall = await openServer({})
  admin = await administrator(guildhall, '*')
})
afterAll(() => guildhall.close())

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const onUser = (id: string, method: Method, of: string, body?: object) =>
  guildhall.request(method, `/v1/admin/users/${id}/${of}`, { token: admin.token, ...(body && { body }) })
const undo = (entry: string, { token = admin.token, query = '', body = {} } = {}) =>
  guildhall.request('POST', `/v1/admin/history/undo/${entry}${query}`, { token, body })

async function newestEntry(id: string) {
  const entry = (await auditEntries(guildhall)).findLast(({ targetId }) => targetId === id)
  if (!entry) throw new Error(`nothing is recorded about ${id}`)
  return entry
}

/** The account as its aggregate has it. */
async function stateOf(id: string) {
  const answer = await guildhall.request('GET', `/v1/admin/history/streams/account-${id}?reveal=true`, {
    token: admin.token,
  })
  return bodyOf(answer)['state'] as Readonly<Record<string, unknown>>
}

/** Acts on a new account; gives the account and its act's entry. */
async function acted(method: Method, of: string, body?: object) {
  const { id } = await guildhall.register()
  const before = await stateOf(id)
  const answer = await onUser(id, method, of, body)
  expect([answer.status, answer.body]).toEqual([200, answer.body])
  // A scheduled deletion leaves a second entry, about what follows from it.
  const entry = (await auditEntries(guildhall)).find(({ targetId }) => targetId === id)
  return { id, before, entry: entry?.entryId ?? '' }
}

interface Act {
  readonly operation: string
  readonly action: string
  readonly method: Method
  readonly of: string
  readonly body: object
  /** The member of the account that the act changes. */
  readonly member: string
}

const acts: readonly Act[] = [
  {
    operation: 'Lift ban',
    action: 'unban',
    method: 'PUT',
    of: 'ban',
    body: { duration_hours: 1 },
    member: 'bannedUntil',
  },
  {
    operation: 'Cancel user deletion',
    action: 'cancel_deletion',
    method: 'PUT',
    of: 'deletion',
    body: { reason_code: 3 },
    member: 'deletion',
  },
  {
    operation: 'Update user flags',
    action: 'update_flags',
    method: 'PATCH',
    of: 'flags',
    body: { add_flags: ['6'] },
    member: 'flags',
  },
  {
    operation: 'Update user premium flags',
    action: 'update_premium_flags',
    method: 'PATCH',
    of: 'premium-flags',
    body: { add_flags: [32] },
    member: 'premiumFlags',
  },
  {
    operation: 'Set user traits',
    action: 'set_traits',
    method: 'PUT',
    of: 'traits',
    body: { traits: ['beta'] },
    member: 'traits',
  },
  {
    operation: 'Set user ACLs',
    action: 'set_acls',
    method: 'PUT',
    of: 'acls',
    body: { acls: ['admin:authenticate'] },
    member: 'acls',
  },
  {
    operation: 'Set user bot status',
    action: 'set_bot_status',
    method: 'PUT',
    of: 'bot-status',
    body: { bot: true },
    member: 'bot',
  },
  {
    operation: 'Change user date of birth',
    action: 'change_dob',
    method: 'PATCH',
    of: 'date-of-birth',
    body: { date_of_birth: '1980-01-31' },
    member: 'dateOfBirth',
  },
]

describe('to undo an entry of the admin audit log', () => {
  it.each(acts)(
    'gives back what the account had, by $operation',
    async ({ operation, action, method, of, body, member }) => {
      const { id, before, entry } = await acted(method, of, body)
      expect((await stateOf(id))[member]).not.toEqual(before[member])
      const answer = await undo(entry)
      expect([answer.status, answer.body]).toEqual([
        200,
        { undone_entry_id: entry, operations: [operation], replaced_until: null },
      ])
      expect((await stateOf(id))[member]).toEqual(before[member])
      expect(await newestEntry(id)).toMatchObject({ action, adminId: admin.id, metadata: { undone_entry_id: entry } })
    },
  )

  it.each(acts)('says what came since where that stands in the way of $operation', async ({ method, of, body }) => {
    const { id, entry } = await acted(method, of, body)
    await undo(entry)
    const { entryId: later } = await newestEntry(id)
    const again = await undo(entry)
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: 'CONFLICT', reason: 'changed_since', changed_by: { stream: `account-${id}`, audit_log_id: later } },
    ])
    expect((await newestEntry(id)).entryId).toBe(later)
  })

  it('leaves what others changed since, as long as it is not the same', async () => {
    const { id, entry } = await acted('PATCH', 'flags', { add_flags: ['6'] })
    await onUser(id, 'PATCH', 'flags', { add_flags: ['8'] })
    await onUser(id, 'PUT', 'traits', { traits: ['later'] })
    expect((await undo(entry)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ flags: '8', traits: ['later'] })
  })

  it('says of a replaced ban that it does not come back', async () => {
    const { id } = await acted('PUT', 'ban', { duration_hours: 5 })
    const first = await stateOf(id)
    await onUser(id, 'PUT', 'ban', { duration_hours: 9 })
    const answer = await undo((await newestEntry(id)).entryId)
    expect(answer.body).toMatchObject({ replaced_until: first['bannedUntil'] })
  })

  it('is done by one of several who undo an entry at the same moment, and refused to the others', async () => {
    const entries = await Promise.all(
      Array.from({ length: 5 }, async () => acted('PATCH', 'flags', { add_flags: ['6'] })),
    )
    const rounds = entries.map(async ({ entry }) => Promise.all([undo(entry), undo(entry), undo(entry)]))
    for (const answers of await Promise.all(rounds))
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
  })

  it('undoes an undoing', async () => {
    const { id, entry } = await acted('PUT', 'traits', { traits: ['beta'] })
    await undo(entry)
    expect((await undo((await newestEntry(id)).entryId)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ traits: ['beta'] })
  })

  it('foretells with dry_run, and changes nothing', async () => {
    const { id, entry } = await acted('PUT', 'traits', { traits: ['beta'] })
    const { status, body } = await undo(entry, { query: '?dry_run=true' })
    expect([status, body]).toMatchObject([
      200,
      {
        status: 200,
        events: [{ type: 'TraitsSet' }, { type: 'AdminActionRecorded' }],
        audit_entries: [{ action: 'set_traits', target_id: id, metadata: { undone_entry_id: entry } }],
      },
    ])
    expect(await stateOf(id)).toMatchObject({ traits: ['beta'] })
    expect((await newestEntry(id)).entryId).toBe(entry)
  })

  it('answers the same to a request that comes twice with one Idempotency-Key, and acts once', async () => {
    const { entry } = await acted('PUT', 'traits', { traits: ['beta'] })
    const ask = () =>
      guildhall.request('POST', `/v1/admin/history/undo/${entry}`, {
        token: admin.token,
        body: {},
        headers: { 'idempotency-key': `undo-${entry}` },
      })
    const [first, again] = [await ask(), await ask()]
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
  })

  it('needs the ACL of the opposite besides the one of the log', async () => {
    const { id, entry } = await acted('PUT', 'traits', { traits: ['beta'] })
    const reader = await adminKeyOf(guildhall, admin, 'admin:authenticate', 'audit_log:view')
    const writer = await adminKeyOf(guildhall, admin, 'admin:authenticate', 'user:update:traits')
    for (const token of [reader, writer])
      expect(await undo(entry, { token })).toMatchObject({ status: 403, body: { code: 'MISSING_ACL' } })
    expect(await stateOf(id)).toMatchObject({ traits: ['beta'] })
    const both = await adminKeyOf(guildhall, admin, 'admin:authenticate', 'audit_log:view', 'user:update:traits')
    expect((await undo(entry, { token: both })).status).toBe(200)
  })

  it('is refused for an entry that there is not, that is about no account, and that nothing undoes', async () => {
    expect(await undo('1')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await undo('nonsense')).toMatchObject({ status: 400, body: { errors: [{ path: 'entry_id' }] } })
    await guildhall.request('GET', '/v1/admin/acls', { token: admin.token })
    const listed = (await auditEntries(guildhall)).findLast(({ action }) => action === 'list_admin_acls')
    const { entry: unlike } = await acted('PATCH', 'username', { username: 'renamed_once' })
    expect(await undo(listed?.entryId ?? '')).toMatchObject({
      status: 409,
      body: { reason: 'nothing_to_undo', why: 'It only read.', changed_by: null },
    })
    expect(await undo(unlike)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('The old name') as string, changed_by: null },
    })
  })
})
