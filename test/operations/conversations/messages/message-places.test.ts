import { describe, expect, it } from 'vitest'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { letEveryone, mask, messagesPath, send, sent, settle } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

/** The special rules for messages in each kind of place: private channels, threads, and channels for adults. */

const { guildhall, ada, brian, carol, home } = await openScene()

const threads = { 'x-service-features': 'channel_threads' }
const ask = (account: TestAccount, method: string, path: string, body?: object) =>
  guildhall.request(method, path, { token: account.token, headers: threads, ...(body ? { body } : {}) })
const read = async (account: TestAccount, channel: string) =>
  listOf(await ask(account, 'GET', messagesPath(channel))).map(({ id }) => id)

describe('messages in an age-restricted channel', () => {
  it('are for accounts of adults', async () => {
    const guild = await found(guildhall, ada, 'Adults')
    const young = { ...brian, token: await tokenOfChild() }
    await accept(guildhall, young, await invite(guildhall, ada, guild.channel))
    const id = await sent(guildhall, ada, guild.channel, 'before')
    await settle(guildhall, guild, { nsfw: true })
    expectRefusal(await send(guildhall, young, guild.channel, 'x'), 403, 'NSFW_CONTENT_AGE_RESTRICTED')
    expectRefusal(await ask(young, 'GET', messagesPath(guild.channel)), 403, 'NSFW_CONTENT_AGE_RESTRICTED')
    expectRefusal(await ask(young, 'GET', messagesPath(guild.channel, id)), 403, 'NSFW_CONTENT_AGE_RESTRICTED')
    expect((await send(guildhall, ada, guild.channel, 'x')).status).toBe(200)
  })

  async function tokenOfChild(): Promise<string> {
    const year = new Date().getUTCFullYear() - 15
    const body = { email: 'young@example.com', password: 'a password', date_of_birth: `${year}-01-01`, consent: true }
    return String(bodyOf(await guildhall.request('POST', '/v1/auth/register', { body }))['token'])
  }
})

describe('the verification level of a guild', () => {
  it('is bypassed with a role, and no longer once that role is gone', async () => {
    const guild = await found(guildhall, ada, 'Careful')
    await accept(guildhall, carol, await invite(guildhall, ada, guild.channel))
    await settle(guildhall, guild, { verificationLevel: 3 })
    const roles = `/v1/guilds/${guild.id}/roles`
    const role = String(bodyOf(await ask(ada, 'POST', roles, { name: 'Trusted' }))['id'])
    await ask(ada, 'PUT', `/v1/guilds/${guild.id}/members/${carol.id}/roles/${role}`)
    expect((await send(guildhall, carol, guild.channel, 'x')).status).toBe(200)
    expect((await ask(ada, 'DELETE', `${roles}/${role}`)).status).toBe(204)
    expectRefusal(await send(guildhall, carol, guild.channel, 'x'), 403, 'GUILD_VERIFICATION_REQUIRED')
  })
})

describe('messages in a direct message', () => {
  const open = async (account: TestAccount, other: TestAccount) =>
    String(bodyOf(await ask(account, 'POST', '/v1/users/@me/channels', { recipient_id: other.id }))['id'])

  it('are read, changed and deleted by the two, each their own', async () => {
    const channel = await open(ada, brian)
    const mine = await sent(guildhall, ada, channel, `hello <@${brian.id}> <@${carol.id}> @everyone`)
    const [shown] = listOf(await ask(brian, 'GET', messagesPath(channel)))
    expect(shown).toMatchObject({ id: mine, mentions: [{ id: brian.id }], mention_everyone: false })
    expectRefusal(await ask(carol, 'GET', messagesPath(channel)), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await send(guildhall, carol, channel, 'x'), 404, 'UNKNOWN_CHANNEL')
    const path = messagesPath(channel, mine)
    expectRefusal(await ask(brian, 'PATCH', path, { flags: 4 }), 403, 'CANNOT_EDIT_OTHER_USER_MESSAGE')
    expectRefusal(await ask(brian, 'DELETE', path), 403, 'MISSING_PERMISSIONS')
    const bulk = `/v1/channels/${channel}/messages/bulk-delete`
    expectRefusal(await ask(ada, 'POST', bulk, { message_ids: [mine] }), 400, 'CANNOT_EXECUTE_ON_DM')
    expect((await ask(ada, 'PATCH', path, { content: 'bye' })).status).toBe(200)
    expect((await ask(ada, 'DELETE', path)).status).toBe(204)
    expect(await read(brian, channel)).toStrictEqual([])
  })

  it('cannot be sent to an account that blocked the sender, or changed', async () => {
    const channel = await open(brian, ada)
    const before = await sent(guildhall, brian, channel, 'before')
    expect((await ask(ada, 'PUT', `/v1/users/@me/relationships/${brian.id}`, { type: 2 })).status).toBeLessThan(300)
    expectRefusal(await send(guildhall, brian, channel, 'x'), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
    const edit = await ask(brian, 'PATCH', messagesPath(channel, before), { content: 'x' })
    expectRefusal(edit, 400, 'CANNOT_SEND_MESSAGES_TO_USER')
    expect((await ask(ada, 'DELETE', `/v1/users/@me/relationships/${brian.id}`)).status).toBe(204)
  })

  it('are notes if they are to oneself', async () => {
    const id = await sent(guildhall, ada, ada.id, 'remember')
    expect(await read(ada, ada.id)).toStrictEqual([id])
    expectRefusal(await ask(brian, 'GET', messagesPath(ada.id)), 404, 'UNKNOWN_CHANNEL')
  })
})

describe('messages in a thread', () => {
  const start = async (name: string) => {
    const starter = await sent(guildhall, ada, home.channel, 'about this')
    const path = `/v1/channels/${home.channel}/messages/${starter}/threads`
    return String(bodyOf(await ask(ada, 'POST', path, { name }))['id'])
  }
  const write = async (account: TestAccount, channel: string, content: string) =>
    ask(account, 'POST', messagesPath(channel), { content })
  const idOf = (answer: TestAnswer) => String(bodyOf(answer)['id'])

  it('need SEND_MESSAGES_IN_THREADS in place of SEND_MESSAGES', async () => {
    const thread = await start('One')
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['SEND_MESSAGES'] })
    expect((await write(brian, thread, 'in the thread')).status).toBe(200)
    expectRefusal(await write(brian, home.channel, 'in the channel'), 403, 'MISSING_PERMISSIONS')
    const overwrite = `/v1/channels/${home.channel}/permissions/${home.id}`
    const deny = mask('SEND_MESSAGES_IN_THREADS')
    expect((await ask(ada, 'PUT', overwrite, { type: 0, allow: '0', deny })).status).toBe(204)
    expectRefusal(await write(brian, thread, 'x'), 403, 'MISSING_PERMISSIONS')
    expect((await ask(ada, 'DELETE', overwrite)).status).toBe(204)
  })

  it('begin with the thread’s starter, only on the page that reaches it', async () => {
    const thread = await start('Three')
    const ids: string[] = []
    for (let number = 0; number < 5; number += 1) ids.push(await write(ada, thread, `${number}`).then(idOf))
    const page = async (query: string) =>
      listOf(await ask(ada, 'GET', `${messagesPath(thread)}?${query}`)).map(({ id }) => id)
    expect(await page('limit=5')).toStrictEqual(ids.toReversed())
    expect(await page('limit=6')).toStrictEqual([...ids.toReversed(), thread])
    expect(await page(`around=${ids[4]}&limit=4`)).toStrictEqual([ids[4], ids[3], ids[2], ids[1]])
    expect(await page(`around=${ids[4]}&limit=20`)).toStrictEqual([...ids.toReversed(), thread])
    expect(await page(`around=${ids[0]}&limit=4`)).toStrictEqual([ids[2], ids[1], ids[0], thread])
    expect(await page(`before=${ids[1]}&limit=2`)).toStrictEqual([ids[0], thread])
  })

  it('hide from clients without threads whatever mentions threads, and pages are full all the same', async () => {
    const guild = await found(guildhall, ada, 'Threads')
    const written = [await sent(guildhall, ada, guild.channel, 'one'), await sent(guildhall, ada, guild.channel, 'two')]
    const path = `/v1/channels/${guild.channel}/threads`
    for (const name of ['One', 'Two']) expect((await ask(ada, 'POST', path, { name, type: 11 })).status).toBe(201)
    expect(await read(ada, guild.channel)).toHaveLength(4)
    const plain = await guildhall.request('GET', `${messagesPath(guild.channel)}?limit=2`, { token: ada.token })
    expect(listOf(plain).map(({ id }) => id)).toStrictEqual(written.toReversed())
  })

  it("are deleted at their author's request, like those in channels", async () => {
    const thread = await start('Two')
    const mine = String(bodyOf(await write(brian, thread, 'soon gone'))['id'])
    const theirs = String(bodyOf(await write(ada, thread, 'stays'))['id'])
    const path = `/v1/users/@me/guilds/${home.id}/messages/bulk-delete-mine`
    expect((await ask(brian, 'POST', path, { password: brian.password })).status).toBe(202)
    const left = await read(ada, thread)
    expect(left).toContain(theirs)
    expect(left).not.toContain(mine)
  })
})
