import { describe, expect, it } from 'vitest'
import { readings } from '../../../application/caches/readings.ts'

describe('a read in progress', () => {
  it('may keep what it found, unless something of that name was forgotten since it began', () => {
    const { begin, forget } = readings()
    const [one, other] = [begin(), begin()]
    forget('guild 1')
    const later = begin()
    for (const early of [one, other])
      expect([early.isFresh('guild 1'), early.isFresh('guild 2')]).toStrictEqual([false, true])
    expect(later.isFresh('guild 1')).toBe(true)
  })
  it('may keep nothing once all was forgotten', () => {
    const { begin, forgetAll } = readings()
    const early = begin()
    forgetAll()
    expect(early.isFresh('anything')).toBe(false)
    expect(begin().isFresh('anything')).toBe(true)
  })
  it('gets no news after it is over', () => {
    const { begin, forget } = readings()
    const over = begin()
    over.end()
    forget('guild 1')
    expect(over.isFresh('guild 1')).toBe(true)
  })
})
