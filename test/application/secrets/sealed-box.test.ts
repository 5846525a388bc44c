import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealedBox } from '../../../application/secrets/sealed-box.ts'

const key = randomBytes(32)

describe('a sealed box', () => {
  it('opens what it sealed, also with another box of the same key and purpose', () => {
    const sealed = sealedBox(key, 'mail').seal(['letter', '1'], 'ä text')
    expect(sealedBox(key, 'mail').open(['letter', '1'], sealed)).toBe('ä text')
  })
  it('seals the same text to other bytes each time', () => {
    const box = sealedBox(key, 'mail')
    expect(box.seal([], 'text').equals(box.seal([], 'text'))).toBe(false)
  })
  it('does not open what was moved, what another purpose sealed, or what was changed', () => {
    const box = sealedBox(key, 'mail')
    const sealed = box.seal(['letter', '1'], 'text')
    expect(() => box.open(['letter', '2'], sealed)).toThrow('unable to authenticate')
    expect(() => box.open(['letter,1'], sealed)).toThrow('unable to authenticate')
    expect(() => sealedBox(key, 'tickets').open(['letter', '1'], sealed)).toThrow('unable to authenticate')
    expect(() => sealedBox(randomBytes(32), 'mail').open(['letter', '1'], sealed)).toThrow('unable to authenticate')
    for (const index of sealed.keys()) {
      const touched = Buffer.from(sealed)
      touched[index] = (touched[index] ?? 0) ^ 1
      expect(() => box.open(['letter', '1'], touched), `byte ${index}`).toThrow(/unable to authenticate|unknown format/)
    }
    expect(() => box.open(['letter', '1'], sealed.subarray(0, 20))).toThrow('Invalid authentication tag')
  })
  it('hashes the same text to the same hash, which depends on key and purpose', () => {
    const hash = sealedBox(key, 'mail').hash('a key')
    expect(sealedBox(key, 'mail').hash('a key').equals(hash)).toBe(true)
    expect(hash).toHaveLength(32)
    for (const other of [sealedBox(key, 'tickets'), sealedBox(randomBytes(32), 'mail')])
      expect(other.hash('a key').equals(hash)).toBe(false)
  })
})
