import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStorable } from '../../../adapters/event-store/storable-text.ts'

/**
 * Text with everything that is difficult in JSON: backslashes, NUL, halves and pairs of surrogates, and what looks like their
 * escapes.
 */
const difficultText = fc
  .array(
    fc.constantFrom(
      '\\',
      '\0',
      '\ud83d',
      '\udc4d',
      '\ud83d\udc4d',
      'u0000',
      'ud83d',
      '\\u0000',
      '"',
      'a',
      '\n',
      '\u0001',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('text that Postgres can store', () => {
  it('is all that holds neither NUL nor half of a surrogate pair', () => {
    fc.assert(
      fc.property(fc.oneof(difficultText, fc.string({ unit: 'binary' })), (text) => {
        const isBroken = text.includes('\0') || /\p{Surrogate}/u.test(text)
        expect(isStorable(JSON.stringify({ [text]: [text] }))).toBe(!isBroken)
      }),
      { numRuns: 2000 },
    )
  })
})
