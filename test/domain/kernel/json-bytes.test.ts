import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonBytes } from '../../../domain/kernel/json-bytes.ts'

describe('the bytes of a value as JSON', () => {
  it('are those of its text in UTF-8, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)))
      }),
    )
    for (const text of ['', 'a', 'ü', '語', '😀', '\ud800', 'a\u0000"\\']) {
      expect(jsonBytes({ text })).toBe(Buffer.byteLength(JSON.stringify({ text })))
    }
  })
})
