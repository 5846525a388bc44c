import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import type { Client } from '../../../gateway/support/client.ts'
import { accept, bodyOf, expectRefusal, invite } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { letEveryone, messagesPath, sent, settle } from '../../support/messages.ts'
import { befriend, relationsOn } from '../../support/relationships.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { threadsOf } from '../../support/threads.ts'
import { openDirect } from '../private-channels/support.ts'

const { connect, end } = connections()
const { guildhall, ada, brian, carol, home } = await openScene()
const threads = threadsOf(guildhall)
afterAll(end)

const type = ({ token }: { readonly token: string }, channel = home.channel) =>
  guildhall.request('POST', `/v1/channels/${channel}/typing`, { token })
const clientOf = async (account: { readonly token: string }): Promise<Client> =>
  (await connect(guildhall, account, { flags: 4 })).client

/** The channels where a client hears that somebody is writing, up to a signal that comes after all of them. */
async function heard(client: Client): Promise<readonly unknown[]> {
  expect((await type(brian)).status).toBe(204)
  const isLast = ({ t, d }: { readonly t?: string; readonly d: Readonly<Record<string, unknown>> }) =>
    t === 'TYPING_START' && d['channel_id'] === home.channel
  return (await client.until(isLast, 'the last')).flatMap(({ t, d }) => (t === 'TYPING_START' ? [d['channel_id']] : []))
}

describe('Start typing', () => {
  it('tells those who see the channel, the writer too, and stores nothing', async () => {
    const clients = [await clientOf(ada), await clientOf(brian)]
    const answer = await type(brian)
    expect(answer).toMatchObject({ status: 204, body: undefined })
    for (const client of clients) {
      const { d } = await client.dispatch('TYPING_START')
      expect(d).toStrictEqual({
        channel_id: home.channel,
        guild_id: home.id,
        user_id: brian.id,
        timestamp: expect.any(Number),
        member: expect.objectContaining({ user: expect.objectContaining({ id: brian.id }) }),
      })
      expect(Math.abs(Number(d['timestamp']) - Date.now() / 1000)).toBeLessThan(3600)
    }
  })

  it('works for a bot, and for an account that never began a session', async () => {
    const client = await clientOf(ada)
    const bot = await newApplication(guildhall, ada)
    await addBot(guildhall, bot, home)
    expect((await type({ token: asBot(bot) })).status).toBe(204)
    expect((await client.dispatch('TYPING_START')).d).toMatchObject({
      user_id: bot.id,
      member: { user: { bot: true } },
    })
  })

  it('tells only those who see a private thread, and refuses in one that is locked', async () => {
    const thread = await threads.started(ada, home.channel, { type: 12 })
    const [owner, member] = [await clientOf(ada), await clientOf(brian)]
    expectRefusal(await threads.send(brian, 'POST', `/v1/channels/${thread}/typing`), 403, 'MISSING_ACCESS')
    expect((await threads.send(ada, 'POST', `/v1/channels/${thread}/typing`)).status).toBe(204)
    expect((await owner.dispatch('TYPING_START')).d).toMatchObject({ channel_id: thread, user_id: ada.id })
    expect(await heard(member)).not.toContain(thread)
    await threads.join(ada, thread, brian.id)
    bodyOf(await threads.change(ada, thread, { locked: true }))
    expectRefusal(await threads.send(brian, 'POST', `/v1/channels/${thread}/typing`), 400, 'THREAD_LOCKED')
  })

  it('tells the recipients of a direct message, but nobody once one has blocked the other', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const direct = await openDirect(guildhall, one, other)
    await sent(guildhall, one, direct, 'opens it for both')
    await foundWith(guildhall, one, other)
    const client = await clientOf(other)
    expect((await type(one, direct)).status).toBe(204)
    expect((await client.dispatch('TYPING_START')).d).toStrictEqual({
      channel_id: direct,
      user_id: one.id,
      timestamp: expect.any(Number),
    })
    bodyOf(await relationsOn(guildhall).block(other, one))
    expect((await type(one, direct)).status).toBe(204)
    expect((await type(other, direct)).status).toBe(204)
    expect((await type(other, other.id)).status).toBe(204)
    // Signals of one process come in order.
    expect((await client.dispatch('TYPING_START')).d).toMatchObject({ channel_id: other.id })
    expectRefusal(await type(carol, direct), 404, 'UNKNOWN_CHANNEL')
  })

  it('is heard by nobody while the guild has TYPING_EVENTS disabled', async () => {
    const quiet = await foundWith(guildhall, ada, brian)
    await settle(guildhall, quiet, { disabledOperations: disabledOperationBits.TYPING_EVENTS })
    const client = await clientOf(ada)
    expect((await type(brian, quiet.channel)).status).toBe(204)
    expect(await heard(client)).toStrictEqual([home.channel])
  })

  it('is refused in an unknown channel, to a non-member, in one without messages, and without sight', async () => {
    expectRefusal(await type(brian, '1'), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await type(carol), 403, 'MISSING_PERMISSIONS')
    const guild = bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}`, { token: ada.token }))
    const channels = guild['channels'] as readonly { readonly id: string; readonly type: number }[]
    const category = channels.find((channel) => channel.type === 4)
    expectRefusal(await type(brian, category?.id), 400, 'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL')
    const hidden = await foundWith(guildhall, ada, brian)
    await letEveryone(guildhall, ada, hidden, hidden.channel, { deny: ['VIEW_CHANNEL'] })
    expectRefusal(await type(brian, hidden.channel), 403, 'MISSING_PERMISSIONS')
  })

  it('is refused without SEND_MESSAGES, and before that to a member who is timed out', async () => {
    const mute = await foundWith(guildhall, ada, brian)
    await letEveryone(guildhall, ada, mute, mute.channel, { deny: ['SEND_MESSAGES'] })
    expectRefusal(await type(brian, mute.channel), 403, 'MISSING_PERMISSIONS')
    const body = { communication_disabled_until: new Date(Date.now() + 3_600_000).toISOString() }
    bodyOf(await guildhall.request('PATCH', `/v1/guilds/${mute.id}/members/${brian.id}`, { token: ada.token, body }))
    expectRefusal(await type(brian, mute.channel), 403, 'COMMUNICATION_DISABLED')
  })

  it('does not ask for the age of the caller', async () => {
    const adult = await foundWith(guildhall, ada, brian)
    const year = new Date().getUTCFullYear() - 15
    const young = { email: `${randomUUID()}@example.com`, password: 'a password', date_of_birth: `${year}-01-01` }
    const { token } = bodyOf(
      await guildhall.request('POST', '/v1/auth/register', { body: { ...young, consent: true } }),
    ) as { readonly token: string }
    bodyOf(await accept(guildhall, { ...ada, token }, await invite(guildhall, ada, adult.channel)))
    await settle(guildhall, adult, { nsfw: true })
    const read = await guildhall.request('GET', messagesPath(adult.channel), { token })
    expectRefusal(read, 403, 'NSFW_CONTENT_AGE_RESTRICTED')
    expect((await type({ token }, adult.channel)).status).toBe(204)
  })
})
