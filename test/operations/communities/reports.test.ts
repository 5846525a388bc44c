import { beforeEach, describe, expect, it } from 'vitest'
import { accountFlags } from '../../../domain/account/flags.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found, invite } from '../support/answers.ts'
import { applied, reviewsOf } from '../support/discovery.ts'
import { letEveryone, messagesPath, sent } from '../support/messages.ts'
import { reportIn, reportsOn } from '../support/reports.ts'
import { openScene } from '../support/scene.ts'
import { threadsOf } from '../support/threads.ts'

/** Reports by users. */

const { guildhall, ada, brian, home } = await openScene()
const { request } = guildhall
const root = await administrator(guildhall, '*')
const { reportMessage, reportUser, reportGuild, get } = reportsOn(guildhall)
const threads = threadsOf(guildhall)
/** A member of Ada's guild, who has not reported anything. */
let dora: TestAccount

beforeEach(async () => {
  dora = await member()
})

async function member(): Promise<TestAccount> {
  const account = await guildhall.register()
  bodyOf(await request('POST', `/v1/invites/${await invite(guildhall, ada, home.channel)}`, { token: account.token }))
  return account
}

const reportOf = async (id: string) => bodyOf(await get(root, id))
const flag = (account: TestAccount, name: keyof typeof accountFlags) =>
  request('PATCH', `/v1/admin/users/${account.id}/flags`, {
    token: root.token,
    body: { add_flags: [accountFlags[name].toString()] },
  })
const edit = ({ token }: TestAccount, message: string, content: string) =>
  request('PATCH', messagesPath(home.channel, message), { token, body: { content } })
const remove = ({ token }: TestAccount, message: string) =>
  request('DELETE', messagesPath(home.channel, message), { token })

describe('Report message', () => {
  it('keeps the message, its author and its place as they were at that moment', async () => {
    const before = await sent(guildhall, brian, home.channel, 'I have watches')
    const message = await sent(guildhall, brian, home.channel, 'Cheap watches here')
    const answer = await reportMessage(dora, home.channel, message, { additional_info: 'He does it daily' })
    const { report_id: id, ...rest } = bodyOf(answer)
    expect(rest).toStrictEqual({ status: 'pending', reported_at: expect.any(String) })
    bodyOf(await edit(brian, message, 'Nothing to see'))
    for (const gone of [before, message]) expect((await remove(brian, gone)).status).toBe(204)
    bodyOf(await request('PATCH', '/v1/users/@me', { token: brian.token, body: { global_name: 'Innocent' } }))
    const report = await reportOf(String(id))
    expect(report).toMatchObject({
      report_type: 0,
      status: 0,
      category: 'spam',
      additional_info: 'He does it daily',
      reporter_id: dora.id,
      reporter_email: dora.email,
      reported_user_id: brian.id,
      reported_user_global_name: null,
      reported_guild_id: home.id,
      reported_guild_name: 'Home',
      reported_guild_nsfw_level: 0,
      reported_channel_id: home.channel,
      reported_channel_name: 'general',
      reported_channel_nsfw: false,
      reported_message_id: message,
      guild_context_id: home.id,
      mutual_dm_channel_id: null,
    })
    const context = report['message_context'] as readonly { readonly id: string; readonly content: string }[]
    expect(context.filter(({ id: kept }) => [before, message].includes(kept)).map(({ content }) => content)).toEqual([
      'I have watches',
      'Cheap watches here',
    ])
  })

  it('shows what became of the message since', async () => {
    const message = await sent(guildhall, brian, home.channel, 'Buy now')
    const id = reportIn(await reportMessage(dora, home.channel, message))
    const body = { content: 'Good morning' }
    const at = `/v1/channels/${home.channel}/messages/${message}`
    expect((await guildhall.request('PATCH', at, { token: brian.token, body })).status).toBe(200)
    const report = await reportOf(id)
    expect(report).toMatchObject({ reported_message_now: { id: message, author_id: brian.id, ...body } })
    expect(report['message_context']).toContainEqual(expect.objectContaining({ id: message, content: 'Buy now' }))
    expect((await remove(brian, message)).status).toBe(204)
    expect(await reportOf(id)).toMatchObject({ reported_message_now: null })
  })

  it('shows what others wrote around it for as long as it is there, and nothing from after the report', async () => {
    const [asked, secret] = [
      await sent(guildhall, ada, home.channel, 'Who sells?'),
      await sent(guildhall, ada, home.channel, 'I regret this'),
    ]
    const message = await sent(guildhall, brian, home.channel, 'I do')
    const reply = { content: 'Stop it', message_reference: { message_id: message } }
    const answered = await sent(guildhall, ada, home.channel, reply)
    const id = reportIn(await reportMessage(dora, home.channel, message))
    await sent(guildhall, ada, home.channel, 'Much later')
    expect((await remove(ada, secret)).status).toBe(204)
    const { message_context: context, message_responses: responses } = await reportOf(id)
    const contents = (context as readonly { readonly content: string }[]).map(({ content }) => content)
    expect(contents.slice(-3)).toEqual(['Who sells?', 'I do', 'Stop it'])
    expect(contents).not.toContain('I regret this')
    expect(responses).toMatchObject([{ id: answered, author_id: ada.id, reply_to_id: message }])
    expect(asked).toBeTruthy()
  })

  it('reaches threads, and direct messages with their channel', async () => {
    const thread = await threads.started(brian, home.channel)
    const { id: inThread } = bodyOf(await threads.write(brian, thread, 'In a thread'))
    const body = { channel_id: thread, message_id: inThread, category: 'other' }
    const reported = await threads.send(dora, 'POST', '/v1/reports/message', body)
    expect(await reportOf(reportIn(reported))).toMatchObject({
      reported_channel_name: 'Chatter',
      reported_guild_id: home.id,
    })
    const opened = await request('POST', '/v1/users/@me/channels', {
      token: brian.token,
      body: { recipient_id: dora.id },
    })
    const direct = String(bodyOf(opened)['id'])
    const message = await sent(guildhall, brian, direct, 'Psst')
    expect(await reportOf(reportIn(await reportMessage(dora, direct, message)))).toMatchObject({
      reported_guild_id: null,
      reported_channel_id: direct,
      reported_channel_name: null,
      mutual_dm_channel_id: direct,
      message_context: [{ content: 'Psst' }],
    })
  })

  it('refuses own messages, and those that the caller cannot read', async () => {
    const own = await sent(guildhall, dora, home.channel, 'Mine')
    expectRefusal(await reportMessage(dora, home.channel, own), 400, 'CANNOT_REPORT_OWN_MESSAGE')
    expectRefusal(await reportMessage(dora, home.channel, '1'), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await reportMessage(dora, '1', own), 404, 'UNKNOWN_CHANNEL')
    const stranger = await guildhall.register()
    expectRefusal(await reportMessage(stranger, home.channel, own), 403, 'MISSING_PERMISSIONS')
    const closed = await found(guildhall, ada)
    const guest = await guildhall.register()
    bodyOf(await request('POST', `/v1/invites/${await invite(guildhall, ada, closed.channel)}`, { token: guest.token }))
    const hidden = await sent(guildhall, ada, closed.channel, 'Hidden')
    await letEveryone(guildhall, ada, closed, closed.channel, { deny: ['VIEW_CHANNEL'] })
    expectRefusal(await reportMessage(guest, closed.channel, hidden), 403, 'MISSING_PERMISSIONS')
  })

  it('takes a category of messages, and at most 1000 characters', async () => {
    const message = await sent(guildhall, brian, home.channel, 'Hello')
    const category = await reportMessage(dora, home.channel, message, { category: 'underage_user' })
    expectFields(category, field('category', 'INVALID_FORMAT'))
    const more = await reportMessage(dora, home.channel, message, { additional_info: 'a'.repeat(1001) })
    expectFields(more, field('additional_info', 'STRING_LENGTH_INVALID'))
  })
})

describe('Report user', () => {
  it('keeps the profile as it was', async () => {
    const spammer = await member()
    const profile = (global_name: string, bio: string) =>
      request('PATCH', '/v1/users/@me', { token: spammer.token, body: { global_name, bio } })
    bodyOf(await profile('Buy now', 'Cheap watches'))
    const filed = await reportUser(dora, spammer, { guild_id: home.id, category: 'inappropriate_profile' })
    bodyOf(await profile('Innocent', 'Nothing'))
    expect(await reportOf(reportIn(filed))).toMatchObject({
      report_type: 1,
      reported_user_id: spammer.id,
      reported_user_global_name: 'Buy now',
      reported_user_bio: 'Cheap watches',
      reported_guild_id: null,
      guild_context_id: home.id,
      message_context: [],
      message_responses: [],
    })
  })

  it('refuses oneself, unknown accounts, and guilds that the caller is not in', async () => {
    expectRefusal(await reportUser(dora, dora), 400, 'CANNOT_REPORT_YOURSELF')
    expectRefusal(await reportUser(dora, { id: '1' }), 404, 'UNKNOWN_USER')
    expectRefusal(await reportUser(dora, brian, { guild_id: '1' }), 404, 'UNKNOWN_GUILD')
    const away = await found(guildhall, brian)
    expectRefusal(await reportUser(dora, brian, { guild_id: away.id }), 403, 'MISSING_PERMISSIONS')
  })

  it('is closed to accounts with REPORT_BANNED, and to unclaimed ones', async () => {
    bodyOf(await flag(dora, 'REPORT_BANNED'))
    expectRefusal(await reportUser(dora, brian), 403, 'REPORT_BANNED')
    expectRefusal(await reportGuild(dora, home), 403, 'REPORT_BANNED')
    expectRefusal(await reportMessage(dora, home.channel, '1'), 403, 'REPORT_BANNED')
    const { token } = bodyOf(await request('POST', '/v1/auth/register', { body: {} }))
    const refused = await reportUser({ token: String(token) }, brian)
    expectRefusal(refused, 400, 'UNCLAIMED_ACCOUNT_CANNOT_SUBMIT_REPORTS')
  })
})

describe('Report guild', () => {
  it('keeps the guild as it was, and the invite that was reported', async () => {
    const code = await invite(guildhall, ada, home.channel)
    const stranger = await guildhall.register()
    const id = reportIn(await reportGuild(stranger, home, { invite_code: code, category: 'extremist_community' }))
    expect(await reportOf(id)).toMatchObject({
      report_type: 2,
      category: 'extremist_community',
      reported_user_id: null,
      reported_guild_id: home.id,
      reported_guild_name: 'Home',
      reported_guild_icon_hash: null,
      reported_guild_invite_code: code,
    })
  })

  it('needs an invite from who is not a member', async () => {
    reportIn(await reportGuild(dora, home))
    const stranger = await guildhall.register()
    expectRefusal(await reportGuild(stranger, home), 400, 'CANNOT_REPORT_GUILD')
    expectRefusal(await reportGuild(stranger, home, { invite_code: 'nothing-here' }), 404, 'UNKNOWN_INVITE')
    const away = await found(guildhall, brian)
    const elsewhere = await invite(guildhall, brian, away.channel)
    expectRefusal(await reportGuild(stranger, home, { invite_code: elsewhere }), 400, 'CANNOT_REPORT_GUILD')
  })

  it('needs none for a guild of the directory', async () => {
    const guild = await applied(guildhall, brian)
    const stranger = await guildhall.register()
    expectRefusal(await reportGuild(stranger, guild), 400, 'CANNOT_REPORT_GUILD')
    bodyOf(await reviewsOf(guildhall, root).approve(guild.id))
    expect(await reportOf(reportIn(await reportGuild(stranger, guild)))).toMatchObject({
      reported_guild_id: guild.id,
      reported_guild_invite_code: null,
    })
  })

  it('refuses own and unknown guilds', async () => {
    expectRefusal(await reportGuild(ada, home), 400, 'CANNOT_REPORT_OWN_GUILD')
    expectRefusal(await reportGuild(dora, { id: '1' }), 404, 'UNKNOWN_GUILD')
  })
})
