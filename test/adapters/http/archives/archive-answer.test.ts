import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { archiveAnswers, downloads_max } from '../../../../adapters/http/archives/archive-answer.js'
import type { Answer } from '../../../../adapters/http/server/answer.js'

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number += 1) yield Buffer.alloc(1024)
}

const archive = async () => ({ size_bytes: 100 * 1024, bytes: pieces(100) })
const raw = new IncomingMessage(new Socket())
const asked = { path: '/v1/harvest-downloads/1', search: 'token=t', raw }

function bodyIn({ body }: Answer): Readable {
  if (!(body instanceof Readable)) throw new Error('The answer has no stream')
  return body
}

describe('the answer to a link', () => {
  it('is the whole archive', async () => {
    let length = 0
    for await (const piece of bodyIn(await archiveAnswers(archive)(asked))) length += (piece as Uint8Array).length
    expect(length).toBe(100 * 1024)
  })
  it('is refused while as many downloads are under way as there may be', async () => {
    const answer = archiveAnswers(archive)
    const bodies = []
    for (let number = 0; number < downloads_max; number += 1) bodies.push(bodyIn(await answer(asked)))
    await expect(answer(asked)).rejects.toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE' } })
    bodies[0]?.destroy()
    await expect.poll(async () => (await answer(asked)).status).toBe(200)
  })
  it('ends for a client that does not read on', async () => {
    const body = bodyIn(await archiveAnswers(archive, { pieceLimit_ms: 50 })(asked))
    body.once('error', () => undefined)
    body.read()
    await expect.poll(() => body.destroyed).toBe(true)
  })
})
