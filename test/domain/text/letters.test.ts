import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lettersOf } from '../../../domain/text/letters.ts'
import { expectLinear } from '../../support/growth.ts'

describe('the letters of a text', () => {
  it.each([
    ['b||a||dword', 'badword'],
    ['b̶a̶d̶w̶o̶r̶d̶', 'badword'],
    ['b a-d_w🙂o🙂r d', 'badword'],
    ['b\u0941a\u20e3dword', 'badword'],
    ['c$$h€ap', 'chap'],
    ['ÉTÉ', 'été'],
    ['schwül', 'schwül'],
    ['weiß', 'weiß'],
    ['ΟΔΟΣ οδος', 'οδοσοδοσ'],
    ['काल', 'काल'],
    ['ไม่', 'ไม่'],
    ['İstanbul ısı', 'istanbulısı'],
    ['☺ 🎉', ''],
  ])('say of %j that it is %j', (text, said) => {
    expect(lettersOf(text).said).toBe(said)
  })
  it.each([
    ['bаdwоrd', 'badword'],
    ['ВADWORD', 'badword'],
    ['ԁгоԁ', 'drod'],
    ['🅱🅰🅳', 'bad'],
    ['ʙᴀᴅ', 'bad'],
    ['вода', 'boдa'],
    ['Νοω', 'noω'],
    ['𐐄sage', 'osage'],
    ['sık', 'sık'],
    ['það', 'það'],
  ])('show for %j what it looks like', (text, seen) => {
    expect(lettersOf(text).seen).toBe(seen)
  })
  it('have one length in both forms, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const { said, seen } = lettersOf(text)
        expect(said).toHaveLength(seen.length)
      }),
      { numRuns: 2000 },
    )
  })
  it('take a time that grows as the length does, whatever the text is made of', () => {
    const unit = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 })
    const odd = fc.constantFrom('\u0301\u0327', 'а', 'aа', '🅱', '|', '\u0336', 'σ', 'İ', 'ा', '\u200b', '𐐄', '٠', '%d0')
    fc.assert(
      fc.property(fc.array(fc.oneof(unit, odd), { minLength: 1, maxLength: 4 }), (parts) => {
        const part = parts.join('')
        expectLinear(lettersOf, part.repeat(Math.ceil(60_000 / part.length)))
      }),
      { numRuns: 10 },
    )
  })
})
