import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { adminKeyOf, administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { deletionIsDue, erase, everyRow } from '../../support/erasure.ts'
import { changeEmailAddress } from '../../support/recovery.ts'
import { openServer } from '../../support/scene.ts'
import { correctionsOn, entriesAbout, unknownUser } from './support.ts'

const guildhall = await openServer({})
const { root, ask } = await correctionsOn(guildhall)
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)
const id = expect.stringMatching(/^(?:0|[1-9]\d*)$/)

let ada: TestAccount
let tag: string
beforeEach(async () => {
  ada = await guildhall.register()
  const { username, discriminator } = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))
  tag = `${String(username)}#${String(discriminator)}`
})

type Entry = Readonly<Record<string, unknown>>
const log = (account: Pick<TestAccount, 'id'>, query = '', token = root.token) =>
  ask('GET', account.id, `change-log${query}`, undefined, token)
const entriesIn = (body: Readonly<Record<string, unknown>>) => body['entries'] as readonly Entry[]
const entriesOf = async (account: TestAccount, query = '', token?: string) =>
  entriesIn(bodyOf(await log(account, query, token)))

async function rename({ id: of }: TestAccount, username: string): Promise<string> {
  const { user } = bodyOf(await ask('PATCH', of, 'username', { username }))
  const { discriminator } = user as { readonly discriminator: number }
  return `${username}#${String(discriminator).padStart(4, '0')}`
}

const readdress = async (account: TestAccount, email: string) => {
  expect((await ask('PATCH', account.id, 'email', { email })).status).toBe(200)
}

describe('List user change log', () => {
  it('has no entry of the registration', async () => {
    expect(bodyOf(await log(ada))).toStrictEqual({ entries: [], next_page_token: null })
  })
  it('says who changed what, newest first: the holder, or an administrator', async () => {
    await changeEmailAddress(guildhall, ada, `own.${ada.email}`)
    const renamed = await rename(ada, 'countess')
    await readdress(ada, `given.${ada.email}`)
    const common = { event_id: id, event_at: instant }
    const byAdmin = { ...common, reason: 'admin_action', actor_user_id: root.id }
    expect(await entriesOf(ada)).toStrictEqual([
      { ...byAdmin, field: 'email', old_value: `own.${ada.email}`, new_value: `given.${ada.email}` },
      { ...byAdmin, field: 'fluxer_tag', old_value: tag, new_value: renamed },
      {
        ...common,
        field: 'email',
        old_value: ada.email,
        new_value: `own.${ada.email}`,
        reason: 'user_requested',
        actor_user_id: null,
      },
    ])
  })
  it('names the account of an administrator who uses a key', async () => {
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate', 'user:update:email')
    const changed = await guildhall.request('PATCH', `/v1/admin/users/${ada.id}/email`, {
      headers: { authorization: key },
      body: { email: `key.${ada.email}` },
    })
    expect(changed.status).toBe(200)
    expect(await entriesOf(ada)).toMatchObject([{ reason: 'admin_action', actor_user_id: root.id }])
  })
  it('has a first address, and none where the same address is stored again', async () => {
    const nobody = String(bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))['user_id'])
    const account = { ...ada, id: nobody }
    await readdress(account, `first.${ada.email}`)
    expect((await ask('PUT', nobody, 'email-verification')).status).toBe(200)
    await readdress(account, `First.${ada.email}`)
    expect(await entriesOf(account)).toMatchObject([
      { field: 'email', old_value: null, new_value: `first.${ada.email}` },
    ])
  })
  it('has old values that are the new values before them, in whatever order things change', async () => {
    for (const [index, what] of ['tag', 'mail', 'mail', 'tag', 'mail', 'tag'].entries())
      if (what === 'tag') await rename(ada, `name${index}`)
      else await readdress(ada, `${index}.${ada.email}`)
    const entries = (await entriesOf(ada)).toReversed()
    expect(entries).toHaveLength(6)
    for (const [name, first] of [
      ['email', ada.email],
      ['fluxer_tag', tag],
    ] as const) {
      const own = entries.filter((entry) => entry['field'] === name)
      expect(own.map((entry) => entry['old_value'])).toStrictEqual([
        first,
        ...own.slice(0, -1).map((entry) => entry['new_value']),
      ])
    }
  })
  it('redacts both values of an address for who lacks user:view:email, on the account or on its key', async () => {
    await rename(ada, 'redacted')
    await readdress(ada, `redacted.${ada.email}`)
    const all = await entriesOf(ada)
    const narrow = await administrator(guildhall, 'admin:authenticate', 'user:view:contact_log')
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate', 'user:view:contact_log')
    const byKey = await guildhall.request('GET', `/v1/admin/users/${ada.id}/change-log`, {
      headers: { authorization: key },
    })
    for (const entries of [await entriesOf(ada, '', narrow.token), entriesIn(bodyOf(byKey))]) {
      const redacted = '[redacted]'
      expect(entries).toStrictEqual([{ ...all[0], old_value: redacted, new_value: redacted }, all[1]])
    }
    const without = await administrator(guildhall, 'admin:authenticate', 'user:view:email')
    expectRefusal(await log(ada, '', without.token), 403, 'MISSING_ACL')
  })
})

describe('the pages of the change log', () => {
  it('have a token exactly where they are full, which leads to the changes before', async () => {
    for (const name of ['one', 'two', 'three', 'four']) await rename(ada, name)
    const first = bodyOf(await log(ada, '?limit=3'))
    expect(entriesIn(first)).toHaveLength(3)
    expect(first['next_page_token']).toBe(entriesIn(first).at(-1)?.['event_id'])
    const second = bodyOf(await log(ada, `?limit=3&page_token=${String(first['next_page_token'])}`))
    expect(second).toStrictEqual({ entries: (await entriesOf(ada)).slice(3), next_page_token: null })
    const full = bodyOf(await log(ada, '?limit=4'))
    const empty = await log(ada, `?limit=4&page_token=${String(full['next_page_token'])}`)
    expect(bodyOf(empty)).toStrictEqual({ entries: [], next_page_token: null })
  })
  it('are refused with another limit than 1 to 200, or a token that is no unsigned 64-bit decimal', async () => {
    for (const limit of ['0', '201']) expect((await log(ada, `?limit=${limit}`)).status).toBe(400)
    expect(bodyOf(await log(ada, `?page_token=${2n ** 64n - 1n}`))).toMatchObject({ entries: [] })
    for (const [token, code] of [
      ['x', 'INVALID_FORMAT'],
      ['-1', 'INVALID_FORMAT'],
      ['01', 'INVALID_FORMAT'],
      [String(2n ** 64n), 'INVALID_FORMAT'],
      ['', 'STRING_LENGTH_INVALID'],
      ['1'.repeat(65), 'STRING_LENGTH_INVALID'],
    ] as const)
      expectFields(await log(ada, `?page_token=${token}`), field('page_token', code))
    expect(await entriesAbout(guildhall, ada)).toHaveLength(1)
  })
})

describe('the entry of List user change log', () => {
  it('has the limit and the number of entries, and whether there was a token', async () => {
    await rename(ada, 'audited')
    await log(ada)
    await log(ada, '?limit=7&page_token=0')
    expect((await entriesAbout(guildhall, ada)).slice(-2)).toMatchObject([
      { action: 'list_user_change_log', targetType: 'user', metadata: { limit: '50', entry_count: '1' } },
      { metadata: { limit: '7', entry_count: '0', has_page_token: 'true' } },
    ])
  })
  it('is made for an unknown account too, whose page is empty', async () => {
    const before = (await entriesAbout(guildhall, { id: unknownUser })).length
    expect(bodyOf(await log({ id: unknownUser }))).toStrictEqual({ entries: [], next_page_token: null })
    expect(await entriesAbout(guildhall, { id: unknownUser })).toHaveLength(before + 1)
  })
})

describe('the change log of an erased account', () => {
  it('is empty, and in no table any more', async () => {
    await readdress(ada, `erased.${ada.email}`)
    const renamed = await rename(ada, 'erased_person')
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expect(await entriesOf(ada)).toStrictEqual([])
    const rows = (await everyRow(guildhall)).split('\n')
    expect(rows.filter((row) => row.startsWith('user_change_log.') && row.includes(ada.id))).toStrictEqual([])
    expect(rows.filter((row) => row.startsWith('user_change_log.') && row.includes(renamed))).toStrictEqual([])
  })
})
