import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { Client } from '../../../gateway/support/client.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, crowd, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { befriend, relationsOn, typesOf } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { ask, block, remove: ignore } = relationsOn(guildhall)
const { connect, end } = connections()
let ada: TestAccount
let grace: TestAccount

beforeEach(async () => {
  ;[ada, grace] = [await guildhall.register(), await guildhall.register()]
})
afterEach(() => {
  end()
  vi.restoreAllMocks()
})

const categories = ['friend', 'incoming_request', 'outgoing_request', 'blocked'] as const
type Category = (typeof categories)[number]

const below = (rest: string, body: unknown) =>
  guildhall.request('DELETE', `/v1/admin/users/${rest}`, { token: root.token, body })
const removeOne = (id: string, other: string, category: unknown) => below(`${id}/relationships/${other}`, { category })
const removeAll = (id: string, category: unknown) => below(`${id}/relationships`, { category })
/** What this file's administrator did to an account: other files on this server have administrators of their own. */
const entriesOf = async (id: string) =>
  (await auditEntries(guildhall)).filter(({ adminId, targetId }) => adminId === root.id && targetId === id)
const both = async () => [await typesOf(guildhall, ada), await typesOf(guildhall, grace)]

/** Gives Ada a relationship of a category to another account. */
async function relate(other: TestAccount, category: Category): Promise<void> {
  if (category === 'friend') return befriend(guildhall, ada, other)
  if (category === 'incoming_request') bodyOf(await ask(other, ada))
  if (category === 'outgoing_request') bodyOf(await ask(ada, other))
  if (category === 'blocked') bodyOf(await block(ada, other))
}

/** What a session hears of relationships up to now: whatever comes before its account changes its settings. */
async function heard({ token }: TestAccount, client: Client): Promise<readonly unknown[]> {
  await guildhall.request('PATCH', '/v1/users/@me/settings', { token, body: { theme: 'light' } })
  await client.dispatch('USER_SETTINGS_UPDATE')
  const told = client.dispatches.filter(({ t }) => String(t).startsWith('RELATIONSHIP_'))
  return told.map(({ t, d }) => [t, d])
}

const gone = ({ id }: TestAccount) => ['RELATIONSHIP_REMOVE', { id }]

describe('Remove one user relationship', () => {
  it.each(categories)('removes one of the category %s, and tells those who lose something', async (category) => {
    await relate(grace, category)
    const [own, other] = [await connect(guildhall, ada), await connect(guildhall, grace)]
    expect(await removeOne(ada.id, grace.id, category)).toMatchObject({ status: 204, body: undefined })
    expect(await both()).toStrictEqual([{}, {}])
    expect(await heard(ada, own.client)).toStrictEqual([gone(grace)])
    expect(await heard(grace, other.client)).toStrictEqual(category === 'blocked' ? [] : [gone(ada)])
  })

  it('of a block lets the other account reach the one that blocked it again', async () => {
    bodyOf(await block(ada, grace))
    expectRefusal(await ask(grace, ada), 400, 'FRIEND_REQUEST_BLOCKED')
    expect((await removeOne(ada.id, grace.id, 'blocked')).status).toBe(204)
    bodyOf(await ask(grace, ada))
  })

  it('leaves the block of the other account', async () => {
    bodyOf(await block(ada, grace))
    bodyOf(await block(grace, ada))
    expect((await removeOne(ada.id, grace.id, 'blocked')).status).toBe(204)
    expect(await both()).toStrictEqual([{}, { [ada.id]: 2 }])
  })

  it('takes back a request that the other account ignored', async () => {
    bodyOf(await ask(ada, grace))
    expect((await ignore(grace, ada)).status).toBe(204)
    expect((await removeOne(ada.id, grace.id, 'outgoing_request')).status).toBe(204)
    expect(await both()).toStrictEqual([{}, {}])
  })

  it('is recorded once, with the other account and the category', async () => {
    await relate(grace, 'friend')
    expect((await removeOne(ada.id, grace.id, 'friend')).status).toBe(204)
    const [entry, ...others] = await entriesOf(ada.id)
    expect(entry).toMatchObject({ action: 'remove_relationship', adminId: root.id, targetType: 'user' })
    expect(entry?.metadata).toStrictEqual({ target_user_id: grace.id, category: 'friend' })
    expect(others).toEqual([])
  })

  it('refuses a relationship of another category, none at all, and an account that does not exist', async () => {
    await relate(grace, 'incoming_request')
    for (const category of categories.filter((each) => each !== 'incoming_request'))
      expectRefusal(await removeOne(ada.id, grace.id, category), 404, 'UNKNOWN_USER')
    expect(await both()).toStrictEqual([{ [grace.id]: 3 }, { [ada.id]: 4 }])
    expectRefusal(await removeOne(ada.id, root.id, 'friend'), 404, 'UNKNOWN_USER')
    expectRefusal(await removeOne(ada.id, '1', 'friend'), 404, 'UNKNOWN_USER')
    expectRefusal(await removeOne('1', ada.id, 'friend'), 404, 'UNKNOWN_USER')
    expect([...(await entriesOf(ada.id)), ...(await entriesOf('1'))]).toEqual([])
  })

  it('removes once, however many ask at the same moment', async () => {
    await relate(grace, 'friend')
    const answers = await Promise.all(Array.from({ length: 4 }, () => removeOne(ada.id, grace.id, 'friend')))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([
      204, 404, 404, 404,
    ])
    expect(await entriesOf(ada.id)).toHaveLength(1)
  })

  it.each([undefined, null, 'everything', 1, { name: 'friend' }])('refuses the category %j', async (category) => {
    expectFields(await removeOne(ada.id, grace.id, category), field('category', 'INVALID_FORMAT'))
    expectFields(await removeAll(ada.id, category), field('category', 'INVALID_FORMAT'))
  })

  it('refuses a missing body, and what is no id', async () => {
    expectRefusal(await below(`${ada.id}/relationships/${grace.id}`, undefined), 400, 'INVALID_FORM_BODY')
    expectRefusal(await below(`${ada.id}/relationships`, undefined), 400, 'INVALID_FORM_BODY')
    expectFields(await removeOne(ada.id, 'grace', 'friend'), field('target_user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await removeOne('ada', grace.id, 'friend'), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
})

describe('Remove user relationships by category', () => {
  it.each(categories)('removes all of the category %s, and nothing else', async (category) => {
    const others = await crowd(guildhall, categories.length + 1)
    const held = [...categories, category]
    for (const [index, other] of others.entries()) await relate(other, held[index] ?? category)
    expect(bodyOf(await removeAll(ada.id, category))).toStrictEqual({ removed_count: 2 })
    const left = others.slice(0, categories.length).filter((_, index) => held[index] !== category)
    expect(Object.keys(await typesOf(guildhall, ada)).toSorted()).toStrictEqual(left.map(({ id }) => id).toSorted())
  })

  it('tells both accounts of a friendship, each of the other', async () => {
    await relate(grace, 'friend')
    const [own, other] = [await connect(guildhall, ada), await connect(guildhall, grace)]
    expect(bodyOf(await removeAll(ada.id, 'friend'))).toStrictEqual({ removed_count: 1 })
    expect(await heard(ada, own.client)).toStrictEqual([gone(grace)])
    expect(await heard(grace, other.client)).toStrictEqual([gone(ada)])
  })

  it('is recorded once, with the category and how many, also where there were none', async () => {
    await relate(grace, 'blocked')
    for (const removed_count of [1, 0])
      expect(bodyOf(await removeAll(ada.id, 'blocked'))).toStrictEqual({ removed_count })
    const entries = await entriesOf(ada.id)
    expect(entries.map(({ action }) => action)).toEqual(Array(2).fill('remove_relationships_by_category'))
    expect(entries.map(({ metadata }) => metadata)).toStrictEqual([
      { category: 'blocked', removed_count: '1' },
      { category: 'blocked', removed_count: '0' },
    ])
  })

  it('counts each once, however many ask at the same moment', async () => {
    const others = await crowd(guildhall, 4)
    for (const other of others) bodyOf(await block(ada, other))
    const answers = await Promise.all(Array.from({ length: 4 }, () => removeAll(ada.id, 'blocked')))
    const counts = answers.map((answer) => Number(bodyOf(answer)['removed_count']))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(others.length)
  })

  it('that fails on the way is 500, leaves what it has removed, and records nothing then', async () => {
    const others = await crowd(guildhall, 3)
    for (const other of others) bodyOf(await block(ada, other))
    const { relationship } = guildhall.ports.aggregates
    const execute = relationship.execute.bind(relationship)
    let calls = 0
    vi.spyOn(relationship, 'execute').mockImplementation((...command) => {
      calls += 1
      return calls === 2 ? Promise.reject(new Error('the store fails')) : execute(...command)
    })
    expectRefusal(await removeAll(ada.id, 'blocked'), 500, 'INTERNAL_SERVER_ERROR')
    expect(await entriesOf(ada.id)).toEqual([])
    await expect.poll(async () => Object.keys(await typesOf(guildhall, ada))).toHaveLength(2)
    expect(bodyOf(await removeAll(ada.id, 'blocked'))).toStrictEqual({ removed_count: 2 })
  })

  it('refuses an account that does not exist, and one that is erased', async () => {
    expectRefusal(await removeAll('1', 'friend'), 404, 'UNKNOWN_USER')
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expectRefusal(await removeAll(ada.id, 'friend'), 404, 'UNKNOWN_USER')
    expectRefusal(await removeOne(ada.id, grace.id, 'friend'), 404, 'UNKNOWN_USER')
    expect(await entriesOf(ada.id)).toEqual([])
  })
})
