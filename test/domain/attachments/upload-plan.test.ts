import { expect, it } from 'vitest'
import { partSizeOf, partsOf } from '../../../domain/attachments/upload-plan.ts'

const MiB = 1024 * 1024

it('a file up to 10 MiB comes in one piece', () => {
  for (const size_bytes of [0, 1, 10 * MiB]) {
    expect(partSizeOf(size_bytes)).toBeNull()
    expect(partsOf(size_bytes, null)).toStrictEqual([size_bytes])
  }
})

it.each([
  [10 * MiB + 1, 10 * MiB, 2, 1],
  [20 * MiB, 10 * MiB, 2, 10 * MiB],
  [200 * MiB, 10 * MiB, 20, 10 * MiB],
  [200 * MiB + 1, 11 * MiB, 19, 2 * MiB + 1],
  [500 * MiB, 25 * MiB, 20, 25 * MiB],
])('%i bytes come in parts of %i, which are %i with %i in the last', (size_bytes, part_bytes, count, last_bytes) => {
  expect(partSizeOf(size_bytes)).toBe(part_bytes)
  const parts = partsOf(size_bytes, part_bytes)
  expect(parts).toHaveLength(count)
  expect(parts.slice(0, -1).every((bytes) => bytes === part_bytes)).toBe(true)
  expect(parts.at(-1)).toBe(last_bytes)
  expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBe(size_bytes)
})
