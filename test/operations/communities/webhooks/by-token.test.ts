import { Writable } from 'node:stream'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openLogger } from '../../../../adapters/telemetry/open-logger.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { setFeatures } from '../../support/guilds.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { stillImage } from '../../support/pictures.ts'
import { openServer } from '../../support/scene.ts'
import { executeWithFiles, formOf, type Hook } from '../../support/webhooks.ts'
import { threadsHeader } from '../../support/threads.ts'

const logged: string[] = []
const destination = new Writable({
  write: (chunk, _encoding, done) => {
    logged.push(String(chunk))
    done()
  },
})
const guildhall = await openServer({ logger: openLogger('trace', destination) })
const { connect, end } = connections()
afterAll(end)
const ada = await guildhall.register()

/** Ada's guild with a webhook; every test has its own. */
let home: Place
let hook: Hook
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  hook = await made(ada)
})

const send = (account: TestAccount, method: string, path: string, body?: unknown, headers = {}) =>
  guildhall.request(method, `/v1${path}`, { token: account.token, headers, ...(body === undefined ? {} : { body }) })
const made = async (creator: TestAccount, channel = home.channel): Promise<Hook> => {
  const { id, token } = bodyOf(
    await send(creator, 'POST', `/channels/${channel}/webhooks`, { name: 'Build' }, threadsHeader),
  )
  return { id: String(id), token: String(token) }
}
/** Without any credential. */
const ask = (method: string, path = '', body?: unknown, { id, token } = hook): Promise<TestAnswer> =>
  guildhall.request(method, `/v1/webhooks/${id}/${token}${path}`, body === undefined ? {} : { body })
const execute = (body: unknown, query = '?wait=true', by = hook) => ask('POST', query, body, by)
const messages = async (channel = home.channel) =>
  listOf(await send(ada, 'GET', `/channels/${channel}/messages`, undefined, threadsHeader)).filter(
    ({ type }) => type === 0,
  )
const executeForm = (form: FormData, by = hook) => executeWithFiles(guildhall, by, form)
const author = (more: object = {}) => ({
  id: hook.id,
  username: 'Build',
  discriminator: '0000',
  global_name: null,
  avatar: null,
  avatar_color: null,
  bot: true,
  flags: 0,
  ...more,
})

describe('a webhook by its token', () => {
  it('is read, changed and deleted without a credential, and without an entry in the audit log', async () => {
    const webhook = bodyOf(await ask('GET'))
    expect(webhook).toStrictEqual({
      id: hook.id,
      type: 1,
      guild_id: home.id,
      channel_id: home.channel,
      name: 'Build',
      avatar: null,
      token: hook.token,
    })
    expect(bodyOf(await ask('PATCH', '', { name: 'Herald' }))).toStrictEqual({ ...webhook, name: 'Herald' })
    const { avatar } = bodyOf(await ask('PATCH', '', { avatar: await stillImage() }))
    expect(bodyOf(await ask('GET'))).toStrictEqual({ ...webhook, name: 'Herald', avatar })
    expectRefusal(await ask('PATCH', '', { channel_id: home.channel }), 400, 'INVALID_FORM_BODY')
    expect((await ask('DELETE')).status).toBe(204)
    expectRefusal(await ask('GET'), 404, 'UNKNOWN_WEBHOOK')
    for (const action of [51, 52]) expect(await home.entries(action)).toStrictEqual([])
  })

  it('is unknown by any other token', async () => {
    const other = await made(ada)
    for (const token of [other.token, 'x', 'x'.repeat(64), hook.token.toLowerCase()]) {
      const wrong = { ...hook, token }
      for (const answer of [
        await ask('GET', '', undefined, wrong),
        await ask('PATCH', '', { name: 'Herald' }, wrong),
        await ask('DELETE', '', undefined, wrong),
        await execute({ content: 'hello' }, '', wrong),
        await executeForm(formOf({ content: 'hello' }, ['a.txt', 'text']), wrong),
        await ask('GET', '/messages/1', undefined, wrong),
        await ask('PATCH', '/messages/1', { content: 'x' }, wrong),
        await ask('DELETE', '/messages/1', undefined, wrong),
      ])
        expectRefusal(answer, 404, 'UNKNOWN_WEBHOOK')
    }
    expect(await messages()).toStrictEqual([])
  })

  it('shows its token in no line of the log and in no refusal', async () => {
    await execute({ content: 'hello' })
    const refusals = [
      await execute({ content: 'x'.repeat(5000) }),
      await ask('PATCH', '', { name: '' }),
      await ask('PATCH', '/messages/1', { content: 'x' }),
    ]
    for (const { status, body } of refusals) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(JSON.stringify(body)).not.toContain(hook.token)
    }
    expect(logged.length).toBeGreaterThan(0)
    for (const line of logged) expect(line).not.toContain(hook.token)
  })
})

describe('Execute webhook', () => {
  it('posts as the webhook, and answers with the message where that is waited for', async () => {
    expect((await execute({ content: 'one' }, '')).status).toBe(204)
    expect((await execute({ content: 'two' }, '?wait=no')).status).toBe(204)
    const message = bodyOf(await execute({ content: 'three' }, '?wait=True'))
    expect(message).toMatchObject({ content: 'three', type: 0, webhook_id: hook.id, author: author() })
    const [last, ...others] = await messages()
    expect(last).toStrictEqual({ ...message })
    expect(others.map(({ content }) => content)).toStrictEqual(['two', 'one'])
  })

  it('is told to members, who see name and image of that moment', async () => {
    const { client } = await connect(guildhall, await home.member())
    const { avatar } = bodyOf(await ask('PATCH', '', { avatar: await stillImage() }))
    await execute({ content: 'hello', username: 'Night build' })
    const { d } = await client.dispatch('MESSAGE_CREATE')
    expect(d).toMatchObject({ webhook_id: hook.id, author: author({ username: 'Night build', avatar }) })
    expect(d).not.toHaveProperty('member')
    await ask('PATCH', '', { name: 'Herald', avatar: null })
    expect((await messages())[0]).toMatchObject({ author: author({ username: 'Night build', avatar }) })
    expect(bodyOf(await execute({ content: 'again' }))).toMatchObject({ author: author({ username: 'Herald' }) })
  })

  it('shows embeds, one by its older name too, and takes files of a form', async () => {
    const embed = { title: 'Build 7', color: 255 }
    expect(bodyOf(await execute({ embeds: [embed] }))['embeds']).toMatchObject([embed])
    expect(bodyOf(await execute({ embed }))['embeds']).toMatchObject([embed])
    const answer = bodyOf(await executeForm(formOf({ content: 'log' }, ['build.log', 'all green'])))
    const [file] = answer['attachments'] as readonly { readonly url: string; readonly filename: string }[]
    expect(file?.filename).toBe('build.log')
    expect(await (await fetch(String(file?.url))).text()).toBe('all green')
    expectFields(
      await execute({ content: 'log', attachments: [{ id: 0, filename: 'a.txt' }] }),
      field('attachments.0', 'NO_FILE_FOR_ATTACHMENT_METADATA'),
    )
  })

  it('takes files only while its creator is a member who may attach some', async () => {
    const holder = await home.holder('MANAGE_WEBHOOKS')
    const its = await made(holder)
    const form = () => formOf({ content: 'log' }, ['build.log', 'all green'])
    expect((await executeForm(form(), its)).status).toBe(200)
    expect((await send(holder, 'DELETE', `/users/@me/guilds/${home.id}`)).status).toBe(204)
    expectRefusal(await executeForm(form(), its), 403, 'MISSING_PERMISSIONS')
    expect((await execute({ content: 'still here' }, '', its)).status).toBe(204)
  })

  it('mentions nobody unless it says whom it may, and everyone only for a creator who may', async () => {
    const brian = await home.holder('MANAGE_WEBHOOKS')
    const content = `<@${brian.id}> @everyone`
    const nobody = { mention_everyone: false, mentions: [] }
    expect(bodyOf(await execute({ content }))).toMatchObject(nobody)
    const allowed = { content, allowed_mentions: { parse: ['users', 'everyone'] } }
    expect(bodyOf(await execute(allowed))).toMatchObject({ mention_everyone: true, mentions: [{ id: brian.id }] })
    const its = await made(brian)
    expect(bodyOf(await execute(allowed, '?wait=1', its))).toMatchObject({
      mention_everyone: false,
      mentions: [{ id: brian.id }],
    })
  })

  it('refuses what is empty, too long or not supported', async () => {
    for (const body of [{}, { content: ' ' }, { embeds: [] }])
      expectRefusal(await execute(body), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    const bad = await fetch(`${guildhall.url}/v1/webhooks/${hook.id}/${hook.token}`, { method: 'POST', body: '{' })
    expect(await bad.json()).toMatchObject({ code: 'CANNOT_SEND_EMPTY_MESSAGE' })
    expect((await execute({ content: 'x'.repeat(4000) })).status).toBe(200)
    expectFields(await execute({ content: 'x'.repeat(4001) }), field('content', 'CONTENT_EXCEEDS_MAX_LENGTH'))
    expectFields(await execute({ content: 'x', username: 'x'.repeat(81) }), field('username', 'STRING_LENGTH_INVALID'))
    expectRefusal(await execute({ content: 'x', poll: { question: 'why' } }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await execute({ content: 'x', avatar_url: 'file:///etc/passwd' }), 400, 'INVALID_FORM_BODY')
  })

  it('posts a message with a nonce once', async () => {
    const first = bodyOf(await execute({ content: 'once', nonce: 'n' }))
    expect(bodyOf(await execute({ content: 'once', nonce: 'n' }))).toMatchObject({ id: first['id'], nonce: 'n' })
    expect(await messages()).toHaveLength(1)
  })

  it('replies to a message of its channel alone', async () => {
    const { id } = bodyOf(await execute({ content: 'first' }))
    expect(bodyOf(await execute({ content: 'second', message_reference: { message_id: id } }))).toMatchObject({
      type: 19,
      referenced_message: { id, author: author() },
    })
    expectRefusal(await execute({ content: 'x', message_reference: { message_id: '1' } }), 404, 'UNKNOWN_MESSAGE')
  })

  it('posts into threads below its channel, and into a forum through one of its threads', async () => {
    const start = async (channel: string, body: object) =>
      String(bodyOf(await send(ada, 'POST', `/channels/${channel}/threads`, body, threadsHeader))['id'])
    const thread = await start(home.channel, { name: 'aside', type: 11 })
    expect(bodyOf(await execute({ content: 'aside' }, `?wait=true&thread_id=${thread}`))).toMatchObject({
      channel_id: thread,
    })
    const { id: forum } = bodyOf(await home.send(ada, 'POST', '/channels', { type: 15, name: 'forum' }, threadsHeader))
    const post = await start(String(forum), { name: 'post', message: { content: 'begin' } })
    expectRefusal(await execute({ content: 'x' }, `?thread_id=${post}`), 404, 'UNKNOWN_CHANNEL')
    const its = await made(ada, String(forum))
    expectRefusal(await execute({ content: 'x' }, '', its), 400, 'WEBHOOK_FORUM_TARGET_REQUIRED')
    expect(bodyOf(await execute({ content: 'x' }, `?wait=1&thread_id=${post}`, its))).toMatchObject({
      channel_id: post,
    })
    await send(ada, 'PATCH', `/channels/${thread}`, { archived: true }, threadsHeader)
    expect((await execute({ content: 'back' }, `?thread_id=${thread}`)).status).toBe(204)
    expect(bodyOf(await send(ada, 'GET', `/channels/${thread}`, undefined, threadsHeader))).toMatchObject({
      thread_metadata: { archived: false },
    })
    await send(ada, 'PATCH', `/channels/${thread}`, { locked: true }, threadsHeader)
    expectRefusal(await execute({ content: 'x' }, `?thread_id=${thread}`), 400, 'THREAD_LOCKED')
  })

  it('is refused while the guild is unavailable, and once the channel is gone', async () => {
    await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await execute({ content: 'x' }), 403, 'MISSING_ACCESS')
    await setFeatures(guildhall, home.id)
    expect((await send(ada, 'DELETE', `/channels/${home.channel}`)).status).toBe(204)
    expectRefusal(await execute({ content: 'x' }), 404, 'UNKNOWN_WEBHOOK')
  })
})

describe('messages of a webhook', () => {
  it('are read, edited and deleted by it', async () => {
    const { id } = bodyOf(await execute({ content: `hello <@${ada.id}>`, allowed_mentions: { parse: ['users'] } }))
    expect(bodyOf(await ask('GET', `/messages/${String(id)}`))).toMatchObject({ id, author: author() })
    const edited = bodyOf(await ask('PATCH', `/messages/${String(id)}`, { content: 'bye', embeds: [{ title: 'x' }] }))
    expect(edited).toMatchObject({ id, content: 'bye', embeds: [{ title: 'x' }], mentions: [{ id: ada.id }] })
    expect(edited['edited_timestamp']).not.toBeNull()
    expect(await messages()).toMatchObject([{ content: 'bye' }])
    expectRefusal(await ask('PATCH', `/messages/${String(id)}`, {}), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    expect((await ask('DELETE', `/messages/${String(id)}`)).status).toBe(204)
    expectRefusal(await ask('GET', `/messages/${String(id)}`), 404, 'UNKNOWN_MESSAGE')
    expect(await home.entries(72)).toStrictEqual([])
  })

  it('are its own alone, where it writes now', async () => {
    const { id: spoken } = bodyOf(await send(ada, 'POST', `/channels/${home.channel}/messages`, { content: 'mine' }))
    const { id: others } = bodyOf(await execute({ content: 'theirs' }, '?wait=1', await made(ada)))
    for (const id of [spoken, others])
      for (const answer of [
        await ask('GET', `/messages/${String(id)}`),
        await ask('PATCH', `/messages/${String(id)}`, { content: 'x' }),
        await ask('DELETE', `/messages/${String(id)}`),
      ])
        expectRefusal(answer, 403, 'MISSING_PERMISSIONS')
    const { id } = bodyOf(await execute({ content: 'here' }))
    const { id: channel } = bodyOf(await home.send(ada, 'POST', '/channels', { type: 0, name: 'more' }))
    expect((await send(ada, 'PATCH', `/webhooks/${hook.id}`, { channel_id: channel })).status).toBe(200)
    expectRefusal(await ask('GET', `/messages/${String(id)}`), 404, 'UNKNOWN_MESSAGE')
  })

  it('are edited and deleted by members as messages of others, and stay when it is deleted', async () => {
    const { id } = bodyOf(await execute({ content: 'hello' }))
    const path = `/channels/${home.channel}/messages/${String(id)}`
    expectRefusal(await send(ada, 'PATCH', path, { content: 'x' }), 403, 'CANNOT_EDIT_OTHER_USER_MESSAGE')
    expect((await ask('DELETE')).status).toBe(204)
    expect(await messages()).toMatchObject([{ author: author(), webhook_id: hook.id }])
    expect((await send(ada, 'DELETE', path)).status).toBe(204)
    expect(await messages()).toStrictEqual([])
  })

  it('can be reported', async () => {
    const brian = await home.member()
    const { id } = bodyOf(await execute({ content: 'rude' }))
    const body = { channel_id: home.channel, message_id: id, category: 'harassment' }
    const { report_id: report } = bodyOf(await send(brian, 'POST', '/reports/message', body))
    const root = await administrator(guildhall, '*')
    expect(bodyOf(await send(root, 'GET', `/admin/reports/${String(report)}`))).toMatchObject({
      reported_message_id: id,
      reported_user_id: hook.id,
    })
  })
})
