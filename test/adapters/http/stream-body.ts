import { request } from 'node:http'
import { adaToken, codesOf, type TestServer } from './support.ts'

/** Sends a body in chunks, without a Content-Length, until it is complete or the server stops reading. */
export async function streamed(server: TestServer, to: string, bytes: number): Promise<readonly string[]> {
  const chunk = Buffer.alloc(256 * 1024, 'x')
  return new Promise((resolve, reject) => {
    let answered = false
    const outgoing = request(
      `${server.url}${to}`,
      { method: 'POST', headers: { authorization: adaToken } },
      (incoming) => {
        answered = true
        const parts: Buffer[] = []
        incoming.on('data', (part: Buffer) => parts.push(part))
        incoming.on('end', () => {
          const { statusCode = 0 } = incoming
          void codesOf(new Response(Buffer.concat(parts), { status: statusCode })).then(resolve, reject)
          outgoing.destroy()
        })
      },
    )
    outgoing.on('error', (error) => (answered ? undefined : reject(error)))
    let left = bytes
    const more = (): void => {
      if (outgoing.destroyed) return
      if (left <= 0) return void outgoing.end()
      left -= chunk.length
      outgoing.write(chunk, () => setImmediate(more))
    }
    more()
  })
}
