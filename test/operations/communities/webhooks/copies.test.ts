import { beforeEach, describe, expect, it } from 'vitest'
import { deliverForgotten } from '../../../../application/communities/announcements/deliver-copies.ts'
import { Unavailable } from '../../../../application/failures/unavailable.ts'
import type { Posting } from '../../../../application/ports/messages.ts'
import { channelId, messageId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, found, listOf } from '../../support/answers.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { movingImage, stillImage } from '../../support/pictures.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const ada = await guildhall.register()

/** Ada's guild with an announcement channel, and two others of hers; every test has its own. */
let home: Place
let news: string
let away: string
let further: string
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  const made = await home.send(ada, 'POST', '/channels', { type: 5, name: 'news' })
  news = String(bodyOf(made)['id'])
  away = (await found(guildhall, ada, 'Away')).channel
  further = (await found(guildhall, ada, 'Further')).channel
})

const send = (method: string, path: string, body?: unknown, account: TestAccount = ada) =>
  guildhall.request(method, `/v1${path}`, { token: account.token, ...(body === undefined ? {} : { body }) })
const follow = (target: string) => send('POST', `/channels/${news}/followers`, { webhook_channel_id: target })
const say = async (content: string) =>
  String(bodyOf(await send('POST', `/channels/${news}/messages`, { content }))['id'])
const publish = (id: string) => send('POST', `/channels/${news}/messages/${id}/crosspost`)
const copiesIn = async (channel: string) =>
  listOf(await send('GET', `/channels/${channel}/messages`)).filter(({ flags }) => flags === 2)
const copyIn = async (channel: string) => {
  await expect.poll(async () => (await copiesIn(channel)).length).toBe(1)
  const [copy] = await copiesIn(channel)
  return copy ?? {}
}
const changeIcon = async (icon: string | null) =>
  bodyOf(await guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { icon } }))['icon']
const statusOf = async (webhook: unknown, hash: unknown) =>
  (await fetch(`${guildhall.url}/media/avatars/${String(webhook)}/${String(hash)}`)).status

describe('what may not be said', () => {
  /** Lists a phrase, and waits until the server knows. */
  const list = async (phrase: string, status: () => Promise<number>) => {
    const admin = await administrator(guildhall, '*')
    const body = { phrase }
    const path = '/v1/admin/blocklists/phrase/entries'
    expect((await guildhall.request('POST', path, { token: admin.token, body })).status).toBe(204)
    await expect.poll(status).toBe(403)
  }
  const says = (content: string) => async () =>
    (await send('POST', `/channels/${home.channel}/messages`, { content })).status

  it('is not published', async () => {
    const id = await say('buy quibblewax today')
    await list('quibblewax', says('quibblewax'))
    expectRefusal(await publish(id), 403, 'CONTENT_BLOCKED')
  })

  it('is in the name of no follower', async () => {
    await guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name: 'Zorblatt' } })
    await list('zorblatt', says('zorblatt'))
    const { webhook_id: id } = bodyOf(await follow(away))
    expect(bodyOf(await send('GET', `/webhooks/${String(id)}`))).toMatchObject({ name: '#news' })
    await send('PATCH', `/channels/${news}`, { name: 'frumious' })
    await list('frumious', says('frumious'))
    expectRefusal(await follow(further), 403, 'CONTENT_BLOCKED')
  })
})

describe('a copy that fails', () => {
  /** Ports with one publication, which no round of the server knows, where posting into a channel fails. */
  async function failingIn(channel: string, error: Error) {
    const id = messageId(snowflake(await say('hear ye')))
    const { copies, messages } = guildhall.ports
    const publication = { messageId: id, channelId: channelId(snowflake(news)), publishedAt: timestamp(Date.now()) }
    const done: string[] = []
    const ports = {
      ...guildhall.ports,
      copies: {
        ...copies,
        publications: async () => [publication],
        putOff: async () => void done.push('put off'),
        delivered: async () => void done.push('delivered'),
      },
      messages: {
        ...messages,
        post: (posting: Posting) =>
          posting.message.channelId === channel ? Promise.reject(error) : messages.post(posting),
      },
    }
    return { ports, done, again: { ...ports, messages } }
  }

  it('keeps no other one back, and is made later, once', async () => {
    await follow(away)
    await follow(further)
    const { ports, done, again } = await failingIn(away, new Error('broken'))
    await expect(deliverForgotten(ports)()).rejects.toThrow('1 copies of published messages failed')
    expect([(await copiesIn(away)).length, (await copiesIn(further)).length]).toStrictEqual([0, 1])
    await deliverForgotten(again)()
    await deliverForgotten(again)()
    expect([(await copiesIn(away)).length, (await copiesIn(further)).length]).toStrictEqual([1, 1])
    expect(done).toStrictEqual(['put off', 'delivered', 'delivered'])
  })

  it('is not put off where the database is out', async () => {
    await follow(away)
    const { ports, done } = await failingIn(away, new Unavailable('out'))
    await expect(deliverForgotten(ports)()).rejects.toThrow('out')
    expect(done).toStrictEqual([])
  })
})

describe('a follower', () => {
  it('has the icon of the guild, and its copies the icon of their moment', async () => {
    const first = await changeIcon(await stillImage())
    const { webhook_id: id } = bodyOf(await follow(away))
    expect(bodyOf(await send('GET', `/webhooks/${String(id)}`))).toMatchObject({ avatar: first })
    expect(await statusOf(id, first)).toBe(200)
    const second = await changeIcon(await stillImage('teal'))
    await publish(await say('hear ye'))
    expect(await copyIn(away)).toMatchObject({ author: { id, avatar: second } })
    expect(await statusOf(id, second)).toBe(200)
  })

  it('has no image where the guild has none', async () => {
    await follow(away)
    await publish(await say('hear ye'))
    expect(await copyIn(away)).toMatchObject({ author: { avatar: null } })
  })

  it('gets nothing that its channel no longer may show', async () => {
    await follow(away)
    await follow(further)
    await send('PATCH', `/channels/${further}`, { content_warning_level: 1 })
    await send('PATCH', `/channels/${news}`, { content_warning_level: 1 })
    await publish(await say('hear ye'))
    await copyIn(further)
    expect(await copiesIn(away)).toStrictEqual([])
  })
})

it('follower stats are counted once a minute', async () => {
  const stats = async () => bodyOf(await send('GET', `/channels/${news}/follower-stats`))
  await follow(away)
  expect(await stats()).toStrictEqual({ channel_count: 1, guild_count: 1 })
  await follow(further)
  expect(await stats()).toStrictEqual({ channel_count: 1, guild_count: 1 })
})

describe('Get crosspost source', () => {
  const source = (channel: string, id: unknown, account?: TestAccount) =>
    send('GET', `/channels/${channel}/messages/${String(id)}/crosspost-source`, undefined, account)

  it('tells whoever reads a copy of the guild that it comes from', async () => {
    const icon = await changeIcon(await movingImage()).catch(() => null)
    await follow(away)
    await publish(await say('hear ye'))
    const { id } = await copyIn(away)
    expect(bodyOf(await source(away, id))).toStrictEqual({
      guild: {
        id: home.id,
        name: 'Home',
        icon,
        banner: null,
        description: null,
        features: expect.any(Array),
        approximate_member_count: 1,
        approximate_presence_count: 0,
        discoverable: false,
      },
    })
    expectRefusal(await source(away, id, await guildhall.register()), 403, 'MISSING_PERMISSIONS')
    await send('POST', `/guilds/${home.id}/delete`, { password: ada.password })
    expectRefusal(await source(away, id), 404, 'UNKNOWN_GUILD')
  })

  it('knows no source of any other message', async () => {
    const id = await say('hear ye')
    expectRefusal(await source(news, id), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await source(away, '1'), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await source('1', id), 404, 'UNKNOWN_CHANNEL')
  })
})
