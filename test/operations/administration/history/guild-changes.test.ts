import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { administrator } from '../../../support/administrators.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

interface Change {
  readonly text: string
  readonly by: { readonly at: string; readonly actor: { readonly id: string }; readonly operation: string | null }
}

const guildhall = await openServer({})
const { request } = guildhall
const reader = await administrator(guildhall, 'admin:authenticate', 'audit_log:view')
const ada = await guildhall.register()
const ben = await guildhall.register()
const home = await found(guildhall, ada)
const as = { token: ada.token }
const ask = (query = '') =>
  request('GET', `/v1/admin/history/guilds/${home.id}/changes${query}`, { token: reader.token })
const changesOf = async (query = '') => bodyOf(await ask(query))['changes'] as readonly Change[]

const { id: role } = bodyOf(
  await request('POST', `/v1/guilds/${home.id}/roles`, { ...as, body: { name: 'Moderator', permissions: '0' } }),
)
const since = String(
  (listOf(await request('GET', '/v1/admin/history/events?type=RoleCreated&limit=1', { token: reader.token }))[0] ?? {})[
    'at'
  ],
)
const permissions = permissionBits.BAN_MEMBERS.toString()
await request('PATCH', `/v1/guilds/${home.id}/roles/${String(role)}`, { ...as, body: { permissions } })
await request('PATCH', `/v1/guilds/${home.id}`, { ...as, body: { name: 'Lobby' } })
const code = await invite(guildhall, ada, home.channel)
await accept(guildhall, ben, code)
await request('PUT', `/v1/guilds/${home.id}/members/${ben.id}/roles/${String(role)}`, as)

describe('List history guild changes', () => {
  it('says what changed in words, by whom and by which operation, in the order in which it happened', async () => {
    const changes = await changesOf(`?from=${since}`)
    expect(changes.map(({ text }) => text)).toEqual([
      'role Moderator got BAN_MEMBERS',
      expect.stringMatching(/^the guild was renamed from ".*" to "Lobby"$/),
      `invite ${code} is created`,
      `account ${ben.id} is a member`,
    ])
    expect(changes[0]?.by).toMatchObject({ actor: { id: ada.id }, operation: expect.stringContaining('role') })
  })
  it('begins with the founding, and has nothing between a moment and itself', async () => {
    const [first] = await changesOf()
    expect(first?.text).toBe('the guild was founded')
    expect(await changesOf(`?from=${since}&to=${since}`)).toEqual([])
    expect(bodyOf(await ask())['truncated']).toBe(false)
  })
  it('leaves out what was changed and changed back', async () => {
    const from = (await changesOf()).at(-1)?.by.at ?? ''
    await request('PATCH', `/v1/guilds/${home.id}`, { ...as, body: { name: 'Parlour' } })
    await request('PATCH', `/v1/guilds/${home.id}`, { ...as, body: { name: 'Lobby' } })
    const after = await changesOf(`?from=${from}`)
    expect(after.map(({ text }) => text)).toEqual([`account ${ben.id} got the roles Moderator`])
  })
  it('refuses an unknown guild, and times that are none', async () => {
    expectRefusal(await request('GET', '/v1/admin/history/guilds/1/changes', { token: reader.token }), 404, 'NOT_FOUND')
    expectFields(await ask(`?to=2000-01-01T00:00:00Z`), field('to', 'TIME_BEFORE_FIRST_EVENT'))
    expectFields(
      await ask(`?from=2999-01-01T00:00:00Z&to=2998-01-01T00:00:00Z`),
      field('to', 'RANGE_ENDS_BEFORE_START'),
    )
  })
})
