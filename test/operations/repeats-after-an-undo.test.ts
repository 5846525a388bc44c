import { afterAll, describe, expect, it } from 'vitest'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'
import { bodyOf, invite, listOf } from './support/answers.ts'
import { connections } from './support/connected.ts'
import { messagesPath } from './support/messages.ts'
import { openThreads, threadsHeader } from './support/threads.ts'

const { guildhall, ada, brian, home, threads } = await openThreads()
const { connect, end } = connections()
afterAll(end)
const { database } = guildhall.store

let keys = 0

/** Sends the same request with the same Idempotency-Key each time, as a client that understands threads. */
function keyed(account: TestAccount, path: string, body: object): () => Promise<TestAnswer> {
  const headers = { ...threadsHeader, 'idempotency-key': `undone ${(keys += 1)}` }
  return () => guildhall.request('POST', path, { token: account.token, headers, body })
}

const send = (account: TestAccount, method: string, path: string, body?: unknown) =>
  threads.send(account, method, path, body)

/** As if each process had died before it could store its answer. */
const loseAnswers = () =>
  database.pool.query('update http.idempotency_keys set sealed_answer = null, held_until = null')

/** The number of events so far, without the last step of a deletion, which happens some time later. */
const eventCount = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: string }>(
    `select count(*) from event_store.events where type <> 'ChannelMessagesRemoved'`,
  )
  return Number(rows[0]?.count)
}

const texts = async (channel: string) =>
  listOf(await send(ada, 'GET', messagesPath(channel))).map(({ content }) => content)

interface Undone {
  /** The request, which is then repeated. */
  readonly make: () => Promise<TestAnswer>
  readonly undo: (made: TestAnswer) => Promise<unknown>
  /** Counts what the repeat would add if it ran again. */
  readonly count: () => Promise<number>
}

const write = (body: object, channel = home.channel): Undone => ({
  make: keyed(brian, messagesPath(channel), body),
  undo: (made) => send(brian, 'DELETE', messagesPath(channel, String(bodyOf(made)['id']))),
  count: async () => (await texts(channel)).length,
})

/** A row for each operation whose answers are not stored, by its name: what it creates, and how that is undone. */
const withoutAnswers: Readonly<Record<string, readonly (readonly [string, () => Promise<Undone>])[]>> = {
  'Create message': [
    ['that its author deletes', async () => write({ content: 'taken back' })],
    ['with a nonce', async () => write({ content: 'taken back', nonce: 'n1' })],
    [
      'that was found by its nonce',
      async () => {
        await send(brian, 'POST', messagesPath(home.channel), { content: 'first', nonce: 'n2' })
        return write({ content: 'second', nonce: 'n2' })
      },
    ],
    [
      'that a moderator deletes with others',
      async () => {
        const path = `${messagesPath(home.channel)}/bulk-delete`
        const other = bodyOf(await send(ada, 'POST', messagesPath(home.channel), { content: 'another' }))
        const undo = (made: TestAnswer) =>
          send(ada, 'POST', path, { message_ids: [String(bodyOf(made)['id']), String(other['id'])] })
        return { ...write({ content: 'taken back' }), undo }
      },
    ],
    [
      'in a channel with slow mode',
      async () => {
        const channel = await newChannel('slow')
        await send(ada, 'PATCH', `/v1/channels/${channel}`, { rate_limit_per_user: 600 })
        return write({ content: 'taken back' }, channel)
      },
    ],
    ['in a channel that is deleted', async () => inDeleted(await newChannel('closing'))],
    ['in a thread that is deleted', async () => inDeleted(await threads.started(ada, home.channel))],
  ],
  'Execute webhook': [
    [
      'that the webhook deletes',
      async () => {
        const made = bodyOf(await send(ada, 'POST', `/v1/channels/${home.channel}/webhooks`, { name: 'Crier' }))
        const path = `/v1/webhooks/${String(made['id'])}/${String(made['token'])}`
        return {
          make: keyed(brian, `${path}?wait=true`, { content: 'taken back' }),
          undo: (said) => send(brian, 'DELETE', `${path}/messages/${String(bodyOf(said)['id'])}`),
          count: async () => (await texts(home.channel)).length,
        }
      },
    ],
  ],
}

const newChannel = async (name: string): Promise<string> =>
  String(bodyOf(await send(ada, 'POST', `/v1/guilds/${home.id}/channels`, { name, type: 0 }))['id'])

const inDeleted = (channel: string): Undone => ({
  make: keyed(brian, messagesPath(channel), { content: 'taken along' }),
  undo: async () => {
    await send(ada, 'DELETE', `/v1/channels/${channel}`)
    await expect.poll(() => rowCount(channel)).toBe(0)
  },
  count: () => rowCount(channel),
})

const rowCount = async (channel: string): Promise<number> =>
  (await database.pool.query('select from messages.messages where channel_id = $1', [channel])).rows.length

describe('an operation whose answers are not stored', () => {
  it('has a row for what it creates', () => {
    const names = allOperations.filter(({ keepsNoAnswer }) => keepsNoAnswer).map(({ name }) => name)
    // A search creates nothing.
    expect([...Object.keys(withoutAnswers), 'Search messages'].toSorted()).toStrictEqual(names.toSorted())
  })
})

const rows = Object.entries(withoutAnswers).flatMap(([name, all]) =>
  all.map(([what, open]) => [name, what, open] as const),
)

describe.each(rows)('%s, of one %s,', (_, __, open) => {
  it('answers the same key with 410 GONE and creates nothing, however often and at once', async () => {
    const { make, undo, count } = await open()
    const made = await make()
    expect(made.status).toBe(200)
    const again = await make()
    expect([again.status, again.body]).toStrictEqual([200, made.body])
    await undo(made)
    const [before, events] = [await count(), await eventCount()]
    const repeats = [await make(), ...(await Promise.all([make(), make(), make()]))]
    expect(repeats.map(({ status, body }) => [status, (body as { code: string }).code])).toStrictEqual(
      repeats.map(() => [410, 'GONE']),
    )
    expect([await count(), await eventCount()]).toStrictEqual([before, events])
  })
})

describe('a message whose key is repeated', () => {
  it('is sent once, and nothing is sent after its deletion', async () => {
    const { client } = await connect(guildhall, ada)
    const { make, undo } = write({ content: 'heard once' })
    const made = await make()
    const first = await client.dispatch('MESSAGE_CREATE')
    await make()
    await undo(made)
    await make()
    await send(brian, 'POST', messagesPath(home.channel), { content: 'the end' })
    const heard = [first, await client.dispatch('MESSAGE_CREATE')]
    expect(heard.map(({ d }) => d['content'])).toStrictEqual(['heard once', 'the end'])
  })
  it('is returned as it is now, also to an author who may no longer write there', async () => {
    const channel = await newChannel('read-only')
    const { make } = write({ content: 'first' }, channel)
    const id = String(bodyOf(await make())['id'])
    await send(brian, 'PATCH', messagesPath(channel, id), { content: 'second' })
    await threads.deny(ada, home.id, channel, 'SEND_MESSAGES')
    expect(bodyOf(await make())).toMatchObject({ id, content: 'second' })
    await threads.deny(ada, home.id, channel, 'VIEW_CHANNEL')
    expect((await make()).status).toBe(403)
    await send(ada, 'DELETE', `/v1/channels/${channel}/permissions/${home.id}`)
    expect(bodyOf(await make())).toMatchObject({ id, content: 'second' })
  })
})

/** The other things that POST creates, whose answers are stored. */
const withAnswers: readonly (readonly [string, () => Promise<Undone>])[] = [
  [
    'A guild',
    async () => ({
      make: keyed(ada, '/v1/guilds', { name: 'Short-lived' }),
      undo: (made) => send(ada, 'POST', `/v1/guilds/${String(bodyOf(made)['id'])}/delete`, { password: ada.password }),
      count: async () => listOf(await send(ada, 'GET', '/v1/users/@me/guilds')).length,
    }),
  ],
  [
    'A channel',
    async () => ({
      make: keyed(ada, `/v1/guilds/${home.id}/channels`, { name: 'short-lived', type: 0 }),
      undo: (made) => send(ada, 'DELETE', `/v1/channels/${String(bodyOf(made)['id'])}`),
      count: async () => listOf(await send(ada, 'GET', `/v1/guilds/${home.id}/channels`)).length,
    }),
  ],
  [
    'A role',
    async () => ({
      make: keyed(ada, `/v1/guilds/${home.id}/roles`, { name: 'short-lived' }),
      undo: (made) => send(ada, 'DELETE', `/v1/guilds/${home.id}/roles/${String(bodyOf(made)['id'])}`),
      count: async () => listOf(await send(ada, 'GET', `/v1/guilds/${home.id}/roles`)).length,
    }),
  ],
  [
    'An invite',
    async () => ({
      make: keyed(ada, `/v1/channels/${home.channel}/invites`, { unique: true }),
      undo: (made) => send(ada, 'DELETE', `/v1/invites/${String(bodyOf(made)['code'])}`),
      count: async () => listOf(await send(ada, 'GET', `/v1/channels/${home.channel}/invites`)).length,
    }),
  ],
  [
    'A thread',
    async () => ({
      make: keyed(brian, `/v1/channels/${home.channel}/threads`, { name: 'short-lived', type: 11 }),
      undo: (made) => send(ada, 'DELETE', `/v1/channels/${String(bodyOf(made)['id'])}`),
      count: async () => threadCount(home.channel),
    }),
  ],
  [
    'A post of a forum',
    async () => {
      const forum = String(
        bodyOf(await send(ada, 'POST', `/v1/guilds/${home.id}/channels`, { name: 'f', type: 15 }))['id'],
      )
      return {
        make: keyed(brian, `/v1/channels/${forum}/threads`, { name: 'short-lived', message: { content: 'first' } }),
        undo: (made) => send(ada, 'DELETE', `/v1/channels/${String(bodyOf(made)['id'])}`),
        count: () => threadCount(forum),
      }
    },
  ],
  [
    'A membership by an invite',
    async () => {
      const code = await invite(guildhall, ada, home.channel)
      const guest = await guildhall.register()
      return {
        make: keyed(guest, `/v1/invites/${code}`, {}),
        undo: () => send(guest, 'DELETE', `/v1/users/@me/guilds/${home.id}`),
        count: async () => listOf(await send(guest, 'GET', '/v1/users/@me/guilds')).length,
      }
    },
  ],
  [
    'An application',
    async () => ({
      make: keyed(ada, '/v1/oauth2/applications', { name: 'Short-lived' }),
      undo: (made) =>
        send(ada, 'DELETE', `/v1/oauth2/applications/${String(bodyOf(made)['id'])}`, { password: ada.password }),
      count: async () => listOf(await send(ada, 'GET', '/v1/oauth2/applications/@me')).length,
    }),
  ],
]

const threadCount = async (channel: string): Promise<number> =>
  Number(bodyOf(await send(ada, 'GET', `/v1/channels/${channel}/threads/search`))['total_results'])

describe.each(withAnswers)('%s that was undone', (_, open) => {
  it('gets the same answer for the same key, and is not created again if that answer was lost', async () => {
    const { make, undo, count } = await open()
    const made = await make()
    expect(made.status).toBeLessThan(300)
    expect((await undo(made)) as TestAnswer).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
    await expect.poll(count).toBe(await count())
    const [before, events] = [await count(), await eventCount()]
    const again = await make()
    expect([again.status, again.body]).toStrictEqual([made.status, made.body])
    await loseAnswers()
    const late = await make()
    expect(late.status).toBeLessThan(500)
    expect((await make()).status).toBe(late.status)
    expect([await count(), await eventCount()]).toStrictEqual([before, events])
  })
})

describe('the first message of a post that was deleted', () => {
  it('does not come back with the key of the post, whose thread still exists', async () => {
    const forum = String(
      bodyOf(await send(ada, 'POST', `/v1/guilds/${home.id}/channels`, { name: 'g', type: 15 }))['id'],
    )
    const make = keyed(brian, `/v1/channels/${forum}/threads`, { name: 'kept', message: { content: 'gone' } })
    const id = String(bodyOf(await make())['id'])
    expect((await send(brian, 'DELETE', messagesPath(id, id))).status).toBe(204)
    await loseAnswers()
    expect(bodyOf(await make())).toMatchObject({ id })
    expect(await texts(id)).toStrictEqual([])
  })
})
