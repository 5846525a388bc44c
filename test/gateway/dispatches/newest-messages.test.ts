import { describe, expect, it } from 'vitest'
import { channelId, messageId, type ChannelId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { ChannelLast } from '../../../domain/messages/channel-last.ts'
import { NewestMessages } from '../../../gateway/visibility/newest-messages.ts'

type Found = ReadonlyMap<ChannelId, ChannelLast>

const general = channelId(snowflake('1'))
const [older, newer] = [messageId(snowflake('11')), messageId(snowflake('12'))]
const [earlier, later] = [timestamp(1_000_000), timestamp(2_000_000)]
const found = (last: Partial<ChannelLast>): Found => new Map([[general, { messageId: null, pinnedAt: null, ...last }]])

/** Lookups that are answered by hand. */
function heldLookUps() {
  const answers: ((found: Found) => void)[] = []
  const lookUp = () => new Promise<Found>((answer) => answers.push(answer))
  return { answers, newest: new NewestMessages({ lookUp, channels_max: 10 }) }
}

describe('the newest message of a channel', () => {
  it('that is deleted while it is looked up is not the newest: the one before it is', async () => {
    const { answers, newest } = heldLookUps()
    const learned = newest.learn([general])
    newest.forget(general, [newer])
    answers[0]?.(found({ messageId: newer }))
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.(found({ messageId: older }))
    await learned
    expect(newest.get(general)?.messageId).toBe(older)
  })

  it('that is written while it is looked up is the newest', async () => {
    const newest = new NewestMessages({ lookUp: async () => found({ messageId: older }), channels_max: 10 })
    const learned = newest.learn([general])
    newest.note(general, newer)
    await learned
    expect(newest.get(general)?.messageId).toBe(newer)
  })
})

describe('the last pin of a channel', () => {
  it('is looked up again after a pin, and stays known until then, as the newest message does', async () => {
    const { answers, newest } = heldLookUps()
    const learned = newest.learn([general])
    answers[0]?.(found({ messageId: older, pinnedAt: earlier }))
    await learned
    await newest.learn([general])
    expect(answers).toHaveLength(1)
    newest.notePins(general)
    expect(newest.get(general)).toStrictEqual({ messageId: older, pinnedAt: earlier })
    const again = newest.learn([general])
    answers[1]?.(found({ messageId: older, pinnedAt: later }))
    await again
    expect(newest.get(general)).toStrictEqual({ messageId: older, pinnedAt: later })
  })

  it('that comes while it is looked up is looked up once more', async () => {
    const { answers, newest } = heldLookUps()
    const learned = newest.learn([general])
    newest.notePins(general)
    answers[0]?.(found({ pinnedAt: earlier }))
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.(found({ pinnedAt: later }))
    await learned
    expect(newest.get(general)?.pinnedAt).toBe(later)
  })

  it('is looked up where only a message was told of', async () => {
    const newest = new NewestMessages({ lookUp: async () => found({ pinnedAt: earlier }), channels_max: 10 })
    newest.note(general, newer)
    await newest.learn([general])
    expect(newest.get(general)).toStrictEqual({ messageId: newer, pinnedAt: earlier })
  })
})
