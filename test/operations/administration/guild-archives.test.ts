import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, invite, type TestGuild } from '../support/answers.ts'
import { adminArchivesOf, jsonIn, messagesIn, type ArchivedFiles } from '../support/archives.ts'
import { madeEmoji, madeSticker } from '../support/expressions.ts'
import { sent } from '../support/messages.ts'
import { stillImage } from '../support/pictures.ts'
import { foundWith, openServer } from '../support/scene.ts'
import { threadsOf } from '../support/threads.ts'

const guildhall = await openServer('brisk')
const root = await administrator(guildhall, '*')
const { request } = guildhall
const { trigger, read, pathOf, shown, built, listed, files } = adminArchivesOf(guildhall, 'guilds', root)
const threads = threadsOf(guildhall)
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeEach(async () => {
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
  home = await foundWith(guildhall, ada, brian)
})

const mark = (): string => randomBytes(8).toString('hex')
const entriesOfRoot = async () => (await auditEntries(guildhall)).filter(({ adminId }) => adminId === root.id)
const act = async (method: string, path: string, body?: unknown, reason?: string): Promise<void> => {
  const headers = reason === undefined ? {} : { 'x-audit-log-reason': reason }
  const { status } = await request(method, `/v1/guilds/${home.id}${path}`, { token: ada.token, body, headers })
  expect(status).toBeLessThan(300)
}
const everyByte = (archived: ArchivedFiles): string =>
  [...archived].map(([path, bytes]) => `${path} ${Buffer.from(bytes).toString()}`).join('\n')
const rowsIn = (archived: ArchivedFiles, path: string) =>
  jsonIn(archived, path) as readonly Readonly<Record<string, unknown>>[]

describe('Trigger guild archive', () => {
  it('answers before anything is collected, and records what was asked', async () => {
    const asked = bodyOf(await trigger(home.id, { include_attachments: true }))
    expect(asked).toEqual({
      archive_id: expect.any(String),
      subject_type: 'guild',
      subject_id: home.id,
      requested_by: root.id,
      requested_at: instant,
      started_at: null,
      completed_at: null,
      failed_at: null,
      file_size: null,
      progress_percent: 0,
      progress_step: 'Queued',
      error_message: null,
      download_url_expires_at: null,
      expires_at: instant,
    })
    const days = (Date.parse(String(asked['expires_at'])) - Date.parse(String(asked['requested_at']))) / 86_400_000
    expect(days).toBe(365)
    expect((await entriesOfRoot()).at(-1)).toMatchObject({
      action: 'trigger_guild_archive',
      targetType: 'guild',
      targetId: home.id,
      metadata: { archive_id: asked['archive_id'], include_attachments: 'true' },
    })
  })
  it('refuses a guild that does not exist or is deleted, and begins nothing', async () => {
    for (const id of ['1', ada.id]) expectRefusal(await trigger(id), 404, 'UNKNOWN_GUILD')
    bodyOf(
      await request('POST', `/v1/guilds/${home.id}/delete`, { token: ada.token, body: { password: ada.password } }),
    )
    expectRefusal(await trigger(home.id), 404, 'UNKNOWN_GUILD')
    for (const id of ['1', ada.id, home.id])
      expect(await listed(`?subject_type=guild&subject_id=${id}&include_expired=true`)).toEqual([])
  })
  it('checks its body and its path', async () => {
    expectFields(await trigger(home.id, { include_attachments: 1 }), field('include_attachments', 'INVALID_FORMAT'))
    expectFields(await trigger('none'), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
  it('needs archive:trigger:guild, whatever else an administrator may do with archives', async () => {
    const reader = await administrator(guildhall, 'admin:authenticate', 'archive:view_all', 'archive:trigger:user')
    expectRefusal(await trigger(home.id, {}, reader), 403, 'MISSING_ACL')
  })
  it('gives an archive to each that asks, also twice at once', async () => {
    const ids = (await Promise.all([trigger(home.id), trigger(home.id)])).map((answer) => bodyOf(answer)['archive_id'])
    expect(new Set(ids).size).toBe(2)
    for (const id of ids)
      await expect
        .poll(() => shown({ subject_type: 'guild', subject_id: home.id, archive_id: id }))
        .toMatchObject({ progress_percent: 100 })
  })
})

describe('the archive of a guild', () => {
  it('holds the messages of everybody, in channels, threads and forums, with author and time', async () => {
    const forum = bodyOf(await threads.send(ada, 'POST', `/v1/guilds/${home.id}/channels`, { name: 'forum', type: 15 }))
    const post = bodyOf(
      await threads.send(ada, 'POST', `/v1/channels/${String(forum['id'])}/threads`, {
        name: 'Post',
        message: { content: 'in a forum' },
      }),
    )
    const secret = await threads.started(ada, home.channel, { type: 12 })
    await threads.write(ada, secret, 'in private')
    const gone = await sent(guildhall, brian, home.channel, 'gone')
    await request('DELETE', `/v1/channels/${home.channel}/messages/${gone}`, { token: brian.token })
    const ids = [
      await sent(guildhall, brian, home.channel, 'by Brian'),
      await sent(guildhall, ada, home.channel, 'by Ada'),
    ]
    const elsewhere = await foundWith(guildhall, ada, brian)
    await sent(guildhall, ada, elsewhere.channel, 'elsewhere')
    const archived = await files(await built(home.id))
    const messages = messagesIn(archived)
    expect(messages[home.channel]?.slice(-2)).toEqual(['by Brian', 'by Ada'])
    expect(messages[home.channel]).not.toContain('gone')
    expect(messages[String(post['id'])]).toEqual(['in a forum'])
    expect(messages[secret]).toContain('in private')
    expect(Object.keys(messages)).not.toContain(elsewhere.channel)
    expect(rowsIn(archived, `channels/${home.channel}/messages.json`).slice(-2)).toMatchObject([
      { id: ids[0], author_id: brian.id, guild_id: home.id, channel_id: home.channel, timestamp: instant },
      { id: ids[1], author_id: ada.id },
    ])
    expect(rowsIn(archived, 'threads.json').map(({ id }) => id)).toEqual(expect.arrayContaining([post['id'], secret]))
  })
  it('holds how many reacted with what, and when a message was pinned, without naming who reacted', async () => {
    const id = await sent(guildhall, brian, home.channel, 'worth a reaction')
    const message = `/v1/channels/${home.channel}/messages/${id}`
    for (const { token } of [ada, brian])
      expect((await request('PUT', `${message}/reactions/${encodeURIComponent('👍')}/@me`, { token })).status).toBe(204)
    expect((await request('PUT', `/v1/channels/${home.channel}/pins/${id}`, { token: ada.token })).status).toBe(204)
    const rows = rowsIn(await files(await built(home.id)), `channels/${home.channel}/messages.json`)
    const row = rows.find((each) => each['id'] === id)
    expect(row).toMatchObject({ reactions: [{ emoji: { name: '👍' }, count: 2 }], pinned_at: instant })
    expect(JSON.stringify(row)).not.toContain(ada.id)
  })
  it('holds its messages page after page, oldest first', async () => {
    for (let count = 0; count < 101; count += 1) await sent(guildhall, ada, home.channel, `${count}`)
    const texts = messagesIn(await files(await built(home.id)))[home.channel]
    expect(texts?.slice(-101)).toEqual(Array.from({ length: 101 }, (_, count) => `${count}`))
  })
  it('holds settings, roles, channels, members, bans, invites, audit log and images', async () => {
    const carol = await guildhall.register()
    await act('PUT', `/bans/${carol.id}`, {})
    await act('POST', '/roles', { name: 'Crew' })
    await act('PATCH', '', { name: 'Home of all', icon: await stillImage() })
    const code = await invite(guildhall, ada, home.channel)
    const archived = await files(await built(home.id))
    expect(jsonIn(archived, 'guild.json')).toMatchObject({ id: home.id, name: 'Home of all', created_at: instant })
    expect(rowsIn(archived, 'roles.json').map(({ name }) => name)).toContain('Crew')
    expect(rowsIn(archived, 'channels.json').map(({ id }) => id)).toContain(home.channel)
    expect(rowsIn(archived, 'members.json').map((each) => each['user_id'])).toEqual([ada.id, brian.id])
    expect(rowsIn(archived, 'members.json')[1]).toMatchObject({ joined_at: instant, roles: [] })
    expect(rowsIn(archived, 'bans.json')).toMatchObject([
      { user_id: carol.id, moderator_id: ada.id, banned_at: instant },
    ])
    expect(rowsIn(archived, 'invites.json').map((each) => each['code'])).toContain(code)
    const actions = rowsIn(archived, 'audit_log.json').map((each) => each['action_type'])
    expect(actions).toEqual(expect.arrayContaining([1, 22, 30, 40]))
    expect(archived.get('assets/guild/icon.webp')?.length).toBeGreaterThan(0)
  })
  it('holds its emojis and stickers with their images', async () => {
    const emoji = await madeEmoji(guildhall, ada, home.id)
    const sticker = await madeSticker(guildhall, ada, home.id)
    const archived = await files(await built(home.id))
    expect(rowsIn(archived, 'emojis.json')).toMatchObject([{ id: emoji, name: 'wave', creator_id: ada.id }])
    expect(rowsIn(archived, 'stickers.json')).toMatchObject([{ id: sticker, name: 'Tower' }])
    for (const path of [`assets/emojis/${emoji}.webp`, `assets/stickers/${sticker}.webp`])
      expect(archived.get(path)?.length).toBeGreaterThan(0)
  })

  it('holds no secret and nothing personal: neither names, addresses nor what was written about somebody', async () => {
    const carol = await guildhall.register()
    const personal = { nick: mark(), ban: mark(), kick: mark(), name: mark(), bio: mark() }
    await request('PATCH', '/v1/users/@me', {
      token: brian.token,
      body: { global_name: personal.name, bio: personal.bio },
    })
    await act('PATCH', `/members/${brian.id}`, { nick: personal.nick }, personal.kick)
    await act('PUT', `/bans/${carol.id}`, { reason: personal.ban }, personal.ban)
    const reason = mark()
    await act('POST', '/roles', { name: 'Crew' }, reason)
    const bytes = everyByte(await files(await built(home.id)))
    expect(bytes).toContain(reason)
    expect(bytes).toContain(brian.id)
    const secrets = [ada, brian].flatMap(({ email, token, password }) => [email, token, password])
    expect([...Object.values(personal), ...secrets, '127.0.0.1'].filter((text) => bytes.includes(text))).toEqual([])
  })
})

describe('the archives resource, for guilds', () => {
  it('gives a link for seven days, and lists archives of both kinds by their subject', async () => {
    const archive = await built(home.id)
    expect(archive).toMatchObject({ subject_type: 'guild', progress_step: 'Completed', file_size: expect.any(String) })
    const { expiresAt } = bodyOf(await read(`${pathOf(archive)}/download`))
    expect(Date.parse(String(expiresAt)) - Date.now()).toBeLessThanOrEqual(7 * 86_400_000)
    expect((await entriesOfRoot()).at(-1)).toMatchObject({
      action: 'get_archive_download_url',
      targetType: 'archive',
      targetId: archive['archive_id'],
      metadata: { subject_type: 'guild', subject_id: home.id },
    })
    const { archive_id: ofAda } = bodyOf(await adminArchivesOf(guildhall, 'users', root).trigger(ada.id))
    const { archive_id: ofHome } = archive
    expect(await listed(`?subject_type=guild&subject_id=${home.id}`)).toEqual([ofHome])
    expect(await listed(`?subject_type=user&subject_id=${home.id}`)).toEqual([])
    expect(await listed(`?requested_by=${root.id}&limit=2`)).toEqual([ofAda, ofHome])
  })
  it('is read with archive:view_all or archive:trigger:guild, not with the trigger of users', async () => {
    const archive = await built(home.id)
    const { archive_id: id } = archive
    const viewer = await administrator(guildhall, 'admin:authenticate', 'archive:view_all')
    const ofGuilds = await administrator(guildhall, 'admin:authenticate', 'archive:trigger:guild')
    const ofUsers = await administrator(guildhall, 'admin:authenticate', 'archive:trigger:user')
    for (const by of [viewer, ofGuilds]) expect(await listed(`?requested_by=${root.id}`, by)).toContain(id)
    expect(await listed(`?requested_by=${root.id}`, ofUsers)).not.toContain(id)
    expectRefusal(await read(pathOf(archive), ofUsers), 403, 'MISSING_ACL')
    expectRefusal(await read(`${pathOf(archive)}/download`, ofUsers), 403, 'MISSING_ACL')
    expect(bodyOf(await read(pathOf(archive), ofGuilds))['archive']).toEqual(archive)
  })
  it('has no archive under another guild, nor among those of accounts', async () => {
    const { archive_id: id } = await built(home.id)
    for (const path of [`/guild/1/${String(id)}`, `/user/${home.id}/${String(id)}`]) {
      expect(await read(path)).toMatchObject({ status: 200, body: { archive: null } })
      expectRefusal(await read(`${path}/download`), 404, 'UNKNOWN_HARVEST')
    }
  })
  it('keeps the archive of a guild that is deleted afterwards', async () => {
    await sent(guildhall, ada, home.channel, 'kept')
    const archive = await built(home.id)
    bodyOf(
      await request('POST', `/v1/guilds/${home.id}/delete`, { token: ada.token, body: { password: ada.password } }),
    )
    expect(messagesIn(await files(archive))[home.channel]).toContain('kept')
  })
})
