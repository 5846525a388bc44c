import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../../application/ports/event-store.js'
import { tornAnswers } from './observed-counts.js'

/** Somebody joins guild 1 at each position. */
const joins = [0, 1, 2, 3].map((position) => {
  const data = { guildId: '1', accountId: String(position) }
  return { position: BigInt(position), type: 'MemberJoined', data } as unknown as RecordedEvent
})
const seen = (position: number, count: number) => ({ position: BigInt(position), members: new Map([['1', count]]) })

describe('answers of read models', () => {
  it('are whole where they show what the events up to their position make, whatever their order', () => {
    expect(tornAnswers([seen(3, 4), seen(0, 1), seen(2, 3)], joins)).toEqual([])
  })

  it('are torn where they show more, or less', () => {
    const torn = [seen(1, 1), seen(2, 4)]
    expect(tornAnswers([...torn, seen(3, 4)], joins)).toEqual(torn)
  })
})
