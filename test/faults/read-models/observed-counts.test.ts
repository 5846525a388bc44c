import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { tornAnswers } from './observed-counts.ts'

/** An account joins guild 1 at each position. */
const joins = [0, 1, 2, 3].map((position) => {
  const data = { guildId: '1', accountId: String(position) }
  return { position: BigInt(position), type: 'MemberJoined', data } as unknown as RecordedEvent
})
const seen = (position: number, count: number) => ({ position: BigInt(position), members: new Map([['1', count]]) })

describe('answers of read models', () => {
  it('are whole if they match the events up to their position, in any order', () => {
    expect(tornAnswers([seen(3, 4), seen(0, 1), seen(2, 3)], joins)).toEqual([])
  })

  it('are torn if they show more, or less', () => {
    const torn = [seen(1, 1), seen(2, 4)]
    expect(tornAnswers([...torn, seen(3, 4)], joins)).toEqual(torn)
  })
})
