import { expect, it } from 'vitest'
import type { Message, Messages } from '../../application/ports/messages.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { messageId, roleId, type MessageId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { ada, at, bob, general, home, id, message, noon, other, posted, audience } from './messages-fixtures.ts'

/** What posting a message does, and which steps may be repeated. */
export function posting(messages: () => Messages, pass: (seconds: number) => Promise<void>): void {
  it('keep every member of a message, from any month', async () => {
    const whole = message(at(3600), {
      type: messageTypes.reply,
      flags: 4096,
      editedAt: timestamp(noon),
      tts: true,
      mentionsEveryone: true,
      mentionsHere: true,
      mentions: [bob],
      mentionRoles: [roleId(id(93))],
      reference: { channelId: general, messageId: at(0), guildId: home },
    })
    await posted(messages(), [at(0), messageId(id(0)), messageId(snowflake('9223372036854775806'))])
    expect(await messages().post({ message: whole, audience: audience() })).toStrictEqual({
      outcome: 'posted',
      message: whole,
    })
    expect(await messages().find(general, whole.id)).toStrictEqual(whole)
    expect(await messages().find(other, whole.id)).toBeUndefined()
    expect(await messages().find(general, messageId(id(0)))).toMatchObject({ content: 'message 0' })
  })

  it('return the first message again for the same nonce of an author in a channel within 5 minutes', async () => {
    const post = (of: MessageId, more: Partial<Message> = {}) =>
      messages().post({
        message: message(of, more),
        nonce: 'n1',
        audience: audience({ channelId: more.channelId ?? general }),
      })
    await post(at(0))
    expect(await post(at(299))).toStrictEqual({ outcome: 'repeated', message: message(at(0)) })
    expect(await post(at(1), { authorId: bob })).toMatchObject({ outcome: 'posted' })
    expect(await post(at(1, 1), { channelId: other })).toMatchObject({ outcome: 'posted' })
    expect(await post(at(301))).toMatchObject({ outcome: 'posted', message: { id: at(301) } })
    expect(await messages().find(general, at(299))).toBeUndefined()
  })

  it('post one message of many with the same nonce at once', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => at(0, index))
    const answers = await Promise.all(
      ids.map((of) => messages().post({ message: message(of), nonce: 'n1', slowMode_s: 5, audience: audience() })),
    )
    expect(answers.filter(({ outcome }) => outcome === 'posted')).toHaveLength(1)
    expect(answers.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(7)
    expect(await messages().page(general, { limit: 100 })).toHaveLength(1)
  })

  it('limit an author to the pace of slow mode, and nobody else', async () => {
    const post = (of: MessageId, more: Partial<Message> = {}) =>
      messages().post({ message: message(of, more), slowMode_s: 10, audience: audience() })
    await post(at(0))
    await pass(4)
    const slowed = await post(at(4))
    if (slowed.outcome !== 'slowed') throw new Error(slowed.outcome)
    expect(slowed.retryAfter_s).toBeGreaterThan(0)
    expect(slowed.retryAfter_s).toBeLessThanOrEqual(6)
    expect(await post(at(4), { authorId: bob })).toMatchObject({ outcome: 'posted' })
    expect(await messages().post({ message: message(at(5)), audience: audience() })).toMatchObject({
      outcome: 'posted',
    })
    await pass(6)
    expect(await post(at(10))).toMatchObject({ outcome: 'posted' })
  })

  it('limit an author to the same pace for threads, counted separately, and give one thread the same turn again', async () => {
    const start = (of: MessageId) =>
      messages().takeThreadTurn({ id: of, channelId: general, authorId: ada, slowMode_s: 10 })
    await messages().post({ message: message(at(3)), slowMode_s: 10, audience: audience() })
    expect([await start(at(4)), await start(at(4))]).toStrictEqual([0, 0])
    await pass(5)
    expect(await start(at(4))).toBe(0)
    const wait_s = await start(at(9))
    expect(wait_s).toBeGreaterThan(0)
    expect(wait_s).toBeLessThanOrEqual(5)
    await pass(5)
    expect(await start(at(14))).toBe(0)
  })

  it('let one of many at once through in slow mode, and none earlier because it was deleted', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => at(0, index))
    const answers = await Promise.all(
      ids.map((of) => messages().post({ message: message(of), slowMode_s: 5, audience: audience() })),
    )
    expect(answers.filter(({ outcome }) => outcome === 'posted')).toHaveLength(1)
    await messages().remove(ids, { ...audience(), bulk: true })
    const next = { message: message(at(2)), slowMode_s: 5, audience: audience() }
    expect(await messages().post(next)).toMatchObject({ outcome: 'slowed' })
  })

  it('accept a message once, however often the step that posts it is repeated', async () => {
    await posted(messages(), [at(0)])
    const again = await messages().post({ message: message(at(0), { content: 'changed' }), audience: audience() })
    expect(again).toStrictEqual({ outcome: 'repeated', message: message(at(0)) })
  })

  it('post a message once even if it was deleted meanwhile', async () => {
    const post = (of: MessageId) => messages().post({ message: message(of), once_ms: 60_000, audience: audience() })
    expect(await post(at(0))).toStrictEqual({ outcome: 'posted', message: message(at(0)) })
    await messages().remove([at(0)], { ...audience(), bulk: false })
    expect(await post(at(0))).toStrictEqual({ outcome: 'gone' })
    expect(await messages().find(general, at(0))).toBeUndefined()
    expect(await post(at(1))).toMatchObject({ outcome: 'posted' })
    expect(await post(at(1))).toStrictEqual({ outcome: 'repeated', message: message(at(1)) })
  })

  it('find what a step posted before, as it is now', async () => {
    await messages().post({ message: message(at(0)), once_ms: 60_000, audience: audience() })
    await messages().edit(at(0), { content: 'new' }, audience())
    expect(await messages().postedBefore(general, at(0))).toStrictEqual(message(at(0), { content: 'new' }))
    expect(await messages().postedBefore(other, at(0))).toBeUndefined()
    expect(await messages().postedBefore(general, at(1))).toBeUndefined()
    await messages().removeChannels([general])
    expect(await messages().postedBefore(general, at(0))).toBe('gone')
  })

  it('post nothing again for a step that found its nonce used, after the message that it found was deleted', async () => {
    const post = (of: MessageId) =>
      messages().post({ message: message(of), nonce: 'n1', once_ms: 60_000, slowMode_s: 5, audience: audience() })
    await messages().post({ message: message(at(0)), nonce: 'n1', audience: audience() })
    expect(await post(at(1))).toStrictEqual({ outcome: 'repeated', message: message(at(0)) })
    await messages().remove([at(0)], { ...audience(), bulk: false })
    expect(await post(at(1))).toStrictEqual({ outcome: 'gone' })
    expect(await messages().postedBefore(general, at(1))).toBe('gone')
    expect(await post(at(2))).toMatchObject({ outcome: 'posted' })
  })

  it('do not limit the pace of a step for what it posted before', async () => {
    const post = (of: MessageId) =>
      messages().post({ message: message(of), once_ms: 60_000, slowMode_s: 5, audience: audience() })
    await post(at(0))
    await pass(5)
    await post(at(5))
    expect(await post(at(0))).toStrictEqual({ outcome: 'repeated', message: message(at(0)) })
    expect(await post(at(7))).toMatchObject({ outcome: 'slowed' })
    expect(await messages().postedBefore(general, at(7))).toBeUndefined()
  })

  it('post one message of many at once for one step, and none of those that come during its deletion', async () => {
    const post = () => messages().post({ message: message(at(0)), once_ms: 60_000, audience: audience() })
    const answers = await Promise.all(Array.from({ length: 8 }, post))
    expect(answers.filter(({ outcome }) => outcome === 'posted')).toHaveLength(1)
    const remove = () => messages().remove([at(0)], { ...audience(), bulk: false })
    const late = await Promise.all([...Array.from({ length: 4 }, post), remove(), ...Array.from({ length: 4 }, post)])
    expect(late.flatMap((each) => ('outcome' in each ? [each.outcome] : []))).not.toContain('posted')
    expect(await messages().find(general, at(0))).toBeUndefined()
  })
}
