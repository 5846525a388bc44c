import { describe, expect, it } from 'vitest'
import { misheard } from './witness.ts'

const facts = ['INVITE_CREATE a', 'INVITE_DELETE a', 'INVITE_CREATE b', 'INVITE_DELETE b']
const [first = '', second = '', third = '', fourth = ''] = facts

describe('what a session misheard', () => {
  it('is nothing where it heard everything once and in order', () => {
    expect(misheard(facts, facts)).toEqual({ lost: [], repeated: [], reordered: [] })
    expect(misheard([], [])).toEqual({ lost: [], repeated: [], reordered: [] })
  })

  it('is lost where it never came', () => {
    expect(misheard([first, fourth], facts)).toEqual({ lost: [second, third], repeated: [], reordered: [] })
  })

  it('is repeated where it came twice, or never happened', () => {
    expect(misheard([first, second, first, third, 'INVITE_CREATE c', fourth], facts)).toEqual({
      lost: [],
      repeated: [first, 'INVITE_CREATE c'],
      reordered: [],
    })
  })

  it('is reordered where it came after something younger', () => {
    expect(misheard([second, first, third, fourth], facts)).toEqual({ lost: [], repeated: [], reordered: [first] })
  })
})
