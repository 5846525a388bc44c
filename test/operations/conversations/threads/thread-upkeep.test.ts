import { describe, expect, it } from 'vitest'
import { markStarter } from '../../../../application/conversations/threads/thread-messages.ts'
import { accountId, channelId, guildId, messageId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { threadTypes } from '../../../../domain/thread/state.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { sent } from '../../support/messages.ts'
import { openThreads } from '../../support/threads.ts'

const { guildhall, ada, brian, home, threads } = await openThreads()

const threadNamed = (id: string) => guildhall.ports.queries.threads.find(channelId(snowflake(id)))
const flagsOf = async (message: string) =>
  bodyOf(await threads.send(brian, 'GET', `/v1/channels/${home.channel}/messages/${message}`))['flags']

/** What remains of a request whose process died as soon as the thread had begun. */
async function startAndDie(thread: string, parent: string, { id }: TestAccount): Promise<void> {
  const createdAt = timestamp(Date.now())
  const place = { threadId: channelId(snowflake(thread)), parentId: channelId(snowflake(parent)) }
  const settings = { name: 'Late', autoArchiveDuration: 60, rateLimitPerUser: 0, invitable: null, flags: 0 } as const
  const started = {
    ...place,
    ...settings,
    guildId: guildId(snowflake(home.id)),
    threadType: threadTypes.public,
    ownerId: accountId(snowflake(id)),
    appliedTags: [],
    starterId: null,
    createdAt,
  }
  const command = { type: 'StartThread', thread: started } as const
  await guildhall.ports.aggregates.thread.execute(place.threadId, command, testContext())
}

async function deleteAndDie(thread: string): Promise<void> {
  const command = { type: 'DeleteThread', because: 'asked' } as const
  const context = testContext()
  await guildhall.ports.aggregates.thread.execute(channelId(snowflake(thread)), command, context)
  await guildhall.ports.readModels.reached(context.written)
}

describe('a thread that began after the end of its channel', () => {
  it('ends, although its process died at once', async () => {
    const channel = String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'talk', type: 0 }))['id'])
    expect((await threads.send(ada, 'DELETE', `/v1/channels/${channel}`)).status).toBe(204)
    const thread = `${BigInt(channel) + 1n}`
    await startAndDie(thread, channel, brian)
    const state = async () => (await guildhall.ports.aggregates.thread.load(thread)).state.status
    await expect.poll(state).toBe('deleted')
    await expect.poll(() => threadNamed(thread)).toBeUndefined()
  })
})

describe('a membership of a thread that began after the end of the one in the guild', () => {
  it('ends, although its process died at once', async () => {
    const [thread, gone] = [await threads.started(brian, home.channel), await home.member()]
    expect((await guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: gone.token })).status).toBe(
      204,
    )
    const by = accountId(snowflake(gone.id))
    const now = timestamp(Date.now())
    const { aggregates } = guildhall.ports
    // Writing a message joins the thread, and nobody checks again then.
    const write = { type: 'TakeMessage', by, asModerator: false, now } as const
    await aggregates.thread.execute(thread, write, testContext())
    const state = async () => (await aggregates.thread.load(thread)).state
    await expect.poll(state).not.toHaveProperty(['members', gone.id])
    expect(await state()).toHaveProperty(['members', brian.id])
  })
})

describe('the mark of a thread’s starter message', () => {
  it('is removed with the thread, although the process that deleted it died at once', async () => {
    const message = await sent(guildhall, brian, home.channel, 'A thought')
    await threads.startFrom(brian, home.channel, message)
    expect(await flagsOf(message)).toBe(32)
    await deleteAndDie(message)
    await expect.poll(() => flagsOf(message)).toBe(0)
  })

  it('is not left behind when it is set after the thread’s end', async () => {
    const message = await sent(guildhall, brian, home.channel, 'A thought')
    await threads.startFrom(brian, home.channel, message)
    expect((await threads.remove(ada, message)).status).toBe(204)
    const guild = await guildhall.ports.queries.guilds.find(guildId(snowflake(home.id)))
    const channel = guild?.channels.find(({ id }) => id === home.channel)
    if (!guild || !channel) throw new Error('there is no channel')
    await markStarter(guildhall.ports, { guild, channel }, { starterId: messageId(snowflake(message)) }, true)
    expect(await flagsOf(message)).toBe(0)
  })

  it('is kept if flags of the message are changed at the same moment', async () => {
    const messages = await Promise.all(
      Array.from({ length: 8 }, () => sent(guildhall, brian, home.channel, 'A thought')),
    )
    await Promise.all(
      messages.flatMap((message) => [
        threads.startFrom(brian, home.channel, message),
        threads.send(brian, 'PATCH', `/v1/channels/${home.channel}/messages/${message}`, { flags: 4 }),
      ]),
    )
    expect(await Promise.all(messages.map(flagsOf))).toStrictEqual(messages.map(() => 36))
  })
})
