import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { administrator } from '../../../support/administrators.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

interface Change {
  readonly text: string
  readonly by: {
    readonly position: string
    readonly at: string
    readonly actor: { readonly id: string }
    readonly operation: string | null
  }
}

interface Page {
  readonly changes: readonly Change[]
  readonly truncated: boolean
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
      `invite ${code} was used 1 times instead of 0`,
      `invite ${code}: the redemptions that stand changed`,
      `account ${ben.id} is a member`,
      `account ${ben.id} got the roles Moderator`,
    ])
    expect(changes[0]?.by).toMatchObject({ actor: { id: ada.id }, operation: expect.stringContaining('role') })
  })
  it('begins with the founding, goes on with what was made since, and has nothing between a moment and itself', async () => {
    const texts = (await changesOf()).map(({ text }) => text)
    expect(texts[0]).toBe('the guild was founded')
    expect(texts).toEqual(
      expect.arrayContaining([
        'role @everyone was created',
        'channel general was created',
        `account ${ada.id} is a member`,
        'role Moderator was created',
        expect.stringMatching(/^the guild was renamed from ".*" to "Lobby"$/),
        `account ${ben.id} got the roles Moderator`,
      ]),
    )
    expect(await changesOf(`?from=${since}&to=${since}`)).toEqual([])
    expect(bodyOf(await ask())['truncated']).toBe(false)
  })
  it('comes in pages, by the positions of the events that made the changes, which keep what they made together', async () => {
    const whole = await changesOf('?limit=1000')
    for (const limit of [1, 2, 3, 5]) {
      const told: Change[] = []
      let after = ''
      for (let isLast = false; !isLast;) {
        const { changes, truncated } = bodyOf(await ask(`?limit=${limit}${after}`)) as unknown as Page
        if (truncated) expect(changes.length).toBeGreaterThanOrEqual(limit)
        expect(new Set(changes.slice(limit - 1).map(({ by }) => by.position)).size).toBeLessThanOrEqual(1)
        told.push(...changes)
        after = `&after=${changes.at(-1)?.by.position ?? ''}`
        isLast = !truncated
      }
      expect(told).toEqual(whole)
    }
    expect(bodyOf(await ask(`?after=${whole.at(-1)?.by.position ?? ''}`))).toEqual({ changes: [], truncated: false })
    expectFields(await ask('?after=x'), field('after', 'INVALID_INTEGER_FORMAT'))
  })
  it('leaves out what was changed and changed back', async () => {
    const from = (await changesOf()).at(-1)?.by.at ?? ''
    await request('PATCH', `/v1/guilds/${home.id}`, { ...as, body: { name: 'Parlour' } })
    await request('PATCH', `/v1/guilds/${home.id}`, { ...as, body: { name: 'Lobby' } })
    expect(await changesOf(`?from=${from}`)).toEqual([])
  })
  it('leaves out what was made and ended between the moments, and tells what became of the rest', async () => {
    const from = (await changesOf()).at(-1)?.by.at ?? ''
    const brief = await invite(guildhall, ada, home.channel)
    await request('DELETE', `/v1/invites/${brief}`, as)
    await request('DELETE', `/v1/invites/${code}`, as)
    await request('DELETE', `/v1/guilds/${home.id}/members/${ben.id}`, as)
    const texts = (await changesOf(`?from=${from}`)).map(({ text }) => text)
    expect(texts).toEqual([`invite ${code} is deleted`, `account ${ben.id} is no member`])
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
