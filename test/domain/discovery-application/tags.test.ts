import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { directoryCategories, directoryLanguages } from '../../../domain/discovery-application/listing.ts'
import { parseTag } from '../../../domain/discovery-application/tags.ts'
import { property } from '../../support/property.ts'

describe('a tag of the directory', () => {
  it.each([
    ['  Board   Games ', 'board games'],
    ['C++', 'c++'],
    ['R&B', 'r&b'],
    ['rock-n_roll', 'rock-n_roll'],
    ['3D', '3d'],
    ['Шахматы', 'шахматы'],
    ['हिन्दी', 'हिन्दी'],
    ['将棋', '将棋'],
    ['Cafe\u0301', 'caf\u00e9'],
  ])('is kept in lower case, with single spaces: %j', (text, tag) => {
    expect(parseTag(text)).toStrictEqual({ ok: true, value: tag })
  })

  it.each(['', 'a', ' a ', 'x'.repeat(31), `${' '.repeat(29)}ab`])(
    'has 2 to 30 characters, raw and kept: %j',
    (text) => {
      expect(parseTag(text)).toStrictEqual({ ok: false, code: 'STRING_LENGTH_INVALID' })
    },
  )

  it.each(['+tag', '-tag', 'a.b', 'a/b', 'ta\0g', '🎲🎲', 'a\u200bb', '\ud800ab'])(
    'has no other characters: %j',
    (text) => {
      expect(parseTag(text)).toStrictEqual({ ok: false, code: 'INVALID_FORMAT' })
    },
  )

  it.each(['\u3164\u3164', 'chess\u3164', 'che\u034fss', 'chess\ufe0f', '\u115f\u1160go', 'go\uffa0'])(
    'has no letters or marks that nobody sees: %j',
    (text) => {
      expect(parseTag(text)).toStrictEqual({ ok: false, code: 'INVALID_FORMAT' })
    },
  )

  property('is kept as it is when it is sent again', fc.string({ unit: 'grapheme', maxLength: 32 }), (text) => {
    const once = parseTag(text)
    if (once.ok) expect(parseTag(once.value)).toStrictEqual(once)
  })
})

describe('the directory', () => {
  it('has nine categories and 33 languages', () => {
    expect(directoryCategories).toHaveLength(9)
    expect(directoryLanguages).toHaveLength(33)
    expect(directoryLanguages).not.toContain('en-GB')
  })
})
