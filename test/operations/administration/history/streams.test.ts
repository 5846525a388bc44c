import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

type Members = Readonly<Record<string, unknown>>

const guildhall = await openServer({})
const { request } = guildhall
const root = await administrator(guildhall, '*')
const reader = await administrator(guildhall, 'admin:authenticate', 'audit_log:view')
const ada = await guildhall.register()
const guild = bodyOf(await request('POST', '/v1/guilds', { token: ada.token, body: { name: 'Engine' } }))
const guildId = String(guild['id'])
const rename = (name: string) =>
  request('PATCH', `/v1/guilds/${guildId}`, {
    token: ada.token,
    body: { name },
    headers: { 'x-audit-log-reason': `because ${name}` },
  })
await rename('Difference')
await rename('Analytical')

/** The revision after which the guild was renamed twice. */
const founded =
  Number(
    (
      bodyOf(await request('GET', `/v1/admin/history/streams/guild-${guildId}`, { token: reader.token }))[
        'to'
      ] as Members
    )['revision'],
  ) - 2
const ask = (path: string, token = reader.token) => request('GET', `/v1/admin/history${path}`, { token })
const guildStream = `/streams/guild-${guildId}`

describe('Get history stream', () => {
  it('gives the state of now and of any revision before', async () => {
    const now = bodyOf(await ask(guildStream))
    expect(now).toMatchObject({ stream: `guild-${guildId}`, state: { name: 'Analytical' }, left_out: [], from: null })
    const newest = (now['to'] as Members)['revision'] as number
    expect(bodyOf(await ask(`${guildStream}?at=${newest - 1}`))).toMatchObject({ state: { name: 'Difference' } })
    expect(bodyOf(await ask(`${guildStream}?at=0`))).toMatchObject({
      state: { name: 'Engine' },
      to: { type: 'GuildCreated', actor: { kind: 'account', id: ada.id, account_id: ada.id } },
    })
  })
  it('gives the state at a time, which is that after everything up to it', async () => {
    const { at } = bodyOf(await ask(`${guildStream}?at=0`))['to'] as Members
    expect(bodyOf(await ask(`${guildStream}?at=${String(at)}`))).toMatchObject({ state: { name: 'Engine' } })
    expect(bodyOf(await ask(`${guildStream}?at=2999-01-01T00:00:00Z`))).toMatchObject({ state: { name: 'Analytical' } })
  })
  it('gives what changed between two moments, each with the event that changed it, its actor and its reason', async () => {
    const { differences } = bodyOf(await ask(`${guildStream}?from=${founded}`))
    expect(differences).toMatchObject([
      {
        path: '/name',
        before: 'Engine',
        after: 'Analytical',
        left_out: false,
        by: { actor: { id: ada.id }, reason: 'because Analytical' },
      },
    ])
  })
  it('leaves out what is personal, and says so', async () => {
    const shown = bodyOf(await ask(`/streams/account-${ada.id}`))
    expect(shown['left_out']).toEqual(expect.arrayContaining(['/email', '/passwordHash']))
    expect(JSON.stringify(shown)).not.toContain('@')
    const { differences } = bodyOf(await ask(`/streams/account-${ada.id}?to=0`))
    expect(JSON.stringify(differences)).not.toContain('@')
    expect(differences).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ left_out: true, path: expect.stringMatching(/^/) })]),
    )
  })
  it('reveals it to those whose ACLs show it, and records that', async () => {
    const withAddresses = await administrator(guildhall, 'admin:authenticate', 'audit_log:view', 'user:view:email')
    const path = `/streams/account-${ada.id}?reveal=true`
    const before = (await auditEntries(guildhall)).length
    const shown = bodyOf(await ask(path, withAddresses.token))
    expect(JSON.stringify(shown['state'])).toContain('@')
    expect(shown['left_out']).toContain('/passwordHash')
    expect(shown['left_out']).not.toContain('/email')
    expect(JSON.stringify(bodyOf(await ask(path)))).not.toContain('@')
    expect(JSON.stringify(bodyOf(await ask(path, root.token))['left_out'])).toContain('/passwordHash')
    expect((await auditEntries(guildhall)).slice(before)).toMatchObject(
      [withAddresses, reader, root].map(({ id }) => ({
        action: 'get_personal_history',
        adminId: id,
        targetType: 'history_stream',
        targetId: `account-${ada.id}`,
      })),
    )
  })
  it('leaves no entry where nothing is revealed', async () => {
    const before = await auditEntries(guildhall)
    bodyOf(await ask(`/streams/account-${ada.id}`))
    bodyOf(await ask(`/streams/account-${ada.id}/events`))
    listOf(await ask(`/subjects/${ada.id}`))
    expect(await auditEntries(guildhall)).toEqual(before)
  })
  it('refuses what is not there and what was not yet', async () => {
    expectRefusal(await ask('/streams/guild-1'), 404, 'NOT_FOUND')
    expectRefusal(await ask('/streams/nothing-1'), 404, 'NOT_FOUND')
    expectRefusal(await ask('/streams/guild'), 404, 'NOT_FOUND')
    expectFields(await ask(`${guildStream}?at=2000-01-01T00:00:00Z`), field('at', 'TIME_BEFORE_FIRST_EVENT'))
    expectFields(await ask(`${guildStream}?at=999`), field('at', 'REVISION_AFTER_LAST_EVENT'))
    expectFields(await ask(`${guildStream}?from=0&to=999`), field('to', 'REVISION_AFTER_LAST_EVENT'))
    expectFields(await ask(`${guildStream}?from=1&to=0`), field('to', 'RANGE_ENDS_BEFORE_START'))
    for (const bad of ['yesterday', '-1', '1.5', '99999999999', '2026-02-30T00:00:00Z', '%00'])
      expect([bad, (await ask(`${guildStream}?at=${bad}`)).status]).toEqual([bad, 400])
  })
  it('is for those who may read the audit log', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'user:lookup')
    expectRefusal(await ask(guildStream, other.token), 403, 'MISSING_ACL')
    expectRefusal(await ask(guildStream, ada.token), 403, 'MISSING_PERMISSIONS')
  })
})

describe('List history stream events', () => {
  it('gives them in pages, oldest first, with what is personal left out', async () => {
    const first = listOf(await ask(`/streams/account-${ada.id}/events?limit=1`))
    expect(first).toMatchObject([
      { type: 'AccountRegistered', revision: 0, data: { email: null }, left_out: expect.arrayContaining(['email']) },
    ])
    const next = listOf(await ask(`/streams/account-${ada.id}/events?after=0&limit=100`))
    expect(next.map(({ revision }) => revision)).toEqual(next.map((_, index) => index + 1))
  })
  it('is empty after the last one, and not found for no category', async () => {
    expect(listOf(await ask(`${guildStream}/events?after=1000`))).toEqual([])
    expectRefusal(await ask('/streams/nothing-1/events'), 404, 'NOT_FOUND')
  })
})

describe('List history subject streams', () => {
  it('finds the streams of a guild, of an account and of an invite', async () => {
    const [channel] = listOf(await request('GET', `/v1/guilds/${guildId}/channels`, { token: ada.token })).filter(
      ({ type }) => type === 0,
    )
    const invite = bodyOf(
      await request('POST', `/v1/channels/${String(channel?.['id'])}/invites`, { token: ada.token, body: {} }),
    )
    const code = String(invite['code'])
    const streams = async (subject: string) =>
      listOf(await ask(`/subjects/${subject}?limit=100`)).map(({ stream }) => stream)
    expect(await streams(guildId)).toEqual(
      expect.arrayContaining([`guild-${guildId}`, `membership-${guildId}-${ada.id}`, `invite-${code}`]),
    )
    expect(await streams(ada.id)).toEqual(
      expect.arrayContaining([`account-${ada.id}`, `membership-${guildId}-${ada.id}`, `guild-${guildId}`]),
    )
    expect(await streams(code)).toEqual([`invite-${code}`])
    expect(await streams('999')).toEqual([])
  })
  it('gives each with its first and newest event, in pages', async () => {
    const all = listOf(await ask(`/subjects/${guildId}`))
    expect(all[0]).toMatchObject({
      stream: `guild-${guildId}`,
      first: { type: 'GuildCreated', revision: 0 },
      newest: { revision: expect.any(Number) },
    })
    const [one] = listOf(await ask(`/subjects/${guildId}?limit=1`))
    expect(listOf(await ask(`/subjects/${guildId}?after=${String(one?.['cursor'])}`))).toEqual(all.slice(1))
  })
})
