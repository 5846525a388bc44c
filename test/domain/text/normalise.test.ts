import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEmail, parseGlobalName, parseUsername, parseDateOfBirth } from '../../../domain/account/names.ts'
import { parseNewPassword, parsePresentPassword } from '../../../domain/account/password.ts'
import { parseTag } from '../../../domain/discovery-application/tags.ts'
import { textChannelName } from '../../../domain/guild/channel-names.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import { parsed, unparsed } from '../../../domain/kernel/parsed.ts'
import {
  hasLength,
  inviteCodeLength,
  isStorable,
  lengthOf,
  normalised,
  parseInviteCode,
  parseName,
  parseText,
  visible,
} from '../../../domain/text/normalise.ts'
import { property } from '../../support/property.ts'

const loneHigh = '\ud83d'
const loneLow = '\ude00'
/** Any UTF-16 units, with more lone surrogates, controls and whitespace than by chance. */
const units = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 9, 10, 12, 32, 0xa0, 0x200b, 0x202e, 0x2028, 0xfeff, 0xd83d, 0xde00, 0x3164),
)
const anyText = fc.array(units, { maxLength: 40 }).map((codes) => String.fromCharCode(...codes))

describe('normalised text', () => {
  it('has no form feed and no right-to-left override, and is trimmed', () => {
    expect(normalised(' \f a\u202eb\f ')).toBe('ab')
    expect(normalised('\u202e \u202e')).toBe('')
    expect(normalised('\u00a0\ufeff a  b \n')).toBe('a  b')
  })

  property('is kept as it is when it is normalised again', anyText, (text) => {
    expect(normalised(normalised(text))).toBe(normalised(text))
    expect(normalised(text)).not.toMatch(/^\s|\s$|[\f\u202e]/)
  })
})

describe('visible text', () => {
  property('is kept as it is when it is made visible again, and can be stored', anyText, (text) => {
    expect(visible(visible(text))).toBe(visible(text))
    expect(isStorable(visible(text))).toBe(true)
    expect(visible(text)).not.toMatch(/\s\s|^\s|\s$|[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u)
  })

  it('keeps letters, marks and emoji of every script', () => {
    for (const text of ['é', 'e\u0301', '日本語', 'עברית', '😀', '👍🏽', 'क्ष']) expect(visible(text)).toBe(text)
  })
})

describe('text that can be stored', () => {
  it('has neither NUL nor lone surrogates', () => {
    for (const text of ['', 'a', '😀', '\u0001', '\uffff']) expect(isStorable(text)).toBe(true)
    for (const text of ['\0', 'a\0', loneHigh, loneLow, `${loneLow}${loneHigh}`, `a${loneHigh}b`]) {
      expect(isStorable(text)).toBe(false)
    }
  })

  property('comes back from UTF-8 as it was', anyText, (text) => {
    const back = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))
    expect(isStorable(text)).toBe(back === text && !text.includes('\0'))
  })
})

describe('the length of a text', () => {
  it('counts characters: an emoji is one, a combining mark another one', () => {
    expect(lengthOf('')).toBe(0)
    expect(lengthOf('abc')).toBe(3)
    expect(lengthOf('😀😀')).toBe(2)
    expect(lengthOf('e\u0301')).toBe(2)
    expect(lengthOf(`${loneLow}${loneHigh}`)).toBe(2)
  })

  property('is the number of code points', anyText, (text) => {
    expect(lengthOf(text)).toBe(Array.from(text).length)
  })

  it('is within its bounds, both ends included', () => {
    const lengths = ['', 'a', 'ab', 'abc', '😀😀', '😀😀😀'].filter((text) => hasLength(text, { min: 1, max: 2 }))
    expect(lengths).toStrictEqual(['a', 'ab', '😀😀'])
  })
})

describe('a text of bounded length', () => {
  const name = { min: 1, max: 100 }

  it('is counted once it is normalised', () => {
    expect(parseText('  Home \f', name)).toStrictEqual(parsed('Home'))
    expect(parseText(` ${'a'.repeat(100)} `, name)).toStrictEqual(parsed('a'.repeat(100)))
    expect(parseText('😀'.repeat(100), name)).toStrictEqual(parsed('😀'.repeat(100)))
  })

  it('is refused with STRING_LENGTH_INVALID, or with the code of its field', () => {
    expect(parseText('  ', name)).toStrictEqual(unparsed('STRING_LENGTH_INVALID'))
    expect(parseText('a'.repeat(101), name)).toStrictEqual(unparsed('STRING_LENGTH_INVALID'))
    expect(parseText('', name, 'URL_LENGTH_INVALID')).toStrictEqual(unparsed('URL_LENGTH_INVALID'))
  })

  it('is refused where it cannot be stored', () => {
    expect(parseText('a\0b', name)).toStrictEqual(unparsed('INVALID_FORMAT'))
    expect(parseText(loneHigh, name)).toStrictEqual(unparsed('INVALID_FORMAT'))
  })
})

describe('a name', () => {
  const length = { min: 1, max: 32 }
  const blanks = [
    '\u{1d159}',
    '\u{16fe4}',
    '\u{13441}',
    '\u{13442}',
    '\u{13430}',
    '\u2800',
    '\ufffc',
    '\u0301',
    '\u200b',
    '\u3164',
  ]

  it.each([...blanks, blanks.join('')])('shows something: %j alone is refused wherever one is given', (text) => {
    expect(parseName(text, length)).toStrictEqual(unparsed('STRING_LENGTH_INVALID'))
    expect(parseGlobalName(text)).toStrictEqual(unparsed('GLOBAL_NAME_LENGTH_INVALID'))
    expect(textChannelName(text)).toBe('')
    expect(parseTag(`${text}${text}`).ok).toBe(false)
  })

  it('may hold such characters beside one that shows', () => {
    for (const text of ['e\u0301', '\u{13000}\u{13430}\u{13001}', '\u{1d158}', '1\ufe0f\u20e3', '\u0e01\u0e34'])
      expect(parseName(text, length)).toStrictEqual(parsed(text))
  })
})

describe('the code of an invite', () => {
  it('loses form feeds and right-to-left overrides and is trimmed, on get, accept and delete alike', () => {
    expect(parseInviteCode(' a\fB3x\u202eY7zQ ')).toStrictEqual(parsed('aB3xY7zQ'))
  })

  it('keeps its case, and what no code holds', () => {
    expect(parseInviteCode('AB')).toStrictEqual(parsed('AB'))
    expect(parseInviteCode('a b/../ü')).toStrictEqual(parsed('a b/../ü'))
  })

  it('has 1-256 characters', () => {
    expect(inviteCodeLength).toStrictEqual({ min: 1, max: 256 })
    expect(parseInviteCode('x'.repeat(256))).toStrictEqual(parsed('x'.repeat(256)))
    expect(parseInviteCode('x'.repeat(257))).toStrictEqual(unparsed('STRING_LENGTH_INVALID'))
    expect(parseInviteCode(' \f ')).toStrictEqual(unparsed('STRING_LENGTH_INVALID'))
  })

  it('is no text that the store could not be asked for', () => {
    expect(parseInviteCode('a\0b')).toStrictEqual(unparsed('INVALID_FORMAT'))
  })
})

describe('a hundred kilobytes of text', () => {
  const size = 100_000
  const invisible = [' ', '\f', '\u202e', '\u200b', '\u3164', '\n\t', '\0', loneHigh, loneLow]
  const shown = ['a', '-', '.', '@', '0', '😀', 'e\u0301', '\ufdfa', '\u1100\u1161', 'everyone']
  const mixed = ['a ', ' a', 'a@', 'a.', '-a', 'a\f', '\u200b ', 'system ']
  const hostile = [...invisible, ...shown, ...mixed].map((unit) => unit.repeat(Math.ceil(size / unit.length)))
  const around = hostile.flatMap((text) => [text, `a${text}`, `${text}!`, `a${text}a`, `a@${text}`, `${text}@b.co`])
  const readers = {
    normalised,
    visible,
    isStorable,
    lengthOf,
    parseInviteCode,
    parseNewPassword,
    parsePresentPassword,
    parseGlobalName,
    parseEmail,
    parseDateOfBirth,
    parseSnowflake,
    parseUsername: (text: string) => parseUsername(text, 'guildhall'),
    parseText: (text: string) => parseText(text, { min: 1, max: size }),
  }

  it.each(Object.entries(readers))('is read in one go by %s', (_, read) => {
    for (const text of around) expect(read(text)).toBeDefined()
  })
})
