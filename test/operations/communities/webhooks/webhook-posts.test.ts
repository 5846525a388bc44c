import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'
import { threadsHeader } from '../../support/threads.ts'
import { executeWithFiles, formOf, type Hook } from '../../support/webhooks.ts'

const guildhall = await openServer()
const { connect, end } = connections()
afterAll(end)
const ada = await guildhall.register()

/** Ada's guild with a forum, which has a webhook and two tags, one for moderators; every test has its own. */
let home: Place
let forum: string
let hook: Hook
let tags: readonly string[]
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  const available_tags = [{ name: 'news' }, { name: 'pinned', moderated: true }]
  const made = bodyOf(
    await home.send(ada, 'POST', '/channels', { type: 15, name: 'forum', available_tags }, threadsHeader),
  )
  forum = String(made['id'])
  tags = (made['available_tags'] as readonly { readonly id: string }[]).map(({ id }) => id)
  hook = await hookOf(forum)
})

const send = (account: TestAccount, method: string, path: string, body?: unknown) =>
  guildhall.request(method, `/v1${path}`, {
    token: account.token,
    headers: threadsHeader,
    ...(body === undefined ? {} : { body }),
  })
const hookOf = async (channel: string, account = ada): Promise<Hook> => {
  const { id, token } = bodyOf(await send(account, 'POST', `/channels/${channel}/webhooks`, { name: 'Build' }))
  return { id: String(id), token: String(token) }
}
const execute = (body: unknown, { id, token } = hook, query = '?wait=1') =>
  guildhall.request('POST', `/v1/webhooks/${id}/${token}${query}`, { body })
const countThreads = () => guildhall.ports.queries.threads.countActive(guildId(snowflake(home.id)))

describe('thread_name', () => {
  it('begins a post in the forum, which the webhook owns, and tells of it', async () => {
    const { client } = await connect(guildhall, ada, { flags: 4 })
    const message = bodyOf(await execute({ content: 'hello', thread_name: 'Build 7', applied_tags: [tags[0]] }))
    const { id } = message
    expect(message).toMatchObject({ channel_id: id, content: 'hello', webhook_id: hook.id })
    const { d } = await client.dispatch('THREAD_CREATE')
    const thread = { id, parent_id: forum, name: 'Build 7', owner_id: hook.id, applied_tags: [tags[0]] }
    expect(d).toMatchObject(thread)
    expect((await client.dispatch('MESSAGE_CREATE')).d).toMatchObject({ id, channel_id: id })
    expect(bodyOf(await send(ada, 'GET', `/channels/${String(id)}`))).toMatchObject({ ...thread, member_count: 0 })
    const again = bodyOf(await execute({ content: 'more' }, hook, `?wait=1&thread_id=${String(id)}`))
    expect(again).toMatchObject({ channel_id: id, content: 'more' })
    const own = `/v1/webhooks/${hook.id}/${hook.token}/messages/${String(id)}?thread_id=${String(id)}`
    expect(bodyOf(await guildhall.request('PATCH', own, { body: { content: 'edited' } }))).toMatchObject({
      content: 'edited',
    })
  })

  it('takes files', async () => {
    const answer = bodyOf(await executeWithFiles(guildhall, hook, formOf({ thread_name: 'Log' }, ['a.log', 'green'])))
    const [file] = answer['attachments'] as readonly { readonly url: string }[]
    expect(await (await fetch(String(file?.url))).text()).toBe('green')
  })

  it('is refused in its order, and then begins none', async () => {
    const thread_name = 'Post'
    const { id } = bodyOf(await execute({ content: 'first', thread_name }))
    const beside = `?thread_id=${String(id)}`
    expectRefusal(await execute({ content: 'x', thread_name }, hook, beside), 400, 'WEBHOOK_FORUM_TARGET_CONFLICT')
    const other = await hookOf(home.channel)
    expectRefusal(await execute({ content: 'x', thread_name }, other), 400, 'WEBHOOK_THREAD_NAME_REQUIRES_FORUM')
    expectRefusal(await execute({ content: 'x' }), 400, 'WEBHOOK_FORUM_TARGET_REQUIRED')
    expectRefusal(await execute({ thread_name }), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    const unknown = { content: 'x', thread_name, applied_tags: ['1'] }
    expectFields(await execute(unknown), field('applied_tags', 'INVALID_FORMAT'))
    for (const name of ['', 'x'.repeat(101)])
      expectFields(await execute({ content: 'x', thread_name: name }), field('thread_name', 'STRING_LENGTH_INVALID'))
    expect(await countThreads()).toBe(1)
  })

  it('gives tags of moderators only for a creator who is one', async () => {
    const wanted = { content: 'x', thread_name: 'Post', applied_tags: [tags[1]] }
    expect((await execute(wanted)).status).toBe(200)
    const its = await hookOf(forum, await home.holder('MANAGE_WEBHOOKS'))
    expectRefusal(await execute(wanted, its), 403, 'MISSING_PERMISSIONS')
  })

  it('begins one post for a request that comes twice with its key', async () => {
    const request = { body: { content: 'once', thread_name: 'Post' }, headers: { 'idempotency-key': 'the-same' } }
    const path = `/v1/webhooks/${hook.id}/${hook.token}?wait=1`
    const [one, other] = [
      await guildhall.request('POST', path, request),
      await guildhall.request('POST', path, request),
    ]
    expect(bodyOf(other)['id']).toBe(bodyOf(one)['id'])
    expect(await countThreads()).toBe(1)
  })
})

describe('a forward by a webhook', () => {
  it('shows a message of the channel that it writes in, and of no other', async () => {
    const its = await hookOf(home.channel)
    const { id } = bodyOf(await send(ada, 'POST', `/channels/${home.channel}/messages`, { content: 'hear ye' }))
    const forward = (channel_id: string) => execute({ message_reference: { type: 1, channel_id, message_id: id } }, its)
    expect(bodyOf(await forward(home.channel))).toMatchObject({
      webhook_id: its.id,
      message_snapshots: [{ content: 'hear ye' }],
      message_reference: { type: 1, channel_id: home.channel, message_id: id },
    })
    expectRefusal(await forward(forum), 404, 'UNKNOWN_CHANNEL')
    const bare = await execute({ message_reference: { type: 1, message_id: id } }, its)
    expectFields(bare, field('message_reference', 'FORWARD_REFERENCE_REQUIRES_CHANNEL_AND_MESSAGE'))
  })
})
