import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hasMinimumAge,
  parseDateOfBirth,
  parseEmail,
  parseGlobalName,
  parseUsername,
} from '../../../domain/account/names.ts'
import { parsed, unparsed } from '../../../domain/kernel/parsed.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { property } from '../../support/property.ts'

const username = (text: string) => parseUsername(text, 'guildhall')

describe('a username', () => {
  it('is 1-32 of [A-Za-z0-9_], trimmed, in the case that it was given in', () => {
    expect(username(' Ada_1815 ')).toStrictEqual(parsed('Ada_1815'))
    expect(username('a')).toStrictEqual(parsed('a'))
    expect(username('a'.repeat(32))).toStrictEqual(parsed('a'.repeat(32)))
  })

  it.each(['', '   ', '\f\u202e', 'a'.repeat(33)])('has a length of 1-32: %j', (text) => {
    expect(username(text)).toStrictEqual(unparsed('USERNAME_LENGTH_INVALID'))
  })

  it.each(['a b', 'ada-l', 'ada.l', 'adä', 'аdа', 'a\0a', '\ud83d', '😀', 'a\nb', 'ｅveryone'])(
    'has no other characters: %j',
    (text) => {
      expect(username(text)).toStrictEqual(unparsed('USERNAME_INVALID_CHARACTERS'))
    },
  )

  it.each(['everyone', 'here', 'Everyone', 'HERE', ' here '])('is not a reserved value: %j', (text) => {
    expect(username(text)).toStrictEqual(unparsed('USERNAME_RESERVED_VALUE'))
  })

  it.each(['guildhall', 'GuildHall', 'xGUILDHALLx', 'guildhall_team'])(
    "does not contain the service's own name: %j",
    (text) => {
      expect(username(text)).toStrictEqual(unparsed('USERNAME_CANNOT_CONTAIN_RESERVED_TERMS'))
    },
  )

  it('knows the service by the name that it was set up with', () => {
    expect(parseUsername('guildhall', 'Plaza')).toStrictEqual(parsed('guildhall'))
    expect(parseUsername('the_plaza', 'Plaza')).toStrictEqual(unparsed('USERNAME_CANNOT_CONTAIN_RESERVED_TERMS'))
  })

  it('may contain a reserved value as a part', () => {
    expect(username('everyone_else')).toStrictEqual(parsed('everyone_else'))
    expect(username('where')).toStrictEqual(parsed('where'))
  })
})

describe('a display name', () => {
  it('is kept without invisible characters, with each run of whitespace one space', () => {
    expect(parseGlobalName('  Ada \t\n  Lovelace ')).toStrictEqual(parsed('Ada Lovelace'))
    expect(parseGlobalName('A\u200bd\u2060a\ufe0f')).toStrictEqual(parsed('Ada'))
    expect(parseGlobalName('A \u200b d')).toStrictEqual(parsed('A d'))
    expect(parseGlobalName('Ada\ud83d')).toStrictEqual(parsed('Ada'))
    expect(parseGlobalName('Ada 😀')).toStrictEqual(parsed('Ada 😀'))
    expect(parseGlobalName('a\0b\u0007c')).toStrictEqual(parsed('abc'))
  })

  it.each(['', ' ', '\u200b\u2800\u3164', 'a'.repeat(33), '😀'.repeat(33)])('has 1-32 characters: %j', (text) => {
    expect(parseGlobalName(text)).toStrictEqual(unparsed('GLOBAL_NAME_LENGTH_INVALID'))
  })

  it('counts an emoji as one character', () => {
    expect(parseGlobalName('😀'.repeat(32))).toStrictEqual(parsed('😀'.repeat(32)))
  })

  it.each(['everyone', 'HERE', 'every\u200bone', 'ｅｖｅｒｙｏｎｅ'])('is not a reserved value: %j', (text) => {
    expect(parseGlobalName(text)).toStrictEqual(unparsed('GLOBAL_NAME_RESERVED_VALUE'))
  })

  it.each(['System Message', 'the  SYSTEM   message', 'system\u00a0message', 'ｓystem message'])(
    'does not contain system message: %j',
    (text) => {
      expect(parseGlobalName(text)).toStrictEqual(unparsed('GLOBAL_NAME_CANNOT_CONTAIN_RESERVED_TERMS'))
    },
  )

  property('is kept as it is when it is read again', fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
    const first = parseGlobalName(text)
    if (first.ok) expect(parseGlobalName(first.value)).toStrictEqual(first)
  })
})

describe('an e-mail address', () => {
  it.each(['ada@example.org', "a.!#$%&'*+/=?^_`{|}~-@example.org", 'a@b.co', 'x@xn--bcher-kva.example', 'a@1.example'])(
    'is valid: %j',
    (text) => {
      expect(parseEmail(` ${text} `)).toStrictEqual(parsed(text))
    },
  )

  it('is kept in lowercase', () => {
    expect(parseEmail('Ada.Lovelace@Example.ORG')).toStrictEqual(parsed('ada.lovelace@example.org'))
  })

  it('has 1-254 characters', () => {
    const domain = `${`${'d'.repeat(60)}.`.repeat(3)}example`
    const longest = `${'a'.repeat(254 - domain.length - 1)}@${domain}`
    expect(longest).toHaveLength(254)
    expect(parseEmail(longest)).toStrictEqual(parsed(longest))
    expect(parseEmail(`a${longest}`)).toStrictEqual(unparsed('EMAIL_LENGTH_INVALID'))
    expect(parseEmail(' ')).toStrictEqual(unparsed('EMAIL_LENGTH_INVALID'))
  })

  it.each(
    [
      ['ada', '@', 'ada@', '@example.org', 'ada@localhost', 'ada@example..org', 'ada@.org', 'ada@example.'],
      ['ada@-a.org', 'ada@a-.org', 'ada@127.0.0.1', 'ada@[::1]', 'ada@bücher.example', 'ada@exa mple.org'],
      ['.ada@example.org', 'ada.@example.org', 'a..da@example.org', `ada@${'d'.repeat(64)}.org`, 'ada@ex\0ample.org'],
    ].flat(),
  )('has another form: %j', (text) => {
    expect(parseEmail(text)).toStrictEqual(unparsed('INVALID_EMAIL_FORMAT'))
  })

  it.each([
    'a da@example.org',
    'adä@example.org',
    '"ada"@example.org',
    'a@b@example.org',
    '\u212aada@example.org',
    'a\0@b.co',
  ])('has other characters in its local part: %j', (text) => {
    expect(parseEmail(text)).toStrictEqual(unparsed('INVALID_EMAIL_LOCAL_PART'))
  })

  property('is kept as it is when it is read again', fc.emailAddress(), (text) => {
    const first = parseEmail(text)
    if (first.ok) expect(parseEmail(first.value)).toStrictEqual(first)
  })
})

describe('a date of birth', () => {
  it.each(['1990-12-10', '2000-02-29', '2024-02-29', '1900-01-01', ' 1990-12-10 '])(
    'is a day as YYYY-MM-DD: %j',
    (text) => {
      expect(parseDateOfBirth(text)).toStrictEqual(parsed(text.trim()))
    },
  )

  it.each(['', '  ', '\f'])('is not blank: %j', (text) => {
    expect(parseDateOfBirth(text)).toStrictEqual(unparsed('INVALID_DATE_OF_BIRTH_FORMAT'))
  })

  it.each(['1990-2-3', '1990-12-100', '19901210', '1990-12-10T00:00:00Z'])('has exactly ten characters: %j', (text) => {
    expect(parseDateOfBirth(text)).toStrictEqual(unparsed('STRING_LENGTH_EXACT'))
  })

  it.each(['10.12.1990', '1990/12/10', '+990-12-10', '１９９０-12-10', '1990-12-1x'])(
    'has no other shape: %j',
    (text) => {
      expect(parseDateOfBirth(text)).toStrictEqual(unparsed('INVALID_FORMAT'))
    },
  )

  it.each(['1990-13-01', '1990-00-10', '1990-02-29', '1900-02-29', '2023-04-31', '1990-12-32', '1990-12-00'])(
    'is a day of the calendar: %j',
    (text) => {
      expect(parseDateOfBirth(text)).toStrictEqual(unparsed('INVALID_DATE_OF_BIRTH_FORMAT'))
    },
  )

  it.each(['1899-12-31', '1000-01-01', '0001-01-01', '0000-02-29'])('is of nobody who lives: %j', (text) => {
    expect(parseDateOfBirth(text)).toStrictEqual(unparsed('INVALID_DATE_OF_BIRTH_FORMAT'))
  })

  const days = fc.date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  property('is any day that there is', days, (day) => {
    const text = day.toISOString().slice(0, 10)
    expect(parseDateOfBirth(text)).toStrictEqual(parsed(text))
  })
})

describe('the minimum age', () => {
  const at = (text: string) => timestamp(Date.parse(text))

  it('is reached on the thirteenth birthday, in UTC', () => {
    expect(hasMinimumAge('2013-05-01', at('2026-04-30T23:59:59.999Z'))).toBe(false)
    expect(hasMinimumAge('2013-05-01', at('2026-05-01T00:00:00.000Z'))).toBe(true)
    expect(hasMinimumAge('1990-12-10', at('2026-05-01T00:00:00.000Z'))).toBe(true)
  })

  it('is reached on 1 March by people born on 29 February', () => {
    expect(hasMinimumAge('2012-02-29', at('2025-02-28T12:00:00Z'))).toBe(false)
    expect(hasMinimumAge('2012-02-29', at('2025-03-01T00:00:00Z'))).toBe(true)
  })

  it('is never reached with a birth date in the future', () => {
    expect(hasMinimumAge('2027-01-01', at('2026-05-01T00:00:00Z'))).toBe(false)
    expect(hasMinimumAge('9999-12-31', at('2026-05-01T00:00:00Z'))).toBe(false)
  })
})
