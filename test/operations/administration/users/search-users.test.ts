import { beforeEach, describe, expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { deletionIsDue, erase, everyRow } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'
import { askForUsers, freshName, nobody, only, openUserLists } from './user-lists.ts'

/** List users by q, and without a selector. */

const { guildhall, root, narrow, ask, list, tagOf, lastEntryOf } = await openUserLists()
const without = await openServer({ trustedProxies: [] })

let ada: TestAccount
let brian: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
  brian = await guildhall.register()
})

describe('List users by q', () => {
  it('finds a part of a username from three characters on, and its beginning below that, newest first', async () => {
    const name = freshName('Zq_')
    const first = await guildhall.register(`${name}a`)
    const second = await guildhall.register(`x${name}`)
    for (const q of [name, name.toLowerCase(), ` ${name.toUpperCase()} `, name.slice(2, 9)])
      expect(await list({ q })).toEqual(only(second, first))
    expect(await list({ q: name, limit: '1' })).toEqual({ ids: [second.id], total: 2 })
    expect(await list({ q: name, limit: '1', offset: '1' })).toEqual({ ids: [first.id], total: 2 })
    expect(await list({ q: name, offset: '100000' })).toEqual({ ids: [], total: 2 })
    expect((await list({ q: 'zq' })).ids).toContain(first.id)
    expect((await list({ q: 'zq' })).ids).not.toContain(second.id)
    expect((await list({ q: 'z' })).ids).toContain(first.id)
  })
  it('takes wildcards of patterns as they are', async () => {
    const account = await guildhall.register(freshName('Wild_card'))
    expect((await list({ q: 'ild_car' })).ids).toContain(account.id)
    for (const q of ['%', '%%%', 'w%d', '___', 'wi__', '\\', 'wild\\_card', 'ild%', 'wild card'])
      expect(await list({ q })).toEqual(nobody)
  })
  it('does not find by a tag, a display name, or a former name', async () => {
    const former = freshName()
    const account = await guildhall.register(former)
    expect(await list({ q: await tagOf(account) })).toEqual(nobody)
    const body = { username: freshName() }
    const path = `/v1/admin/users/${account.id}/username`
    bodyOf(await guildhall.request('PATCH', path, { token: root.token, body }))
    expect(await list({ q: former })).toEqual(nobody)
    expect(await list({ q: body.username })).toEqual(only(account))
  })
  it('finds an address by its beginning, only for holders of user:view:email, in total and order too', async () => {
    const [local = ''] = ada.email.split('@')
    const other = await guildhall.register(`u${local}`)
    const wider = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'user:view:email')
    const named = await list({ q: local }, narrow)
    // The name that the account was registered with contains what its address begins with.
    expect(named.ids).toEqual([other.id, ada.id])
    for (const q of [ada.email, `${local}@`, `${local}@example`]) {
      expect(await list({ q }, wider)).toEqual(only(ada))
      expect(await list({ q }, narrow)).toEqual(nobody)
    }
    for (const q of [`${local.slice(1)}@`, '@example.com', `${local}%example`])
      expect(await list({ q }, wider)).toEqual(nobody)
  })
  it('puts the account with the id first, and counts it, whether or not its name has the digits', async () => {
    const named = await guildhall.register(`a${ada.id}`)
    expect(await list({ q: ada.id })).toEqual(only(ada, named))
    expect(await list({ q: ada.id, limit: '1' })).toEqual({ ids: [ada.id], total: 2 })
    expect(await list({ q: ada.id, limit: '1', offset: '1' })).toEqual({ ids: [named.id], total: 2 })
    expect(await list({ q: ada.id, offset: '2' })).toEqual({ ids: [], total: 2 })
    expect(await list({ q: `${ada.id}0` })).toEqual(nobody)
    expect(await list({ q: '9'.repeat(1024) })).toEqual(nobody)
  })
  it('finds an erased account by its id alone, which the index misses', async () => {
    const name = freshName()
    const gone = await guildhall.register(name)
    await deletionIsDue(guildhall, gone)
    expect(await list({ q: name })).toEqual(only(gone))
    const { total } = await list({})
    expect(await erase(guildhall, gone)).toBe(true)
    for (const q of [name, gone.email, 'DeletedUser']) expect(await list({ q })).toEqual(nobody)
    expect(await list({ q: gone.id })).toEqual(only(gone))
    expect((await list({})).total).toBe(Number(total) - 1)
    const rows = (await everyRow(guildhall)).split('\n').filter((row) => row.startsWith('account_search.'))
    expect(rows.filter((row) => row.includes(name) || row.includes(gone.email))).toEqual([])
  })
  it('gives every account, newest first, without a selector and for a blank q', async () => {
    const { ids, total } = await list({ limit: '200' })
    expect(ids.slice(0, 2)).toEqual([brian.id, ada.id])
    expect(total).toBe(ids.length)
    expect(await list({ q: '   ', limit: '200' })).toEqual({ ids, total })
    expect(await list({ limit: '2', offset: '1' })).toEqual({ ids: ids.slice(1, 3), total })
    expect(await list({ offset: '100000' })).toEqual({ ids: [], total })
  })
  it('records the page and whether there was a query, and nothing of it', async () => {
    const admin = await administrator(guildhall, '*')
    const page = { limit: '50', offset: '0' }
    await ask({ q: ada.id }, admin)
    const found = { selector: 'search', result_count: '1', total: '1' }
    expect((await lastEntryOf(admin))?.metadata).toEqual({ ...found, ...page, has_query: 'true' })
    const { total } = await list({ limit: '1', offset: '2' }, admin)
    const listed = { selector: 'search', result_count: '1', total: String(total) }
    expect((await lastEntryOf(admin))?.metadata).toEqual({ ...listed, limit: '1', offset: '2', has_query: 'false' })
    await ask({ q: ' ' }, admin)
    expect((await lastEntryOf(admin))?.metadata).toMatchObject({ ...page, has_query: 'false' })
  })
})

describe('An instance whose Postgres has no index for parts of names', () => {
  it('answers q and an empty query with 403, and every other selector as ever', async () => {
    const admin = await administrator(without, '*')
    const account = await without.register()
    await without.store.database.pool.query('drop index account_search.accounts_by_part')
    for (const query of [{}, { q: 'ada' }, { q: account.id }, { q: ' ' }])
      expectRefusal(await askForUsers(without, query, admin), 403, 'FEATURE_TEMPORARILY_DISABLED')
    const before = (await auditEntries(without)).length
    for (const query of [{ user_id: account.id }, { resolve: account.id }, { email: account.email }])
      expect(bodyOf(await askForUsers(without, query, admin))).toMatchObject({ users: [{ id: account.id }], total: 1 })
    expect(before).toBe(0)
  })
})
