import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isOneTypo } from '../../projections/discovery/search/typos.ts'

const letters = ['a', 'b', 'c']
const word = fc.string({ unit: fc.constantFrom(...letters), maxLength: 6 })

/** All texts that are one typo away. */
function typosOf(text: string): ReadonlySet<string> {
  const all = new Set([text])
  for (let at = 0; at <= text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)]
    all.add(before + after.slice(1))
    if (after.length > 1) all.add(`${before}${after[1]}${after[0]}${after.slice(2)}`)
    for (const letter of letters) all.add(before + letter + after).add(before + letter + after.slice(1))
  }
  return all
}

it('a typo is one letter missing, too many or another one, or two neighbours changed over', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isOneTypo(a, b)).toBe(typosOf(a).has(b))
    }),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(word, (text) => {
      expect([...typosOf(text)].filter((typo) => !isOneTypo(text, typo))).toStrictEqual([])
    }),
  )
})
