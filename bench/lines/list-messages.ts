import { sendMessage, startSession } from '../../test/faults/commands/message-stage.ts'
import { z } from 'zod'
import { acceptInvite, call, createInvite, register, send, type Person } from '../../test/support/load-api.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { openHttpSite, portOf, type HttpSite, type OwnedGuild } from './http-site.ts'

const listed_count = 50
const authors_count = 10
const inFlight = [1, 32]
const warmUp_s = 2
const content = 'The engine weaves patterns'
const anyMessage = z.looseObject({ id: z.string() })

/** A channel of fifty messages, and how they are listed. */
interface Listed {
  readonly token: string
  readonly path: string
  readonly channel: string
}

/**
 * List messages: fifty of a channel beside fifty rows that a bare Fastify reads and writes, and fifty of several authors with
 * reactions and files beside the fifty without.
 */
export async function listMessagesLine(settings: LineSettings): Promise<readonly Comparison[]> {
  const site = await openHttpSite()
  try {
    const [some, other] = site.guilds
    if (!some || !other) throw new Error('There are no two guilds')
    const plain = await written(site, some, [some.owner], ofText)
    const rich = await written(site, other, [other.owner, ...(await newcomersTo(site, other))], withFileAndReactions)
    await copyToRows(site, plain)
    const comparisons: Comparison[] = []
    for (const connections of inFlight)
      comparisons.push(...(await comparedAt(site, { plain, rich, connections }, settings)))
    return comparisons
  } finally {
    await site.close()
  }
}

async function comparedAt(
  site: HttpSite,
  { plain, rich, connections }: Readonly<{ plain: Listed; rich: Listed; connections: number }>,
  { seconds, rounds }: LineSettings,
): Promise<readonly Comparison[]> {
  const own = { pid: site.product.pid, port: portOf(site.product.url) }
  const bare = { pid: site.bare.child.pid, port: site.bare.port }
  const lists = ({ path, token }: Listed) => ({ method: 'GET', path, token })
  const sideOf = (server: typeof own, request: ReturnType<typeof lists>) => {
    return (for_s = seconds) => site.measure(server, { connections, seconds: for_s, requests: [request] })
  }
  const rows = sideOf(bare, lists({ ...plain, path: `/rows/${plain.channel}` }))
  const [ofPlain, ofRich] = [sideOf(own, lists(plain)), sideOf(own, lists(rich))]
  for (const side of [rows, ofPlain, ofRich]) await side(warmUp_s)
  const both = { unit: 'requests/s', rounds }
  return [
    await compare({
      line: `list ${listed_count} messages beside rows, ${connections} in flight`,
      target: 0.5,
      ...both,
      baseline: () => rows(),
      product: () => ofPlain(),
    }),
    await compare({
      line: `list messages with reactions and files beside none, ${connections} in flight`,
      target: 1 / 1.5,
      ...both,
      baseline: () => ofPlain(),
      product: () => ofRich(),
    }),
  ]
}

type Write = (url: string, author: Person, channel: string) => Promise<unknown>

/** Writes fifty messages to a guild's channel, by authors in turn. */
async function written(
  { product: { url } }: HttpSite,
  { textChannel, owner: { token } }: OwnedGuild,
  authors: readonly Person[],
  write: Write,
): Promise<Listed> {
  for (const author of authors) await startSession(url, author)
  const inTurn = Array.from({ length: listed_count / authors.length }, () => authors).flat()
  for (const author of inTurn) await write(url, author, textChannel)
  return { token, channel: textChannel, path: `/v1/channels/${textChannel}/messages?limit=${listed_count}` }
}

const ofText: Write = (url, author, channel) => call(url, sendMessage(author, channel, content))

async function withFileAndReactions(url: string, { token }: Person, channel: string): Promise<void> {
  const path = `/v1/channels/${channel}/messages`
  const form = new FormData()
  form.append('payload_json', JSON.stringify({ content }))
  form.append('files[0]', new Blob(['The engine'], { type: 'text/plain' }), 'notes.txt')
  const answer = await fetch(url + path, { method: 'POST', headers: { authorization: token }, body: form })
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status}`)
  const { id } = anyMessage.parse(await answer.json())
  for (const emoji of ['👍', '🎉', '❤️']) {
    const reactions = `${path}/${id}/reactions/${encodeURIComponent(emoji)}/@me`
    await call(url, { method: 'PUT', path: reactions, token, parse: () => undefined })
  }
}

async function newcomersTo({ product: { url } }: HttpSite, { owner, textChannel }: OwnedGuild) {
  const { code } = await call(url, createInvite(owner, textChannel, { max_uses: 10, max_age: 86_400 }))
  const newcomers: Person[] = []
  for (let count = 1; count < authors_count; count += 1) {
    const newcomer = await call(url, register(`author${count}`))
    await call(url, acceptInvite(newcomer, code))
    newcomers.push(newcomer)
  }
  return newcomers
}

/** Gives the bare Fastify the same messages, one in each row. */
async function copyToRows({ product: { url }, pool }: HttpSite, { channel, path, token }: Listed): Promise<void> {
  const { body } = await send(url, { method: 'GET', path, token, parse: () => undefined })
  for (const message of z.array(anyMessage).length(listed_count).parse(body))
    await pool.query('insert into bench.rows (place, id, body) values ($1, $2, $3)', [
      channel,
      message.id,
      JSON.stringify(message),
    ])
}
