import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identifyOf } from '../../gateway/support/facts.ts'
import { openStage, type Account, type Stage } from '../../gateway/support/stage.ts'
import { rawFrame, sendRaw } from '../../abuse/support/raw-websocket.ts'

/** test/gateway/protocol tests single faults and limits one by one; this file tests how an attacker combines them. */

let stage: Stage
let ada: Account
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

const [text, binary, more, compressed] = [0x81, 0x82, 0x80, 0xc1]
const [tooLarge, undecodable] = ['Payload too large', 'Decode failed'].map((reason) => ({ code: 4002, reason }))
const beat = JSON.stringify({ op: 1, d: null })

describe('a frame before any Identify', () => {
  it.each([
    ['of 4097 bytes as text', [rawFrame(text, Buffer.alloc(4097, 0x20))], tooLarge],
    ['of 4097 bytes as binary', [rawFrame(binary, Buffer.alloc(4097, 0x20))], tooLarge],
    [
      'of 4097 bytes in parts',
      [rawFrame(text & 0x7f, Buffer.alloc(4096, 0x20)), rawFrame(more, Buffer.alloc(1))],
      tooLarge,
    ],
    ['that announces a gigabyte and sends nothing', [rawFrame(binary, Buffer.alloc(0), 2n ** 30n)], tooLarge],
    ['that announces more than there is', [rawFrame(binary, Buffer.alloc(0), 2n ** 62n)], tooLarge],
    ['of random bytes', [rawFrame(binary, randomBytes(4096))], undecodable],
    ['of an opcode that there is not', [rawFrame(0x83, Buffer.alloc(1))], undecodable],
    ['that ends what was never begun', [rawFrame(more, Buffer.from(beat))], undecodable],
    ['that is not masked', [Buffer.concat([Buffer.of(text, beat.length), Buffer.from(beat)])], undecodable],
    [
      'that is a bomb, compressed without being asked',
      [rawFrame(compressed, deflateRawSync(Buffer.alloc(3_000_000, 0x20)))],
      undecodable,
    ],
  ])('%s is closed with 4002, and nothing is kept for it', async (_, frames, closing) => {
    const before_bytes = process.memoryUsage().arrayBuffers
    expect((await sendRaw(stage.port, frames)).closed).toStrictEqual(closing)
    expect(process.memoryUsage().arrayBuffers - before_bytes).toBeLessThan(4 * 1024 * 1024)
  })

  it('in a thousand parts without an end takes no more memory than one frame may', async () => {
    const parts = Array.from({ length: 1000 }, (_none, index) =>
      rawFrame(index === 0 ? text & 0x7f : 0, Buffer.alloc(5, 0x20)),
    )
    expect((await sendRaw(stage.port, parts)).closed).toStrictEqual(tooLarge)
  })

  it('is never decompressed: the server agrees on no extension, whatever a client offers', async () => {
    const offer = 'permessage-deflate; server_max_window_bits=15; client_max_window_bits'
    const bomb = rawFrame(compressed, deflateRawSync(Buffer.alloc(3_000_000, 0x20)))
    const { head, closed } = await sendRaw(stage.port, [bomb], offer)
    expect(head).toMatch(/^HTTP\/1\.1 101 /)
    expect(head.toLowerCase()).not.toContain('sec-websocket-extensions')
    expect(closed).toStrictEqual(undecodable)
  })
})

describe('a client that identifies twice', () => {
  it('is closed with 4005 while the first Identify is in progress, and gets no session', async () => {
    const { asked, answer } = stage.models.hold('snapshot')
    const client = await stage.greet()
    client.send(2, identifyOf(ada))
    await asked
    client.send(2, identifyOf(ada))
    expect(await client.closed).toStrictEqual({ code: 4005, reason: 'Already authenticated' })
    answer()
    await stage.handled()
    expect(stage.gateway.stats().sessions).toBe(0)
  })

  it('is closed with 4005 once it has a session, which can be resumed', async () => {
    const client = await stage.identify(ada)
    client.send(2, identifyOf(stage.account()))
    expect(await client.closed).toStrictEqual({ code: 4005, reason: 'Already authenticated' })
    await (await stage.resume(ada, client.sessionId, 1)).dispatch('RESUMED')
  })
})

describe('somebody who guesses session ids', () => {
  it('gets the same answer to each guess, until 600 tries within a minute close it with 4008', async () => {
    const client = await stage.greet()
    const guess = (): void => client.send(6, { token: ada.token, session_id: randomBytes(16).toString('hex'), seq: 0 })
    for (let tries = 0; tries < 600; tries += 1) guess()
    for (let tries = 0; tries < 600; tries += 1) expect(await client.op(9)).toStrictEqual({ op: 9, d: false })
    guess()
    expect(await client.closed).toStrictEqual({ code: 4008, reason: 'Rate limited' })
  })

  it('is closed after 5 seconds without Identify, however much it guesses', async () => {
    const client = await stage.greet()
    client.send(6, { token: ada.token, session_id: 'a'.repeat(32), seq: 0 })
    await client.op(9)
    stage.clock.advance(4000)
    client.send(6, { token: ada.token, session_id: 'b'.repeat(32), seq: 0 })
    await client.op(9)
    stage.clock.advance(1250)
    expect(await client.closed).toStrictEqual({ code: 4000, reason: 'Session unavailable' })
  })

  it('gets nothing from a session whose id it has but not its token, and does not disturb it', async () => {
    const own = await stage.identify(ada)
    const thief = await stage.resume(stage.account(), own.sessionId, 1)
    expect(await thief.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
    own.send(1, null)
    await own.op(11)
  })

  it('has to guess 128 random bits', async () => {
    const ids = new Set<string>()
    for (let count = 0; count < 64; count += 1) ids.add((await stage.identify(ada)).sessionId)
    expect(ids.size).toBe(64)
    const drawn = [...ids].map((id) => {
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      return BigInt(`0x${id}`)
    })
    // A bit that never changes in 64 draws does not have to be guessed.
    for (let bit = 0n; bit < 128n; bit += 1n) expect(new Set(drawn.map((each) => (each >> bit) & 1n)).size).toBe(2)
  })
})

describe('a client that sends too much', () => {
  it('is closed with 4008 at its 601st payload within a minute, whatever the payloads are', async () => {
    const client = await stage.identify(ada)
    // Its Identify was the first.
    for (let count = 0; count < 599; count += 1) client.send(count % 2 === 0 ? 1 : 4, null)
    for (let count = 0; count < 300; count += 1) await client.op(11)
    client.send(1, null)
    expect(await client.closed).toStrictEqual({ code: 4008, reason: 'Rate limited' })
  })
})
