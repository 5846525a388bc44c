import { describe, expect, it } from 'vitest'
import { isCommonPassword } from '../../../domain/account/common-passwords.ts'

describe('a common password', () => {
  it.each([
    'password',
    'PASSWORD1',
    'Qwertyuiop',
    '1q2w3e4r5t',
    '12345678',
    'iloveyou',
    'P@ssw0rd!',
    'ｐａｓｓｗｏｒｄ',
  ])('is %s', (text) => {
    expect(isCommonPassword(text)).toBe(true)
  })

  it.each(['correct horse battery staple', 'a password', 'password is long', '', ' ', 'constructor', '__proto__'])(
    'is not "%s"',
    (text) => {
      expect(isCommonPassword(text)).toBe(false)
    },
  )
})
