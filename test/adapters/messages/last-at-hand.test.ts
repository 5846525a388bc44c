import { describe, expect, it } from 'vitest'
import { inDoubt_ms, cachedLastMessages } from '../../../adapters/messages/cached-last-messages.ts'
import { openMessages } from '../../../adapters/messages/open-messages.ts'
import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { at, general, message, other, posted, audience } from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { laidDatabase } from '../../support/test-database.ts'

const lastly = (messageId: MessageId) => ({ messageId, pinnedAt: null })

/** Messages that only know the newest one of each channel, and count the queries for it. */
function fake() {
  const last = new Map<ChannelId, MessageId>()
  let now_ms = 0
  const counts = { asked: 0 }
  let hold: Promise<void> | undefined
  let failure: Error | undefined
  const held = cachedLastMessages(
    {
      post: async ({ message: given }) => {
        last.set(given.channelId, given.id)
        if (failure) throw failure
        return { outcome: 'posted', message: given }
      },
      pin: async () => false,
      remove: async (_, { channelId }) => (last.delete(channelId), []),
      removeOfAuthor: async () => ({ deleted_count: 0 }),
      removeChannels: async (channels) => channels.forEach((channel) => last.delete(channel)),
      lastOf: async (channels) => {
        counts.asked += 1
        const found = new Map(
          channels.flatMap((id) => (last.has(id) ? [[id, lastly(last.get(id) ?? at(0))] as const] : [])),
        )
        await hold
        return found
      },
    },
    () => now_ms,
  )
  return {
    ...held,
    counts,
    pass: (ms: number) => void (now_ms += ms),
    hold: (until: Promise<void> | undefined) => void (hold = until),
    fail: (error: Error | undefined) => void (failure = error),
    post: (second: number) => held.messages.post({ message: message(at(second)), audience: audience() }),
    last: async () => (await held.messages.lastOf([general])).get(general)?.messageId,
  }
}

describe('the newest message of a channel', () => {
  it('is asked for once, also where there is none, until something is written there', async () => {
    const { last, post, counts } = fake()
    expect([await last(), await last()]).toStrictEqual([undefined, undefined])
    expect(counts.asked).toBe(1)
    await post(1)
    expect([await last(), await last()]).toStrictEqual([at(1), at(1)])
    expect(counts.asked).toBe(2)
  })
  it('is asked for of those channels alone that are not known', async () => {
    const { messages, last, post, counts } = fake()
    await post(1)
    await last()
    expect(await messages.lastOf([general, other])).toStrictEqual(new Map([[general, lastly(at(1))]]))
    await messages.lastOf([general, other])
    expect(counts.asked).toBe(2)
  })
  it('is forgotten with every way to remove messages', async () => {
    const the = fake()
    const { messages, last, post } = the
    const ways = [
      () => messages.remove([at(1)], { ...audience(), bulk: false }),
      () => messages.removeChannels([general]),
    ]
    for (const remove of ways) {
      await post(1)
      expect(await last()).toBe(at(1))
      await remove()
      expect(await last()).toBeUndefined()
    }
    const { counts } = the
    const before = counts.asked
    for (const forget of [() => the.forget([general]), the.forgetAll]) {
      forget()
      await last()
      await last()
    }
    expect(counts.asked).toBe(before + 2)
  })
  it('is not kept where something was written while it was read', async () => {
    const { last, post, hold } = fake()
    let goOn = (): void => undefined
    hold(new Promise((resolve) => (goOn = resolve)))
    const early = last()
    await post(1)
    hold(undefined)
    goOn()
    expect(await early).toBeUndefined()
    expect(await last()).toBe(at(1))
  })
  it('is not kept for a while where it is not known what became of a write', async () => {
    const { last, post, fail, pass, counts } = fake()
    await last()
    fail(new Error('the connection broke'))
    await expect(post(1)).rejects.toThrow('the connection broke')
    fail(undefined)
    expect([await last(), await last()]).toStrictEqual([at(1), at(1)])
    expect(counts.asked).toBe(3)
    pass(inDoubt_ms)
    await last()
    await last()
    expect(counts.asked).toBe(4)
  })
  it('that another program wrote beside the server shows once its notice is followed', async () => {
    const test = await laidDatabase()
    const { database, notifier } = test
    const errors: unknown[] = []
    const onError = (error: unknown): void => void errors.push(error)
    const own = openMessages({ database, heldPosition, notifier, isAlone: true, onError })
    const beside = openMessages({ database, heldPosition, notifier, onError })
    const stop = new AbortController()
    try {
      const notices = own.notices.follow(await own.notices.beginning(), stop.signal)[Symbol.asyncIterator]()
      expect((await own.messages.lastOf([general])).size).toBe(0)
      await posted(beside.messages, [at(1)])
      expect((await notices.next()).value).toHaveLength(1)
      expect(await own.messages.lastOf([general])).toStrictEqual(new Map([[general, lastly(at(1))]]))
    } finally {
      stop.abort()
      await own.close()
      await beside.close()
      await test.close()
    }
    expect(errors).toStrictEqual([])
  })
})
