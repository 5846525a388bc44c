import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { DryRunObject } from '../../../../application/wire-objects/administration/dry-run-object.ts'
import { administrator } from '../../../support/administrators.ts'
import { accept, bodyOf, crowd, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { setFeatures } from '../../support/guilds.ts'
import { openScene } from '../../support/scene.ts'
import { guildChangesOn, unknownGuild } from './support.ts'

const { guildhall, ada, brian, carol, home } = await openScene({ limits: { max_guild_members: 6, max_guilds: 9 } })
const { root, change, lastEntry, lastOwnEntry } = await guildChangesOn(guildhall)
const { connect, end } = connections()
afterAll(end)

const add = (guild: string, { id }: { readonly id: string }, by = root) =>
  change('PUT', `${guild}/members/${id}`, undefined, by)
const kick = (guild: string, { id }: { readonly id: string }, by = root) =>
  change('DELETE', `${guild}/members/${id}`, undefined, by)
const ban = (guild: string, { id }: { readonly id: string }, body: object = {}, by = root) =>
  change('PUT', `${guild}/bans/${id}`, body, by)
const unban = (guild: string, { id }: { readonly id: string }) => change('DELETE', `${guild}/bans/${id}`)
const membersOf = async (guild: string) =>
  listOf(await guildhall.request('GET', `/v1/guilds/${guild}/members?limit=100`, { token: ada.token })).map(
    ({ user }) => (user as { readonly id: string }).id,
  )
const typesOf = ({ body }: { readonly body: unknown }) => (body as DryRunObject).events.map(({ type }) => type)

describe('Add guild member', () => {
  it('makes an account a member that asked for nothing, and tells both sides', async () => {
    const { client: old } = await connect(guildhall, ada)
    const { client: newcomer } = await connect(guildhall, carol)
    expect(bodyOf(await add(home.id, carol))).toMatchObject({ guild: { id: home.id, member_count: 3 } })
    expect((await newcomer.dispatch('GUILD_CREATE')).d).toMatchObject({ id: home.id })
    expect((await old.dispatch('GUILD_MEMBER_ADD')).d).toMatchObject({ guild_id: home.id, user: { id: carol.id } })
    expect((await old.dispatch('MESSAGE_CREATE')).d).toMatchObject({ type: 7, author: { id: carol.id } })
    expect(await lastEntry()).toMatchObject({
      action: 'force_add_to_guild',
      targetType: 'user',
      targetId: carol.id,
      metadata: { guild_id: home.id, was_member: 'false' },
    })
    const admission = await guildhall.request('GET', `/v1/guilds/${home.id}/members/${carol.id}/admission`, {
      token: ada.token,
    })
    expect(bodyOf(admission)).toMatchObject({ by: 'administration', code: null, inviter: null })
  })
  it('leaves a member as it is, and says so', async () => {
    expect(bodyOf(await add(home.id, carol))).toMatchObject({ guild: { member_count: 3 } })
    expect(await lastEntry()).toMatchObject({ metadata: { was_member: 'true' } })
  })
  it('adds to a guild that is unavailable or takes no invites', async () => {
    for (const feature of ['UNAVAILABLE_FOR_EVERYONE', 'INVITES_DISABLED'] as const) {
      const guild = await found(guildhall, ada)
      await setFeatures(guildhall, guild.id, feature)
      expect(bodyOf(await add(guild.id, brian))).toMatchObject({ guild: { member_count: 2 } })
    }
  })
  it('adds an account that is in as many guilds as it may be', async () => {
    const busy = await guildhall.register()
    for (let guild = 0; guild < 9; guild += 1) await found(guildhall, busy)
    expect((await guildhall.request('POST', '/v1/guilds', { token: busy.token, body: { name: 'x' } })).status).toBe(400)
    const { id } = await found(guildhall, root)
    expect(bodyOf(await add(id, busy))).toMatchObject({ guild: { member_count: 2 } })
  })
  it('refuses the banned, also by their address, unknown accounts and guilds, and callers without the ACL', async () => {
    const guild = await found(guildhall, ada)
    const banned = await guildhall.register()
    bodyOf(await ban(guild.id, banned))
    expectRefusal(await add(guild.id, banned), 403, 'USER_BANNED_FROM_GUILD')
    expectRefusal(await add(guild.id, { id: '1' }), 404, 'UNKNOWN_USER')
    expectRefusal(await add(unknownGuild, brian), 404, 'UNKNOWN_GUILD')
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:kick_member')
    expectRefusal(await add(guild.id, brian, narrow), 403, 'MISSING_ACL')
    expect(typesOf(await change('PUT', `${guild.id}/members/${brian.id}?dry_run=true`))).toContain('MemberJoined')
    expect(await membersOf(guild.id)).toEqual([ada.id])
  })
  it('never makes a guild larger than it may be, however many are added at once', async () => {
    const guild = await found(guildhall, root)
    const people = await crowd(guildhall, 12)
    const code = await invite(guildhall, root, guild.channel)
    const answers = await Promise.all(
      people.map((person, index) => (index % 3 === 0 ? accept(guildhall, person, code) : add(guild.id, person))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 400, 'MAX_GUILD_MEMBERS')
    const [last = brian] = await crowd(guildhall, 1)
    expectRefusal(await add(guild.id, last), 400, 'MAX_GUILD_MEMBERS')
  })
})

describe('Kick guild member', () => {
  it('ends a membership as the instance, and tells both sides', async () => {
    const { client: stays } = await connect(guildhall, ada)
    const { client: goes } = await connect(guildhall, carol)
    expect(typesOf(await change('DELETE', `${home.id}/members/${carol.id}?dry_run=true`))).toContain('MemberKicked')
    expect(await membersOf(home.id)).toContain(carol.id)
    const answer = bodyOf(
      await change('DELETE', `${home.id}/members/${carol.id}`, undefined, { ...root, reason: 'spam' }),
    )
    expect(answer).toMatchObject({ guild: { member_count: 2 } })
    expect((await stays.dispatch('GUILD_MEMBER_REMOVE')).d).toMatchObject({ user: { id: carol.id } })
    expect((await goes.dispatch('GUILD_DELETE')).d).toEqual({ id: home.id })
    expect(await lastOwnEntry(home.id, ada)).toMatchObject({ action_type: 20, user_id: null, target_id: carol.id })
    expect(JSON.stringify(await lastOwnEntry(home.id, ada))).not.toMatch(`${root.id}|spam`)
    expect(await lastEntry()).toMatchObject({
      action: 'kick_member',
      targetType: 'user',
      targetId: carol.id,
      metadata: { guild_id: home.id },
      reason: 'spam',
    })
  })
  it('refuses the owner, who is no member, and unknown guilds', async () => {
    expectFields(await kick(home.id, ada), field('user_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
    expectRefusal(await kick(home.id, carol), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await kick(unknownGuild, brian), 404, 'UNKNOWN_GUILD')
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:ban_member')
    expectRefusal(await kick(home.id, brian, narrow), 403, 'MISSING_ACL')
    expect(await membersOf(home.id)).toContain(brian.id)
  })
})

describe('Ban guild member', () => {
  it('bans as the service, deletes the messages, and tells the guild', async () => {
    const guild = await found(guildhall, ada)
    bodyOf(await add(guild.id, brian))
    const said = `/v1/channels/${guild.channel}/messages`
    bodyOf(await guildhall.request('POST', said, { token: brian.token, body: { content: 'buy now' } }))
    const messages = async () =>
      listOf(await guildhall.request('GET', said, { token: ada.token })).filter(({ type }) => type === 0)
    const wishes = { reason: 'spam', delete_message_seconds: 3600, ban_duration_seconds: 600 }
    const dry = await change('PUT', `${guild.id}/bans/${brian.id}?dry_run=true`, wishes)
    expect(typesOf(dry)).toContain('MemberBanned')
    expect(await messages()).toHaveLength(1)
    const { client } = await connect(guildhall, ada)
    bodyOf(await ban(guild.id, brian, wishes))
    expect((await client.dispatch('GUILD_BAN_ADD')).d).toMatchObject({ guild_id: guild.id, user: { id: brian.id } })
    expect(await messages()).toEqual([])
    const bans = listOf(await guildhall.request('GET', `/v1/guilds/${guild.id}/bans`, { token: ada.token }))
    expect(bans).toMatchObject([{ user: { id: brian.id }, reason: 'spam', moderator_id: '0' }])
    expect(bans[0]?.['expires_at']).not.toBeNull()
    expect(await lastOwnEntry(guild.id, ada)).toMatchObject({ action_type: 22, user_id: null, target_id: brian.id })
    expect(await lastEntry()).toMatchObject({
      action: 'ban_member',
      targetType: 'user',
      targetId: brian.id,
      metadata: { guild_id: guild.id, ban_duration_seconds: '600', delete_message_seconds: '3600' },
    })
    const entry = JSON.stringify((await lastEntry())?.metadata)
    expect(entry).not.toContain('spam')
    expect(typesOf(await change('DELETE', `${guild.id}/bans/${brian.id}?dry_run=true`))).toContain('MemberUnbanned')
    bodyOf(await unban(guild.id, brian))
    expect((await client.dispatch('GUILD_BAN_REMOVE')).d).toMatchObject({ user: { id: brian.id } })
    expect(await lastEntry()).toMatchObject({ action: 'unban_member', metadata: { guild_id: guild.id } })
    bodyOf(await add(guild.id, brian))
  })
  it('keeps out who is no member', async () => {
    bodyOf(await ban(home.id, carol))
    expectRefusal(
      await accept(guildhall, carol, await invite(guildhall, ada, home.channel)),
      403,
      'USER_BANNED_FROM_GUILD',
    )
    bodyOf(await unban(home.id, carol))
    expectFields(await unban(home.id, carol), field('user_id', 'USER_IS_NOT_BANNED'))
  })
  it('refuses the owner, unknown accounts and guilds, and callers without the ACL', async () => {
    expectFields(await ban(home.id, ada), field('user_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
    expectRefusal(await ban(home.id, { id: '1' }), 404, 'UNKNOWN_USER')
    expectRefusal(await ban(unknownGuild, brian), 404, 'UNKNOWN_GUILD')
    expectRefusal(await unban(unknownGuild, brian), 404, 'UNKNOWN_GUILD')
    expectFields(
      await ban(home.id, brian, { ban_duration_seconds: 5 }),
      field('ban_duration_seconds', 'INVALID_FORMAT'),
    )
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:kick_member')
    expectRefusal(await ban(home.id, brian, {}, narrow), 403, 'MISSING_ACL')
    expect(await membersOf(home.id)).toContain(brian.id)
  })
})
