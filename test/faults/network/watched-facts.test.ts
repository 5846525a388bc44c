import { describe, expect, it } from 'vitest'
import { hearingFaults, noHearingFaults } from './watched-facts.ts'

const told = (...lives: readonly string[]) => lives.map((facts) => ({ facts: facts.split(''), misnumbered: 0 }))
const expected = 'abcdef'.split('')

describe('the comparison of what a session heard with what happened', () => {
  it('finds no faults if both are the same', () => {
    expect(hearingFaults(told('abcdef'), expected)).toEqual(noHearingFaults)
  })
  it.each([
    ['a fact in the middle is lost', told('abdef'), { lost: 1 }],
    ['the first fact is lost', told('bcdef'), { lost: 1 }],
    ['the last facts are lost', told('abcd'), { lost: 2 }],
    ['everything is lost', told(''), { lost: 6 }],
    ['a fact is repeated', told('abccdef'), { repeated: 1 }],
    ['a fact is repeated in a later life', told('abc', 'cdef'), { repeated: 1 }],
    ['neighbours are swapped', told('abdcef'), { reordered: 1 }],
    ['a fact never happened', told('abcxdef'), { unknown: 1 }],
    ['a life has a hole', told('abc', 'df'), { lost: 1 }],
    ['the last life hears nothing to its end', told('abc', 'd'), { lost: 2 }],
  ])('finds the fault when %s', (_, lives, faults) => {
    expect(hearingFaults(lives, expected)).toEqual({ ...noHearingFaults, ...faults })
  })
  it('allows gaps between two lives', () => {
    expect(hearingFaults(told('ab', 'ef'), expected)).toEqual(noHearingFaults)
  })
  it('finds dispatches whose numbers have gaps', () => {
    expect(hearingFaults([{ facts: [...expected], misnumbered: 2 }], expected).misnumbered).toBe(2)
  })
})
