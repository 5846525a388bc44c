import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { closings } from '../../../gateway/protocol/closings.ts'
import { Client, type Closed } from '../../gateway/support/client.ts'
import { identifyOf } from '../../gateway/support/facts.ts'
import { accept, found, invite } from '../../operations/support/answers.ts'
import { asBot, newApplication } from '../../operations/support/applications.ts'
import { openServer } from '../../operations/support/scene.ts'
import { arbitraryFrame, type Nameable } from '../../abuse/support/arbitrary-command.ts'

/** For every opcode, random frames close to what it asks for cause no fault of the Gateway. */

/**
 * The least number of frames, among which each kind of answer is certain (of resumed sessions, which are the rarest, some eight).
 * FUZZ_SECONDS=600 goes on for ten minutes; FUZZ_SEED repeats a run.
 */
const frames_min = 2000
const for_ms = Number(process.env['FUZZ_SECONDS'] ?? 0) * 1000
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** An account has at most 100 sessions, and each is kept for a minute. */
const castLasts_connections = 60
const framesPerConnection_max = 40
/** The number of frames that are generated at once. */
const frames_count = 400
const answer_processor_ms_max = 1000
const growth_bytes_max = 96 * 1024 * 1024
/** Longer frames are cut here in the report. */
const shown_characters = 2000

const lines: string[] = []
const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
const guildhall = await openServer({ logger })
const documented = new Set(Object.values(closings).map(({ code, reason }) => `${code} ${reason}`))

/** Stands for a session that exists when the frame is sent. */
const anySession = 'any session'

interface Cast extends Nameable {
  readonly sessions: string[]
  /** The next frame. Resumes name existing sessions. */
  readonly frame: () => string | Buffer
}

async function newCast(castSeed: number): Promise<Cast> {
  const [ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
  const [home, other] = [await found(guildhall, ada), await found(guildhall, brian)]
  await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
  const engine = await newApplication(guildhall, ada)
  const bot = asBot(engine).replace(/^Bot /, '')
  const sessions = ['a'.repeat(32)]
  const known: Nameable = {
    guilds: [home.id, other.id],
    channels: [home.channel, other.channel],
    accounts: [ada.id, brian.id, engine.id],
    tokens: [ada.token, ada.token, brian.token, bot, randomBytes(32).toString('hex')],
    sessions: [...sessions, anySession],
  }
  let drawn: readonly (string | Buffer)[] = []
  let count = 0
  const frame = (): string | Buffer => {
    if (count % frames_count === 0)
      drawn = fc.sample(arbitraryFrame(known), { numRuns: frames_count, seed: castSeed + count })
    const next = drawn[count % frames_count] ?? ''
    count += 1
    const session = sessions[count % sessions.length] ?? ''
    return typeof next === 'string' ? next.replaceAll(anySession, session) : next
  }
  return { ...known, sessions, frame }
}

async function open(): Promise<Client> {
  const client = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1`)
  await client.op(10)
  return client
}

/**
 * Sends a frame, and waits until the Gateway has handled it: it acknowledges a heartbeat sent after the frame, or closes the
 * socket.
 */
async function send(client: Client, frame: string | Buffer): Promise<Closed | undefined> {
  client.raw(frame)
  client.send(1, null)
  const acknowledged = client.op(11).then(
    () => undefined,
    () => client.closed,
  )
  return acknowledged
}

function processor_ms(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heap_bytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

it('Request Guild Members for a name with a NUL, which no text in Postgres contains, finds nobody', async () => {
  const { tokens, guilds } = await newCast(seed)
  const client = await open()
  client.send(2, identifyOf({ token: tokens[0] ?? '' }))
  await client.dispatch('READY')
  client.send(8, { guild_id: guilds[0], query: 'x\0', limit: 5 })
  expect((await client.dispatch('GUILD_MEMBERS_CHUNK')).d).toMatchObject({ members: [], chunk_count: 1 })
  client.socket.terminate()
})

const title = `every opcode bears frames that were drawn, with FUZZ_SEED=${seed}`
it(
  title,
  async () => {
    const faults: string[] = []
    const heard = new Map<string, number>()
    const began_ms = performance.now()
    const passed_ms = (): number => performance.now() - began_ms
    let cast = await newCast(seed)
    let half_bytes: number | undefined
    let sent = 0
    for (let turn = 1; (passed_ms() < for_ms || sent < frames_min) && faults.length < 5; turn += 1) {
      if (turn % castLasts_connections === 0) cast = await newCast(seed + turn)
      if (passed_ms() > for_ms / 2 && sent > frames_min / 2) half_bytes ??= heap_bytes()
      const client = await open()
      // Most connections begin with a session, so that they get further.
      if (turn % 4 !== 0) {
        client.send(2, identifyOf({ token: cast.tokens[turn % 3] ?? '' }, { flags: turn % 2 === 0 ? 4 : 0 }))
        await client.dispatch('READY')
        cast.sessions.push(client.sessionId)
      }
      let closed: Closed | undefined
      for (let count = 0; count < framesPerConnection_max; count += 1) {
        const frame = cast.frame()
        const before_ms = processor_ms()
        closed = await send(client, frame)
        sent += 1
        const took_ms = processor_ms() - before_ms
        const shown = frame.toString().slice(0, shown_characters)
        if (took_ms > answer_processor_ms_max) faults.push(`${took_ms} ms for ${shown}`)
        if (closed && !documented.has(`${closed.code} ${closed.reason}`))
          faults.push(`closed with ${closed.code} ${closed.reason} after ${shown}`)
        for (const line of lines.splice(0)) faults.push(`${line} about ${shown}`)
        if (closed) break
      }
      for (const { t } of client.dispatches) heard.set(String(t), (heard.get(String(t)) ?? 0) + 1)
      if (closed) heard.set(String(closed.code), (heard.get(String(closed.code)) ?? 0) + 1)
      client.socket.terminate()
    }
    expect(faults).toEqual([])
    expect(heap_bytes() - (half_bytes ?? heap_bytes())).toBeLessThan(growth_bytes_max)
    // The test would find nothing if no frame got through.
    const answers = ['READY', 'RESUMED', 'GUILD_SYNC', 'GUILD_MEMBERS_CHUNK', 'GUILD_COUNTS_UPDATE', '4001', '4002']
    expect(answers.filter((answer) => !heard.has(answer))).toEqual([])
  },
  for_ms * 4 + 120_000,
)
