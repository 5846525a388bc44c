import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({})
const { request } = guildhall
const reader = await administrator(guildhall, 'admin:authenticate', 'audit_log:view')
const [ada, ben, eve] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
const { id } = bodyOf(await request('POST', '/v1/guilds', { token: ada.token, body: { name: 'Engine' } }))
const guildId = String(id)
const as = { token: ada.token }
const channel = listOf(await request('GET', `/v1/guilds/${guildId}/channels`, as)).find(({ type }) => type === 0)
const invited = await request('POST', `/v1/channels/${String(channel?.['id'])}/invites`, { ...as, body: {} })
const code = String(bodyOf(invited)['code'])
for (const { token } of [ben, eve]) await request('POST', `/v1/invites/${code}`, { token, body: {} })
const ask = (query = '', token = reader.token) =>
  request('GET', `/v1/admin/history/guilds/${guildId}${query}`, { token })
/** The time of the newest event of a stream. */
const newestOf = async (stream: string) =>
  String(
    (
      bodyOf(await request('GET', `/v1/admin/history/streams/${stream}`, { token: reader.token }))['to'] as {
        readonly at: string
      }
    )['at'],
  )
const joined = await newestOf(`membership-${guildId}-${eve.id}`)
const founded = String(
  (
    listOf(
      await request('GET', `/v1/admin/history/streams/guild-${guildId}/events?limit=1`, { token: reader.token }),
    )[0] ?? {}
  )['at'],
)
await request('PATCH', `/v1/guilds/${guildId}`, { ...as, body: { name: 'Analytical' } })
await request('PUT', `/v1/guilds/${guildId}/bans/${eve.id}`, { ...as, body: { reason: 'spam' } })
await request('DELETE', `/v1/invites/${code}`, as)
interface Pages {
  readonly ban_count: number
  readonly bans: readonly { readonly account_id: string }[]
  readonly invites: readonly { readonly code: string }[]
}
const accountsOf = (answer: Readonly<Record<string, unknown>>) =>
  (answer['members'] as readonly { readonly account_id: string }[]).map(({ account_id }) => account_id)

describe('Get history guild', () => {
  it('gives the guild of now', async () => {
    const now = bodyOf(await ask())
    expect(now).toMatchObject({
      status: 'active',
      name: 'Analytical',
      owner_id: ada.id,
      member_count: 2,
      ban_count: 1,
      bans: [{ account_id: eve.id, moderator_id: ada.id, reason: null }],
      invites: [],
      directory: null,
      left_out: [`/bans/${eve.id}/reason`],
    })
    expect(accountsOf(now)).toEqual([ada.id, ben.id])
  })
  it('gives the guild of a time before, without what began later', async () => {
    const before = bodyOf(await ask(`?at=${joined}`))
    expect(before).toMatchObject({ name: 'Engine', member_count: 3, bans: [], invites: [{ code }] })
    expect(accountsOf(before)).toEqual([ada.id, ben.id, eve.id])
    expect(before['channels']).toEqual(expect.arrayContaining([expect.objectContaining({ id: channel?.['id'] })]))
    const first = bodyOf(await ask(`?at=${founded}`))
    expect(accountsOf(first)).not.toContain(ben.id)
    expect(first['invites']).toEqual([])
  })
  it('gives members in pages, by account id', async () => {
    const first = bodyOf(await ask(`?at=${joined}&limit=1`))
    expect([first['member_count'], accountsOf(first)]).toEqual([3, [ada.id]])
    expect(accountsOf(bodyOf(await ask(`?at=${joined}&members_after=${ada.id}`)))).toEqual([ben.id, eve.id])
  })
  it('gives bans and invites in pages too, by account id and by code', async () => {
    const other = bodyOf(await request('POST', '/v1/guilds', { token: ada.token, body: { name: 'Pages' } }))
    const path = `/v1/guilds/${String(other['id'])}`
    const banned = [ben, eve, await guildhall.register()].map((account) => account.id)
    for (const account of banned) await request('PUT', `${path}/bans/${account}`, { ...as, body: {} })
    const rooms = listOf(await request('GET', `${path}/channels`, as))
    const room = String(rooms.find(({ type }) => type === 0)?.['id'])
    const codes: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const made = await request('POST', `/v1/channels/${room}/invites`, { ...as, body: { unique: true } })
      codes.push(String(bodyOf(made)['code']))
    }
    codes.sort()
    const page = async (query: string) => {
      const found = bodyOf(
        await request('GET', `/v1/admin/history${path.slice(3)}?${query}`, { token: reader.token }),
      ) as unknown as Pages
      expect(found.ban_count).toBe(3)
      return { bans: found.bans.map((one) => one.account_id), invites: found.invites.map((one) => one.code) }
    }
    expect(await page('')).toEqual({ bans: banned, invites: codes })
    expect(await page('limit=2')).toEqual({ bans: banned.slice(0, 2), invites: codes.slice(0, 2) })
    const second = `limit=2&bans_after=${banned[1] ?? ''}&invites_after=${codes[1] ?? ''}`
    expect(await page(second)).toEqual({ bans: banned.slice(2), invites: codes.slice(2) })
    expect(await page(`bans_after=${banned[2] ?? ''}&invites_after=${codes[2] ?? ''}`)).toEqual({
      bans: [],
      invites: [],
    })
  })
  it('gives members the roles that the guild had then, not those that it deleted', async () => {
    const { id: role } = bodyOf(
      await request('POST', `/v1/guilds/${guildId}/roles`, { ...as, body: { name: 'Helper' } }),
    )
    await request('PUT', `/v1/guilds/${guildId}/members/${ben.id}/roles/${String(role)}`, as)
    const held = await newestOf(`membership-${guildId}-${ben.id}`)
    await request('DELETE', `/v1/guilds/${guildId}/roles/${String(role)}`, as)
    const rolesOfBen = (answer: Readonly<Record<string, unknown>>) =>
      (answer['members'] as readonly Readonly<Record<string, unknown>>[]).find(({ account_id: of }) => of === ben.id)?.[
        'roles'
      ]
    expect(rolesOfBen(bodyOf(await ask(`?at=${held}`)))).toEqual([role])
    expect(rolesOfBen(bodyOf(await ask()))).toEqual([])
  })
  it('reveals what is personal to those who ask for it, and records that', async () => {
    const before = (await auditEntries(guildhall)).length
    expect(bodyOf(await ask('?reveal=true'))).toMatchObject({ bans: [{ reason: 'spam' }], left_out: [] })
    expect((await auditEntries(guildhall)).slice(before)).toMatchObject([
      { action: 'get_personal_history', adminId: reader.id, targetType: 'history_guild', targetId: guildId },
    ])
  })
  it('refuses a guild without events, a time before the first, and other callers', async () => {
    expectRefusal(await request('GET', '/v1/admin/history/guilds/1', { token: reader.token }), 404, 'NOT_FOUND')
    expectFields(await ask('?at=2000-01-01T00:00:00Z'), field('at', 'TIME_BEFORE_FIRST_EVENT'))
    expectRefusal(await ask('', ada.token), 403, 'MISSING_PERMISSIONS')
  })
})
