import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { archiveAnswers, downloadBounds } from '../../../../adapters/http/archives/archive-answer.ts'
import type { Answer } from '../../../../adapters/http/answer.ts'
import { sharesWithin } from '../../../../adapters/http/request/shares/shares.ts'
import type { OpenDownload } from '../../../../application/identity/archives/download-links.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { startServer } from '../support.ts'

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number += 1) yield Buffer.alloc(1024)
}

/** The token of each link here is the id of the account that asked for its archive. */
const archive: OpenDownload = async (_, token) => ({
  requestedBy: accountId(snowflake(token)),
  size_bytes: 100 * 1024,
  bytes: pieces(100),
})
const raw = new IncomingMessage(new Socket())

function asked(account: number, ip: string) {
  return { path: '/v1/harvest-downloads/1', search: `token=${account}`, raw, facts: { ip } }
}

const answers = (open: OpenDownload, options?: { readonly pieceLimit_ms: number }) =>
  archiveAnswers(open, sharesWithin(downloadBounds), options)
const refused = { refusal: { code: 'SERVICE_UNAVAILABLE' } }

function bodyIn({ body }: Answer): Readable {
  if (!(body instanceof Readable)) throw new Error('The answer has no stream')
  return body
}

describe('the answer to a link', () => {
  it('is the whole archive', async () => {
    let length = 0
    for await (const piece of bodyIn(await answers(archive)(asked(1, '192.0.2.1'))))
      length += (piece as Uint8Array).length
    expect(length).toBe(100 * 1024)
  })
  it('is refused while as many downloads are under way as there may be', async () => {
    const answer = answers(archive)
    const bodies = []
    for (let number = 1; number <= downloadBounds.all_max; number += 1)
      bodies.push(bodyIn(await answer(asked(number, `192.0.2.${number}`))))
    await expect(answer(asked(99, '192.0.2.99'))).rejects.toMatchObject(refused)
    bodies[0]?.destroy()
    await expect.poll(async () => (await answer(asked(99, '192.0.2.99'))).status).toBe(200)
  })
  it.each([
    ['account, wherever from', (number: number) => asked(1, `192.0.2.${number}`)],
    ['address, whosever archives they are', (number: number) => asked(number, '192.0.2.1')],
  ])('is refused to an %s that has its share of downloads, and to nobody else', async (_, nth) => {
    const answer = answers(archive)
    for (let number = 1; number <= 4; number += 1) bodyIn(await answer(nth(number)))
    await expect(answer(nth(5))).rejects.toMatchObject(refused)
    expect((await answer(asked(99, '192.0.2.99'))).status).toBe(200)
  })
  it('to HEAD tells the length of the archive, and takes no place', async () => {
    const server = await startServer([], { openArchive: archive })
    for (let number = 0; number <= downloadBounds.all_max; number += 1) {
      const { status, headers } = await server.fetch('/v1/harvest-downloads/1?token=1', { method: 'HEAD' })
      expect([status, headers.get('content-length')]).toEqual([200, String(100 * 1024)])
    }
  })
  it('ends for a client that does not read on', async () => {
    const body = bodyIn(await answers(archive, { pieceLimit_ms: 50 })(asked(1, '192.0.2.1')))
    body.once('error', () => undefined)
    body.read()
    await expect.poll(() => body.destroyed).toBe(true)
  })
})
