import { describe, expect, it } from 'vitest'
import { channelId, messageId, type ChannelId, type MessageId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { NewestMessages } from '../../../gateway/visibility/newest-messages.ts'

const general = channelId(snowflake('1'))
const [older, newer] = [messageId(snowflake('11')), messageId(snowflake('12'))]

describe('the newest message of a channel', () => {
  it('that is deleted while it is looked up is not the newest: the one before it is', async () => {
    const answers: ((found: ReadonlyMap<ChannelId, MessageId>) => void)[] = []
    const lookUp = () => new Promise<ReadonlyMap<ChannelId, MessageId>>((answer) => answers.push(answer))
    const newest = new NewestMessages({ lookUp, channels_max: 10 })
    const learned = newest.learn([general])
    newest.forget(general, [newer])
    answers[0]?.(new Map([[general, newer]]))
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.(new Map([[general, older]]))
    await learned
    expect(newest.get(general)).toBe(older)
  })

  it('that is written while it is looked up is the newest', async () => {
    const newest = new NewestMessages({ lookUp: async () => new Map([[general, older]]), channels_max: 10 })
    const learned = newest.learn([general])
    newest.note(general, newer)
    await learned
    expect(newest.get(general)).toBe(newer)
  })
})
