import { describe, expect, it } from 'vitest'
import { decrypt, derivedKey, encrypt, keyedHash, keyOf, keyStream } from '../../../application/secrets/keys.ts'

const zeros = keyOf(Buffer.alloc(32))
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

// What was stored with a key has to open forever, so each is held against the published vectors of its standard.
describe('keys', () => {
  it('are derived as RFC 5869 derives them (test case 3, of which we take 32 bytes)', () => {
    expect(hex(derivedKey(Buffer.alloc(22, 0x0b), '').export())).toBe(
      '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
    )
  })

  it('hash as RFC 4231 does (test case 2), whether the text comes whole or in parts', () => {
    const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    const key = keyOf(Buffer.from('Jefe'))
    expect(hex(keyedHash(key, 'what do ya want for nothing?'))).toBe(expected)
    expect(hex(keyedHash(key, 'what do ya want ', Buffer.from('for nothing?')))).toBe(expected)
  })

  it('open what AES-256-GCM makes by its specification (test case 14)', () => {
    const [tag, ciphertext] = ['d0d1c8a799996bf0265b98b5d48ab919', 'cea7403d4d606b6e074ec5d3baf39d18']
    const sealed = Buffer.concat([Buffer.alloc(12), Buffer.from(tag, 'hex'), Buffer.from(ciphertext, 'hex')])
    expect(hex(decrypt(zeros, '', sealed))).toBe(hex(Buffer.alloc(16)))
  })

  it('encrypt what opens in its context alone, each time another way', () => {
    const made = [1, 2].map(() => encrypt(zeros, 'here', Buffer.from('Ada')))
    expect(made.map((each) => decrypt(zeros, 'here', each).toString())).toEqual(['Ada', 'Ada'])
    expect(hex(made[0] ?? Buffer.of())).not.toBe(hex(made[1] ?? Buffer.of()))
    for (const each of made) {
      expect(() => decrypt(zeros, 'there', each)).toThrow('unable to authenticate')
      expect(() => decrypt(keyOf(Buffer.alloc(32, 1)), 'here', each)).toThrow('unable to authenticate')
      expect(() => decrypt(zeros, 'here', each.subarray(1))).toThrow('unable to authenticate')
    }
  })

  it('give the stream of AES-256-CTR from its beginning, in pieces of any length', () => {
    const stream = keyStream(zeros)
    expect(hex(Buffer.concat([stream(5), stream(11)]))).toBe('dc95c078a2408989ad48a21492842087')
  })
})
