import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { answerParent } from '../support/child.ts'

/**
 * Reads a list of the Admin API a few times, one after the other. In a process of its own: an answer of several MB would hold the
 * loop that times other requests.
 */
const job = z.object({ url: z.string(), token: z.string(), times: z.int().min(1).max(100), member: z.string() })

export type ListJob = z.output<typeof job>

/** Gives the longest time, and the least number of objects in an answer, by a member that each has once. */
answerParent(async (asked) => {
  const { url, token, times, member } = job.parse(asked)
  let took_ms = 0
  let count = Infinity
  for (let turn = 0; turn < times; turn += 1) {
    const began = performance.now()
    count = Math.min(count, await occurrences(url, token, `"${member}":`))
    took_ms = Math.max(took_ms, performance.now() - began)
  }
  return { took_ms, count }
})

/** How often a text stands in an answer. Keeping and parsing it would take the processor from the server. */
async function occurrences(url: string, token: string, text: string): Promise<number> {
  const [answer] = (await once(get(url, { headers: { authorization: token } }), 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`)
  let count = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk])
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) count += 1
    // A text that the chunk cuts is found with the next one.
    rest = bytes.subarray(Math.max(0, bytes.length - text.length + 1))
  }
  return count
}
