import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { packZip } from '../../../adapters/archives/pack-zip.ts'
import type { ArchiveEntry } from '../../../application/ports/archives.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { bytesOf } from './building.ts'

const at = timestamp(Date.UTC(2026, 10, 23))
const piece = Buffer.alloc(64 * 1024, 'x')

async function* entriesOf(...entries: readonly ArchiveEntry[]): AsyncGenerator<ArchiveEntry> {
  yield* entries
}

async function* pieces(count: number, given: () => void = () => undefined): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number += 1) {
    given()
    yield piece
  }
}

describe('a ZIP', () => {
  it('has its entries in their order, an empty one and one of many pieces too', async () => {
    const entries = entriesOf({ path: 'a/empty.json', content: pieces(0) }, { path: 'b.json', content: pieces(50) })
    const files = unzipSync(await bytesOf(packZip(entries, at)))
    expect(Object.entries(files).map(([path, bytes]) => [path, bytes.length])).toEqual([
      ['a/empty.json', 0],
      ['b.json', 50 * piece.length],
    ])
  })
  it('without entries is empty, and still a ZIP', async () => {
    expect(unzipSync(await bytesOf(packZip(entriesOf(), at)))).toEqual({})
  })
  it('is read no faster than it is wanted', async () => {
    let given = 0
    const random = entriesOf({ path: 'a', content: pieces(10_000, () => (given += 1)) })
    for await (const bytes of packZip(random, at)) {
      expect(bytes.length).toBeGreaterThan(0)
      if (given > 0) break
    }
    expect(given).toBeLessThan(1000)
  })
  it('fails with what its content fails with, or the entries', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield piece
      throw new Error('no content')
    }
    await expect(bytesOf(packZip(entriesOf({ path: 'a', content: broken() }), at))).rejects.toThrow('no content')
    async function* brokenEntries(): AsyncGenerator<ArchiveEntry> {
      yield { path: 'a', content: pieces(1) }
      throw new Error('no entries')
    }
    await expect(bytesOf(packZip(brokenEntries(), at))).rejects.toThrow('no entries')
  })
  it('ends its content where it is not wanted any more', async () => {
    let ended = false
    async function* content(): AsyncGenerator<Uint8Array> {
      try {
        yield* pieces(10_000)
      } finally {
        ended = true
      }
    }
    for await (const bytes of packZip(entriesOf({ path: 'a', content: content() }), at)) if (bytes.length > 0) break
    await expect.poll(() => ended).toBe(true)
  })
})
