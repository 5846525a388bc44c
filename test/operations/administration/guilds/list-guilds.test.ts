import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { customCodesOn, newCode, setFeatures } from '../../support/custom-codes.ts'
import { chess, directoryOf } from '../../support/discovery.ts'
import { openServer } from '../../support/scene.ts'
import { guildReadsOn } from './support.ts'

// The list is of the whole instance.
const guildhall = await openServer({})
const { request } = guildhall
const { read, lastEntry, root } = await guildReadsOn(guildhall)
const ada = await guildhall.register()

const fresh = (): string => `n${randomBytes(6).toString('hex')}`
const list = async (query: Readonly<Record<string, string>> = {}) => {
  const { guilds, total } = bodyOf(await read(`?${new URLSearchParams(query).toString()}`))
  return { ids: (guilds as readonly { readonly id: string }[]).map(({ id }) => id), total }
}
const only = (...guilds: readonly { readonly id: string }[]) => ({
  ids: guilds.map(({ id }) => id),
  total: guilds.length,
})

describe('List Admin guilds', () => {
  it('gives every guild, oldest first, each with its owner, without a text and for a blank one', async () => {
    const [first, second] = [await found(guildhall, ada, 'First'), await found(guildhall, ada, 'Second')]
    expect(await list()).toStrictEqual(only(first, second))
    expect(await list({ q: '  ' })).toStrictEqual(only(first, second))
    expect(await list({ limit: '1', offset: '1' })).toStrictEqual({ ids: [second.id], total: 2 })
    expect(await list({ offset: '10000' })).toStrictEqual({ ids: [], total: 2 })
    const { username } = bodyOf(await request('GET', '/v1/users/@me', { token: ada.token }))
    expect(bodyOf(await read('?limit=1'))).toStrictEqual({
      guilds: [
        {
          id: first.id,
          name: 'First',
          features: expect.any(Array),
          owner_id: ada.id,
          owner_username: username,
          owner_global_name: null,
          owner_discriminator: expect.stringMatching(/^\d{4}$/),
          icon: null,
          banner: null,
          member_count: 1,
          nsfw_level: 0,
        },
      ],
      total: 2,
    })
  })
  it('finds by a part of the name as it is now', async () => {
    const name = fresh()
    const guild = await found(guildhall, ada, `The ${name.toUpperCase()}`)
    for (const q of [name, name.slice(3, 9), ` the ${name} `]) expect(await list({ q })).toStrictEqual(only(guild))
    bodyOf(await request('PATCH', `/v1/guilds/${guild.id}`, { token: ada.token, body: { name: 'Quiet' } }))
    expect(await list({ q: name })).toStrictEqual(only())
    expect(await list({ q: 'quie' })).toStrictEqual(only(guild))
  })
  it('finds by the custom code, and by the description and tags of the application to the directory', async () => {
    const guild = await found(guildhall, ada)
    await setFeatures(guildhall, guild.id, 'VANITY_URL')
    const code = newCode()
    bodyOf(await customCodesOn(() => guildhall).choose(ada, guild.id, code))
    const [description, tag] = [`About ${fresh()}`, fresh()]
    bodyOf(await directoryOf(guildhall).apply(ada, guild.id, { ...chess, description, custom_tags: [tag] }))
    for (const q of [code, description, tag]) expect(await list({ q })).toStrictEqual(only(guild))
  })
  it('puts the guild with the id first, and counts it once on every page', async () => {
    const guild = await found(guildhall, ada)
    const named = await found(guildhall, ada, `About ${guild.id}`)
    expect(await list({ q: guild.id })).toStrictEqual(only(guild, named))
    expect(await list({ q: guild.id, limit: '1' })).toStrictEqual({ ids: [guild.id], total: 2 })
    expect(await list({ q: guild.id, limit: '1', offset: '1' })).toStrictEqual({ ids: [named.id], total: 2 })
    expect(await list({ q: '9'.repeat(1024) })).toStrictEqual(only())
  })
  it('shows guilds that are unavailable, and none that is deleted', async () => {
    const name = fresh()
    const [closed, gone] = [await found(guildhall, ada, name), await found(guildhall, ada, name)]
    await setFeatures(guildhall, closed.id, 'UNAVAILABLE_FOR_EVERYONE')
    const body = { password: ada.password }
    const deleted = await request('POST', `/v1/guilds/${gone.id}/delete`, { token: ada.token, body })
    expect(deleted.status).toBe(204)
    expect(await list({ q: name })).toStrictEqual(only(closed))
    expect(await list({ q: gone.id })).toStrictEqual(only())
  })
  it('records the page and whether there was a text, and nothing of it', async () => {
    const { total } = await list({ limit: '1', offset: '2' })
    const page = { result_count: '1', total: String(total), limit: '1', offset: '2' }
    const entry = { action: 'list_guilds', targetType: 'guild', targetId: '0' }
    expect(await lastEntry()).toMatchObject({ ...entry, metadata: { ...page, has_query: 'false' } })
    await list({ q: fresh() })
    const none = { result_count: '0', total: '0', limit: '50', offset: '0' }
    expect((await lastEntry())?.metadata).toStrictEqual({ ...none, has_query: 'true' })
  })
  it.each([
    ['?limit=0', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['?limit=201', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['?offset=-1', 'offset', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['?offset=10001', 'offset', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['?q=', 'q', 'STRING_LENGTH_INVALID'],
    [`?q=${'a'.repeat(1025)}`, 'q', 'STRING_LENGTH_INVALID'],
  ] as const)('refuses %s', async (query, path, code) => {
    expectFields(await read(query), field(path, code))
  })
  it('refuses callers without a credential or the ACL, and records none of them', async () => {
    const before = (await auditEntries(guildhall)).length
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:list:members')
    expectRefusal(await read('', narrow), 403, 'MISSING_ACL')
    expectRefusal(await read('', ada), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await request('GET', '/v1/admin/guilds'), 401, 'UNAUTHORIZED')
    expect(await auditEntries(guildhall)).toHaveLength(before)
  })
  it('refuses a text where Postgres has no index for parts of texts, and gives every guild as ever', async () => {
    await guildhall.store.database.pool.query('drop index guild_search.guilds_by_part')
    for (const q of ['home', '1']) expectRefusal(await read(`?q=${q}`, root), 403, 'FEATURE_TEMPORARILY_DISABLED')
    expect((await list()).ids.length).toBeGreaterThan(0)
  })
})
