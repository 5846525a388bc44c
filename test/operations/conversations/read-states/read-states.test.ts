import { afterEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { asBot, newApplication } from '../../support/applications.ts'
import { messagesPath, sent } from '../../support/messages.ts'
import { readStatesIn, readStatesOn } from '../../support/read-states.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, carol } = await openScene()
const { connect, end } = connections()
afterEach(end)
const { ack, clear, ackAll, ackBulk, ackPins } = readStatesOn(guildhall)

const home = () => foundWith(guildhall, ada, brian)
/** What an account's next READY says of a channel. */
const stateOf = async (account: TestAccount, channel: string, more: object = {}) =>
  readStatesIn((await connect(guildhall, account, more)).ready)[channel]
const numbersOf = (state: Readonly<Record<string, unknown>> | undefined) =>
  state && [state['last_message_id'], state['mention_count']]

describe('Acknowledge message', () => {
  it('moves the read state forwards, is in READY, and is told to the own sessions alone', async () => {
    const { channel } = await home()
    const [first, second] = [await sent(guildhall, ada, channel, 'one'), await sent(guildhall, ada, channel, 'two')]
    const [{ client }, other] = [await connect(guildhall, brian), await connect(guildhall, ada)]
    expect(await ack(brian, channel, first, { mention_count: 3 })).toMatchObject({ status: 204, body: undefined })
    expect((await client.dispatch('MESSAGE_ACK')).d).toStrictEqual({
      channel_id: channel,
      message_id: first,
      mention_count: 3,
      manual: false,
      version: '0',
    })
    expect(await stateOf(brian, channel)).toStrictEqual({
      id: channel,
      last_message_id: first,
      mention_count: 3,
      last_pin_timestamp: null,
      version: '0',
    })
    expect((await ack(brian, channel, second)).status).toBe(204)
    expect((await client.dispatch('MESSAGE_ACK')).d).toMatchObject({ message_id: second, mention_count: 0 })
    // What lies before stays as it was, and is told as it is.
    expect((await ack(brian, channel, first, { mention_count: 7 })).status).toBe(204)
    expect((await client.dispatch('MESSAGE_ACK')).d).toMatchObject({ message_id: second, mention_count: 0 })
    expect((await ack(brian, channel, second, { mention_count: 2 })).status).toBe(204)
    expect((await client.dispatch('MESSAGE_ACK')).d).toMatchObject({ message_id: second, mention_count: 2 })
    expect((await ack(brian, channel, first, { manual: true, mention_count: 1 })).status).toBe(204)
    expect((await client.dispatch('MESSAGE_ACK')).d).toMatchObject({
      message_id: first,
      mention_count: 1,
      manual: true,
    })
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual([first, 1])
    expect(other.client.dispatches.filter(({ t }) => t === 'MESSAGE_ACK')).toStrictEqual([])
  })

  it('takes any channel and message, refuses bad numbers, and no bots', async () => {
    const { channel } = await home()
    expect((await ack(brian, '1', '2')).status).toBe(204)
    expect((await ack(brian, channel, '2')).status).toBe(204)
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual(['2', 0])
    for (const count of [-1, 2_147_483_648, 'two'])
      expectRefusal(await ack(brian, '1', '2', { mention_count: count }), 400, 'INVALID_FORM_BODY')
    expectFields(await ack(brian, 'x', '2'), field('channel_id', 'INVALID_SNOWFLAKE_FORMAT'))
    const { botToken } = await newApplication(guildhall, ada)
    const bot = { token: asBot({ botToken }) }
    expectRefusal(await ack(bot, '1', '2'), 403, 'ACCESS_DENIED')
    expectRefusal(await ackAll(bot, [{ channel_id: '1', message_id: '2' }]), 403, 'ACCESS_DENIED')
    expectRefusal(await ackBulk(bot, [{ channel_id: '1', message_id: '2' }]), 403, 'ACCESS_DENIED')
    expect((await clear(bot, '1')).status).toBe(204)
    expect((await connect(guildhall, { token: botToken })).ready['read_states']).toStrictEqual([])
  })

  it('by many at once ends with the furthest', async () => {
    const [{ channel }, { channel: second }] = [await home(), await home()]
    const ids = Array.from({ length: 12 }, (_, index) => String(1000 + index))
    const acks = ids.toReversed().map((id) => ack(brian, channel, id))
    const bulks = ids.map((id) =>
      ackBulk(brian, [
        { channel_id: channel, message_id: id },
        { channel_id: second, message_id: id },
      ]),
    )
    const turned = ids.map((id) =>
      ackAll(brian, [
        { channel_id: second, message_id: id },
        { channel_id: channel, message_id: id },
      ]),
    )
    const answers = await Promise.all([...acks, ...bulks.slice(0, 8), ...turned.slice(4)])
    expect(answers.filter(({ status }) => status >= 300)).toStrictEqual([])
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual(['1011', 0])
  })
})

describe('several acknowledgements', () => {
  it('are carried out in order, with what they say of mentions', async () => {
    const [{ channel: first }, { channel: second }] = [await found(guildhall, carol), await found(guildhall, carol)]
    const states = [
      { channel_id: first, message_id: '10', mention_count: 4 },
      { channel_id: second, message_id: '20' },
      { channel_id: first, message_id: '5', manual: true },
      { channel_id: first, message_id: '4', mention_count: 9 },
    ]
    const { client } = await connect(guildhall, carol)
    const shown = (id: string, last: string, count: number) => ({
      id,
      last_message_id: last,
      mention_count: count,
      last_pin_timestamp: null,
      version: '0',
    })
    expect(await ackAll(carol, states)).toMatchObject({
      status: 200,
      body: {
        read_states: [shown(first, '10', 4), shown(second, '20', 0), shown(first, '5', 0), shown(first, '5', 0)],
      },
    })
    const told = []
    for (let count = 0; count < 4; count += 1) told.push((await client.dispatch('MESSAGE_ACK')).d)
    expect(told.map((d) => [d['channel_id'], d['message_id'], d['mention_count'], d['manual']])).toStrictEqual([
      [first, '10', 4, false],
      [second, '20', 0, false],
      [first, '5', 0, true],
      [first, '5', 0, false],
    ])
  })

  it('together never move backwards, and are judged by what was there before', async () => {
    const { channel } = await found(guildhall, carol)
    expect((await ackBulk(carol, [{ channel_id: channel, message_id: '50' }])).status).toBe(204)
    const { client } = await connect(guildhall, carol)
    const states = ['60', '55', '40'].map((message_id) => ({ channel_id: channel, message_id }))
    expect((await ackBulk(carol, states)).status).toBe(204)
    const told = []
    for (let count = 0; count < 3; count += 1) told.push((await client.dispatch('MESSAGE_ACK')).d)
    expect(told.map((d) => d['message_id'])).toStrictEqual(['60', '55', '60'])
    expect(told.every((d) => !('manual' in d))).toBe(true)
    expect(numbersOf(await stateOf(carol, channel))).toStrictEqual(['60', 0])
    expect(bodyOf(await ackAll(carol, [{ channel_id: channel, message_id: '59' }]))).toMatchObject({
      read_states: [{ id: channel, last_message_id: '60' }],
    })
  })

  it('are refused without any, and above 100', async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ channel_id: '1', message_id: '2' }))
    for (const act of [ackAll, ackBulk])
      for (const count of [0, 101]) expectRefusal(await act(carol, many(count)), 400, 'INVALID_FORM_BODY')
    expect((await ackBulk(carol, many(100))).status).toBe(204)
  })
})

describe('Clear read state', () => {
  it('forgets it with its mentions, and tells nobody; once more does nothing', async () => {
    const { channel } = await home()
    await sent(guildhall, ada, channel, `<@${brian.id}>`)
    await ack(brian, channel, '7')
    const mention = await sent(guildhall, ada, channel, `<@${brian.id}>`)
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual(['7', 1])
    const { client } = await connect(guildhall, brian)
    for (let again = 0; again < 2; again += 1) expect((await clear(brian, channel)).status).toBe(204)
    expect(await stateOf(brian, channel)).toBeUndefined()
    expect(client.dispatches.filter(({ t }) => t === 'MESSAGE_ACK')).toStrictEqual([])
    await sent(guildhall, ada, channel, `<@${brian.id}> again`)
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual([channel, 1])
    expect((await ack(brian, channel, mention)).status).toBe(204)
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual([mention, 0])
  })
})

describe('sending', () => {
  it('moves the read state of its author, but not of a bot, and tells nobody of it', async () => {
    const { channel } = await home()
    await sent(guildhall, ada, channel, `<@${brian.id}>`)
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual([channel, 1])
    const { client } = await connect(guildhall, brian)
    const own = await sent(guildhall, brian, channel, { content: 'yes?', nonce: '1' })
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual([own, 0])
    const later = await sent(guildhall, brian, channel, 'well')
    expect(numbersOf(await stateOf(brian, channel))).toStrictEqual([later, 0])
    await client.until(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === later, 'the own message')
    expect(client.dispatches.filter(({ t }) => t === 'MESSAGE_ACK')).toStrictEqual([])
  })

  it('of many messages at once leaves the furthest of each author', async () => {
    const { channel } = await home()
    const ids = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        sent(guildhall, index % 2 ? ada : brian, channel, `<@${carol.id}> ${index}`),
      ),
    )
    const newest = (of: number) =>
      ids
        .filter((_, index) => index % 2 === of)
        .toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
        .at(-1)
    expect((await stateOf(brian, channel))?.['last_message_id']).toBe(newest(0))
    expect((await stateOf(ada, channel))?.['last_message_id']).toBe(newest(1))
  })
})

describe('Acknowledge pins', () => {
  it('keeps the last pin, tells it, and does nothing without one', async () => {
    const { channel } = await home()
    const { client } = await connect(guildhall, brian)
    expect((await ackPins(brian, channel)).status).toBe(204)
    expect(await stateOf(brian, channel)).toBeUndefined()
    const message = await sent(guildhall, ada, channel, 'the rules')
    await guildhall.request('PUT', `/v1/channels/${channel}/pins/${message}`, { token: ada.token })
    const { last_pin_timestamp: at } = (await client.dispatch('CHANNEL_PINS_UPDATE')).d
    expect((await ackPins(brian, channel)).status).toBe(204)
    expect((await client.dispatch('CHANNEL_PINS_ACK')).d).toStrictEqual({ channel_id: channel, timestamp: at })
    expect(await stateOf(brian, channel)).toStrictEqual({
      id: channel,
      last_message_id: null,
      mention_count: 0,
      last_pin_timestamp: at,
      version: '0',
    })
    expect((await ack(brian, channel, message)).status).toBe(204)
    expect(await stateOf(brian, channel)).toMatchObject({ last_message_id: message, last_pin_timestamp: at })
  })

  it('is refused for no channel, and says nothing of one that is out of sight', async () => {
    const { channel } = await home()
    const message = await sent(guildhall, ada, channel, 'the rules')
    await guildhall.request('PUT', `/v1/channels/${channel}/pins/${message}`, { token: ada.token })
    expectRefusal(await ackPins(carol, '1'), 404, 'UNKNOWN_CHANNEL')
    expect((await ackPins(carol, channel)).status).toBe(204)
    expect(await stateOf(carol, channel)).toBeUndefined()
    expect((await guildhall.request('GET', messagesPath(channel), { token: carol.token })).status).toBe(403)
  })
})
