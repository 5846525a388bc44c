import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseNewPassword, parsePresentPassword, preparedPassword } from '../../../domain/account/password.ts'
import { parsed, unparsed } from '../../../domain/kernel/parsed.ts'
import { property } from '../../support/property.ts'

const tooShortOrLong = unparsed('PASSWORD_LENGTH_INVALID')
/** Four letters that a keyboard may compose or not. */
const composed = 'éàüö'
const decomposed = composed.normalize('NFD')

describe('the prepared form of a password', () => {
  it.each([
    ['composed letters', 'pass\u00e9', 'passe\u0301'],
    ['wide letters', 'ｐａｓｓ', 'pass'],
    ['ligatures', '\ufb01le', 'file'],
    ['no-break spaces', 'a\u00a0b', 'a b'],
    ['marks that stand on a space', '\u00a8abc', ' \u0308abc'],
    ['marks in any order', 'a\u0301\u0327', 'a\u0327\u0301'],
    ['letters around an override of direction', 'e\u202e\u0301', '\u00e9'],
  ])('does not tell apart %s', (_, one, other) => {
    expect(preparedPassword(one)).toBe(preparedPassword(other))
  })

  it('tells apart letters, case and spaces within', () => {
    const texts = ['passe', 'pass\u00e9', 'Passe', 'pas se', 'pas  se']
    expect(new Set(texts.map(preparedPassword)).size).toBe(texts.length)
  })

  property('is its own prepared form', fc.string({ unit: 'binary' }), (text) => {
    const once = preparedPassword(text)
    expect(preparedPassword(once)).toBe(once)
  })
})

describe('a new password', () => {
  it('has 8-256 characters, trimmed', () => {
    expect(parseNewPassword('  correct horse ')).toStrictEqual(parsed('correct horse'))
    expect(parseNewPassword('p'.repeat(256))).toStrictEqual(parsed('p'.repeat(256)))
    for (const text of ['p'.repeat(257), '   seven77   ', ''])
      expect(parseNewPassword(text)).toStrictEqual(tooShortOrLong)
  })

  it('has them in its prepared form, however it is typed', () => {
    for (const letters of [composed, decomposed]) {
      expect(parseNewPassword(letters)).toStrictEqual(tooShortOrLong)
      expect(parseNewPassword(letters.repeat(2)).ok).toBe(true)
      expect(parseNewPassword(letters.repeat(64)).ok).toBe(true)
      expect(parseNewPassword(letters.repeat(65))).toStrictEqual(tooShortOrLong)
    }
    expect(parseNewPassword('\u1f82'.normalize('NFD').repeat(256)).ok).toBe(true)
    expect(parseNewPassword('\ufdfa'.repeat(200))).toStrictEqual(tooShortOrLong)
    expect(parseNewPassword('😀'.repeat(256)).ok).toBe(true)
  })

  it('is no text that would be hashed as another one', () => {
    expect(parseNewPassword('password\ud83d')).toStrictEqual(unparsed('INVALID_FORMAT'))
    expect(parseNewPassword('pass\0word')).toStrictEqual(unparsed('INVALID_FORMAT'))
  })
})

describe('a present password', () => {
  it('may also be one that had 8-256 characters as typed, the rule before', () => {
    expect(parsePresentPassword(decomposed)).toStrictEqual(parsed(decomposed))
    expect(parsePresentPassword('\ufdfa'.repeat(200)).ok).toBe(true)
    expect(parsePresentPassword(decomposed.repeat(64)).ok).toBe(true)
    for (const text of [composed, 'short', 'p'.repeat(257)])
      expect(parsePresentPassword(text)).toStrictEqual(tooShortOrLong)
    expect(parsePresentPassword('password\ud83d')).toStrictEqual(unparsed('INVALID_FORMAT'))
  })
})
