import { describe, expect, it } from 'vitest'
import { otplibTotp } from '../../../adapters/authentication/otplib-totp.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'

const totp = otplibTotp()
/** `12345678901234567890`, the key of RFC 6238, appendix B. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => timestamp(seconds * 1000)

describe('a code of an authenticator', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at second %i is what RFC 6238 says: %s', (seconds, code) => {
    expect(totp.stepOf(secret, code, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('is right one step before and one after its own, and no longer', () => {
    const step = 1_000_000
    const code = '005924'
    const own = Math.floor(1234567890 / 30)
    for (const aside of [-1, 0, 1]) expect(totp.stepOf(secret, code, at((own + aside) * 30))).toBe(own)
    expect(totp.stepOf(secret, code, at((own + 1) * 30 + 29))).toBe(own)
    for (const aside of [-2, 2]) expect(totp.stepOf(secret, code, at((own + aside) * 30))).toBeUndefined()
    expect(totp.stepOf(secret, code, at((own - 1) * 30 - 1))).toBeUndefined()
    expect(totp.stepOf(secret, code, at(step * 30))).toBeUndefined()
  })

  it.each(['005 924', ' 005924 ', '00 59 24', '005\u00a0924'])('may be typed with spaces: "%s"', (code) => {
    expect(totp.stepOf(secret, code, at(1234567890))).toBe(Math.floor(1234567890 / 30))
  })

  it.each(['', '00592', '0059240', '00592a', '005-924', '٠٠٥٩٢٤', 'x'.repeat(100_000)])(
    'is six digits: "%.20s" is none',
    (code) => {
      expect(totp.stepOf(secret, code, at(1234567890))).toBeUndefined()
    },
  )
})

describe('a secret', () => {
  it('is normalised: case, whitespace, hyphens and padding are of no matter', () => {
    expect(totp.normalised(' gezd-GNBV gy3t\tqojq GEZD GNBV GY3T QOJQ==')).toBe(secret)
  })

  it.each(['', 'GEZDGNBVGY3TQOJ1', 'GEZDGNBVGY3TQO', 'A'.repeat(17), 'é'.repeat(32), '===='])(
    'is Base32 of at least 80 bits: "%s" is not',
    (text) => {
      expect(totp.normalised(text)).toBeUndefined()
    },
  )

  it('may have 256 characters, and no more', () => {
    expect(totp.normalised('A'.repeat(256))).toBe('A'.repeat(256))
    expect(totp.stepOf('A'.repeat(256), '123456', at(0))).toBeUndefined()
    expect(totp.normalised('A'.repeat(264))).toBeUndefined()
  })
})
