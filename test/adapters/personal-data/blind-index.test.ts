import { describe, expect, it } from 'vitest'
import { blindIndex } from '../../../adapters/personal-data/blind-index.ts'

const key = Buffer.alloc(32, 7)

describe('the blind index of e-mail addresses', () => {
  it('never changes: it names streams that are kept forever', () => {
    expect(blindIndex(key)('ada@example.org')).toBe('18964279ab237c440e0f67c226e211f4aa156ee1dbfa57adf8901eb7730e5bda')
  })

  it('differs by address and by PERSONAL_DATA_KEY', () => {
    const index = blindIndex(key)
    expect(index('ada@example.org')).toBe(index('ada@example.org'))
    expect(index('ada@example.org')).not.toBe(index('bob@example.org'))
    expect(index('ada@example.org')).not.toBe(blindIndex(Buffer.alloc(32, 8))('ada@example.org'))
  })
})
