import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../support/answers.ts'
import { bulkJobsOn } from '../support/bulk-jobs.ts'
import { connections } from '../support/connected.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const { request } = guildhall
const root = await administrator(guildhall, '*')
const { ended } = bulkJobsOn(guildhall, root)
const { connect, end } = connections()
afterAll(end)

const rewind = (id: string, body: object, { token }: Pick<TestAccount, 'token'> = root): Promise<TestAnswer> =>
  request('POST', `/v1/admin/guilds/${id}/rewind`, { token, body })

/** A time that is after all that happened and before all that follows. */
async function moment(): Promise<string> {
  const time = new Date(Date.now() + 1).toISOString()
  await expect.poll(() => new Date().toISOString() > time, { interval: 1 }).toBe(true)
  return time
}

/** What a role, a channel or an invite is found by; nothing for a ban. */
const nameOf = (thing: Readonly<Record<string, unknown>>): string => JSON.stringify(thing['id'] ?? thing['code'] ?? '')

/** What members see of a guild that a rewind brings back, whatever the order. */
async function seen(id: string, { token }: TestAccount) {
  const read = async (path: string) =>
    listOf(await request('GET', `/v1/guilds/${id}${path}`, { token })).toSorted((one, other) =>
      nameOf(one).localeCompare(nameOf(other)),
    )
  const [roles, channels, bans, invites, webhooks] = [
    await read('/roles'),
    await read('/channels'),
    await read('/bans'),
    await read('/invites'),
    await read('/webhooks'),
  ]
  const { name } = bodyOf(await request('GET', `/v1/guilds/${id}`, { token }))
  const member = listOf(await request('GET', `/v1/guilds/${id}/members?limit=10`, { token }))
  const bare = channels.map(({ last_message_id: _, ...channel }) => channel)
  const banned = bans.map((ban) => [(ban['user'] as { readonly id: string }).id, ban['reason']])
  return {
    name,
    roles,
    channels: bare,
    banned,
    webhooks,
    invites: invites.map(({ code, max_uses: most }) => [code, most]),
    held: member.map((one) => one['roles']),
  }
}

interface Home {
  readonly id: string
  readonly channel: string
  readonly ada: TestAccount
  readonly ben: TestAccount
  readonly carl: TestAccount
  readonly code: string
  readonly role: string
}

/** A guild with a moderator, a channel that only moderators see, a ban and an invite. */
async function settled(): Promise<Home> {
  const [ada, ben, carl] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
  const as = { token: ada.token }
  const { id, channel } = await found(guildhall, ada)
  const code = await invite(guildhall, ada, channel)
  for (const account of [ben, carl]) await accept(guildhall, account, code)
  const permissions = permissionBits.BAN_MEMBERS.toString()
  const made = await request('POST', `/v1/guilds/${id}/roles`, { ...as, body: { name: 'Moderator', permissions } })
  const role = String(bodyOf(made)['id'])
  await request('PUT', `/v1/guilds/${id}/members/${ben.id}/roles/${role}`, as)
  const overwrites = [{ id: role, type: 0, allow: permissionBits.VIEW_CHANNEL.toString(), deny: '0' }]
  const body = { name: 'staff', type: 0, permission_overwrites: overwrites }
  await request('POST', `/v1/guilds/${id}/channels`, { ...as, body })
  await request('PUT', `/v1/guilds/${id}/bans/${carl.id}`, { ...as, body: { reason: 'spam' } })
  for (const name of ['Build', 'Herald'])
    await request('POST', `/v1/channels/${channel}/webhooks`, { ...as, body: { name } })
  return { id, channel, ada, ben, carl, code, role }
}

/** What a raid does to it. */
async function raid({ id, ada, carl, code, role }: Home): Promise<void> {
  const as = { token: ada.token }
  const [build, herald] = listOf(await request('GET', `/v1/guilds/${id}/webhooks`, as))
  await request('DELETE', `/v1/webhooks/${String(build?.['id'])}`, as)
  await request('PATCH', `/v1/webhooks/${String(herald?.['id'])}`, { ...as, body: { name: 'Raider' } })
  for (const { id: channel } of listOf(await request('GET', `/v1/guilds/${id}/channels`, as)))
    expect((await request('DELETE', `/v1/channels/${String(channel)}`, as)).status).toBe(204)
  await request('DELETE', `/v1/guilds/${id}/roles/${role}`, as)
  await request('PATCH', `/v1/guilds/${id}`, { ...as, body: { name: 'Raided' } })
  const made = await request('POST', `/v1/guilds/${id}/channels`, { ...as, body: { name: 'raided', type: 0 } })
  await request('DELETE', `/v1/invites/${code}`, as)
  await invite(guildhall, ada, String(bodyOf(made)['id']))
  await request('POST', `/v1/channels/${String(bodyOf(made)['id'])}/webhooks`, { ...as, body: { name: 'Backdoor' } })
  await request('DELETE', `/v1/guilds/${id}/bans/${carl.id}`, as)
  const dora = await guildhall.register()
  await request('PUT', `/v1/guilds/${id}/bans/${dora.id}`, { ...as, body: {} })
}

describe('Rewind guild', () => {
  it('brings a guild back, tells its members, and finds nothing more to do', async () => {
    const home = await settled()
    const { id, ada, ben, channel } = home
    const before = await seen(id, ada)
    const to = await moment()
    await raid(home)
    const { client } = await connect(guildhall, ben)
    const foretold = bodyOf(await rewind(id, { to, dry_run: true }))
    expect(foretold['job_id']).toBeNull()
    expect(foretold['changes']).toEqual(
      expect.arrayContaining([
        'role Moderator was created',
        'channel general was created',
        'channel raided was deleted',
        `account ${home.carl.id} is banned again`,
        `invite ${home.code} comes back`,
      ]),
    )
    expect(foretold['lost']).toContainEqual({ text: 'the messages of channel general', why: 'messages_gone' })
    const queued = bodyOf(await rewind(id, { to }))
    expect(queued['changes']).toEqual(foretold['changes'])
    expect(await ended(queued['job_id'])).toMatchObject({ task_type: 'rewind_guild', status: 'succeeded' })
    expect(await seen(id, ada)).toEqual(before)
    expect((await client.dispatch('GUILD_ROLE_CREATE')).d).toMatchObject({ role: { id: home.role } })
    expect((await client.dispatch('CHANNEL_CREATE')).d).toMatchObject({ guild_id: id })
    const body = { content: 'we are back' }
    expect((await request('POST', `/v1/channels/${channel}/messages`, { token: ben.token, body })).status).toBe(200)
    expect(bodyOf(await rewind(id, { to }))).toMatchObject({ job_id: null, changes: [], lost: [] })
  })

  it('leaves an entry, one for a dry run as well, and tells members of no administrator', async () => {
    const { id, ada } = await settled()
    const to = await moment()
    await request('PATCH', `/v1/guilds/${id}`, { token: ada.token, body: { name: 'Raided' } })
    await rewind(id, { to, dry_run: true })
    const { job_id: jobId } = bodyOf(await rewind(id, { to }))
    await ended(jobId)
    const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === id)
    expect(entries.map(({ action }) => action)).toEqual(['rewind_guild_dry_run', 'rewind_guild'])
    expect(entries.at(-1)?.metadata).toMatchObject({ job_id: jobId })
    const log = JSON.stringify(bodyOf(await request('GET', `/v1/guilds/${id}/audit-logs`, { token: ada.token })))
    expect(log).not.toContain(root.id)
  })

  it('keeps members and owner as they are, and says so', async () => {
    const home = await settled()
    const { id, ada, ben, carl } = home
    const to = await moment()
    await request('DELETE', `/v1/guilds/${id}/bans/${carl.id}`, { token: ada.token })
    await accept(guildhall, carl, home.code)
    const { lost, changes } = bodyOf(await rewind(id, { to, dry_run: true }))
    expect(lost).toEqual([{ text: `the ban of account ${carl.id}`, why: 'member_again' }])
    expect(changes).toEqual([])
    expect((await request('GET', `/v1/guilds/${id}/members/${ben.id}`, { token: ada.token })).status).toBe(200)
  })

  it('is refused for an unknown guild, a time before it or to come, and without its ACL', async () => {
    const { id, ada } = await settled()
    const to = await moment()
    expectRefusal(await rewind('7', { to }), 404, 'UNKNOWN_GUILD')
    expectFields(await rewind(id, { to: '2000-01-01T00:00:00Z' }), field('to', 'TIME_BEFORE_FIRST_EVENT'))
    expectFields(await rewind(id, { to: '2999-01-01T00:00:00Z' }), field('to', 'RANGE_ENDS_BEFORE_START'))
    const other = await administrator(guildhall, 'admin:authenticate', 'guild:lookup')
    expectRefusal(await rewind(id, { to }, other), 403, 'MISSING_ACL')
    await request('POST', `/v1/guilds/${id}/delete`, { token: ada.token, body: { password: ada.password } })
    expectRefusal(await rewind(id, { to }), 404, 'UNKNOWN_GUILD')
  })
})
