import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import type { Operation } from '../../../adapters/http/operation.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { accept, bodyOf, found, invite } from '../../operations/support/answers.ts'
import { asBot, newApplication } from '../../operations/support/applications.ts'
import { stillImage } from '../../operations/support/pictures.ts'
import { sent } from '../../operations/support/messages.ts'
import { threadsHeader, threadsOf } from '../../operations/support/threads.ts'
import { administrator } from '../../support/administrators.ts'
import { startTestGuildhall, type TestGuildhall } from '../../support/test-guildhall.ts'
import { arbitraryRequest, type ArbitraryRequest } from '../../abuse/support/arbitrary-request.ts'
import { patience_ms } from '../../support/pace.ts'

/** For every operation, random requests close to its schemas cause no fault of the server. */

/** The least number of requests to each operation. FUZZ_SECONDS=600 goes on for ten minutes; FUZZ_SEED repeats a run. */
const rounds_min = 2
const requests_min = rounds_min * allOperations.length
const for_ms = Number(process.env['FUZZ_SECONDS'] ?? 0) * 1000
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const sceneLasts_requests = 100
const answer_processor_ms_max = 1000
const growth_bytes_max = 96 * 1024 * 1024
const shown_characters = 2000
const faults_max = 5

const lines: Readonly<Record<string, unknown>>[] = []
const logger = pino(
  { level: 'error' },
  { write: (line: string) => void lines.push(JSON.parse(line) as Readonly<Record<string, unknown>>) },
)
const icon = await stillImage()
let guildhall = await openOne()
afterAll(() => guildhall.close())

function openOne(): Promise<TestGuildhall> {
  return startTestGuildhall({ logger, trustedProxies: ['127.0.0.1'] })
}

/** The senders, and the values that replace the names of things. */
interface Cast {
  readonly tokens: readonly string[]
  readonly administrator: string
  readonly things: Readonly<Record<string, string>>
}

/**
 * The values that a request may use. Names in braces are replaced by the cast's own. Some appear twice, so that more requests fit
 * together.
 */
const named: Readonly<Record<string, readonly unknown[]>> = {
  guild_id: ['{guild}'],
  channel_id: ['{channel}', '{channel}', '{channel}', '{thread}', '{ada}'],
  thread_id: ['{thread}'],
  message_id: ['{message}'],
  user_id: ['{ada}', '{brian}'],
  target_id: ['{brian}'],
  role_id: ['{role}', '{role}', '{guild}'],
  overwrite_id: ['{guild}', '{brian}'],
  client_id: ['{engine}'],
  application_id: ['{engine}'],
  invite_code: ['{code}'],
  code: ['{code}', '123456'],
  password: ['{password}', '{password}', 'another password'],
  email: ['{email}', 'somebody@example.com'],
  content: ['Hello', '**x** <@{brian}> https://example.com'],
  icon: [icon],
  avatar: [icon],
  token: ['x'.repeat(43)],
  url: ['http://127.0.0.1:9/', 'https://spam.example/x'],
  limit: [1, 100, 0, 101],
  type: [0, 2, 4, 11, 15],
  message_ids: ['{message}'],
  ip: ['203.0.113.7', '2001:db8::/64'],
  new_email: ['new@example.com'],
  username: ['grace', 'x_1'],
  discriminator: ['0001'],
  sha256_hex: ['a'.repeat(64)],
  hashes: ['a'.repeat(64), 'b'.repeat(64)],
  code_verifier: ['v'.repeat(43)],
  date_of_birth: ['1990-12-10', '2024-02-30'],
}
const ids = ['{guild}', '{channel}', '{thread}', '{message}', '{ada}', '{brian}', '{engine}', '{role}', '1']
const texts = ['Home', 'x', '1990-12-10', '2026-11-22T00:00:00.000Z', '0', '#ffffff', '127.0.0.1', 'grapheme', 'owned']
const known = (name: string): readonly unknown[] => named[name] ?? (/(^|_)ids?$/.test(name) ? ids : texts)
const requests = new Map(allOperations.map((operation) => [operation, arbitraryRequest(operation, known)]))

async function newCast(): Promise<Cast> {
  const [ada, brian, admin] = await Promise.all([
    guildhall.register(),
    guildhall.register(),
    administrator(guildhall, '*'),
  ])
  const guild = await found(guildhall, ada)
  const code = await invite(guildhall, ada, guild.channel)
  await accept(guildhall, brian, code)
  const [message, thread, engine, role] = await Promise.all([
    sent(guildhall, ada, guild.channel, 'Hello'),
    threadsOf(guildhall).started(ada, guild.channel),
    newApplication(guildhall, ada),
    guildhall.request('POST', `/v1/guilds/${guild.id}/roles`, { token: ada.token, body: { name: 'Role' } }),
  ])
  const own = { guild: guild.id, channel: guild.channel, message, thread, engine: engine.id, code }
  const things = { ...own, role: String(bodyOf(role)['id']), ada: ada.id, brian: brian.id }
  const tokens = [ada.token, ada.token, ada.token, brian.token, asBot(engine)]
  return { tokens, administrator: admin.token, things: { ...things, password: ada.password, email: brian.email } }
}

/** Replaces the names in braces by the cast's own values. A URL needs them encoded. */
function fill({ things }: Cast, text: string): string {
  return text.replace(/(?:\{|%7B)([a-z]+)(?:\}|%7D)/g, (place, name: string) => things[name] ?? place)
}

function tokenFor({ callers }: Operation, { tokens, administrator: admin }: Cast, turn: number): string {
  if (callers.kind === 'admin') return admin
  if (callers.kind === 'bot') return tokens.at(-1) ?? admin
  return tokens[turn % tokens.length] ?? admin
}

/** Each request comes from another address, so that network bans and the failures of single addresses do not end the run. */
const addressOf = (turn: number): string => `10.${turn % 251}.${(turn >> 8) % 251}.${turn % 199}`

interface Sent {
  readonly status: number
  readonly processor_ms: number
}

/** The body of such an answer ends with its reader alone. */
const isLive = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/event-stream') ?? false

async function send(asked: ArbitraryRequest, token: string, turn: number): Promise<Sent> {
  const began = process.cpuUsage()
  const response = await fetch(guildhall.url + asked.path, {
    method: asked.method,
    redirect: 'manual',
    signal: AbortSignal.timeout(patience_ms),
    headers: { ...threadsHeader, authorization: token, 'x-forwarded-for': addressOf(turn) },
    ...(asked.body === undefined ? {} : { body: asked.body }),
  })
  await (isLive(response) ? response.body?.cancel() : response.arrayBuffer())
  const { user, system } = process.cpuUsage(began)
  return { status: response.status, processor_ms: (user + system) / 1000 }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heap_bytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Operations that change the instance for everybody are rare: after them nobody could register or found a guild. */
const isForAll = ({ callers, method, path }: Operation): boolean =>
  callers.kind === 'admin' && method !== 'GET' && /instance|limit/.test(path)
const forAllEvery = 10
/** Primes that do not divide the number of operations, so that each round contains every operation. */
const strides = [1, 101, 37, 61, 17, 83].filter((prime) => prime === 1 || allOperations.length % prime !== 0)

/** A cast on this server, or on a new server if this instance no longer allows one. */
async function nextCast(): Promise<Cast> {
  try {
    return await newCast()
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    await guildhall.close()
    guildhall = await openOne()
    return newCast()
  }
}

interface Findings {
  readonly faults: string[]
  readonly statuses: Map<number, number>
}

/** Calls one operation. Reports faults together with the request. */
async function ask(cast: Cast, turn: number, { faults, statuses }: Findings): Promise<void> {
  const round = Math.floor(turn / allOperations.length)
  // The order differs each time: one operation may delete what another needs.
  const operation = allOperations[(turn * (strides[round % strides.length] ?? 1) + seed) % allOperations.length]
  const arbitrary = operation && requests.get(operation)
  if (!arbitrary || (isForAll(operation) && round % forAllEvery !== 0)) return
  const [drawn] = fc.sample(arbitrary, { numRuns: 1, seed: seed + turn })
  if (!drawn) return
  const { method, path, body } = drawn
  const asked = { method, path: fill(cast, path), body: body === undefined ? undefined : fill(cast, body) }
  const shown = `${operation.name}: ${JSON.stringify(asked).slice(0, shown_characters)}`
  try {
    const { status, processor_ms } = await send(asked, tokenFor(operation, cast, turn), turn)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 500) faults.push(`500 for ${shown}\n${JSON.stringify(lines.at(-1))}`)
    if (processor_ms > answer_processor_ms_max) faults.push(`${processor_ms} ms for ${shown}`)
  } catch (error) {
    faults.push(`${String(error)} for ${shown}`)
  }
}

it(
  `every operation withstands random requests, with FUZZ_SEED=${seed}`,
  async () => {
    const findings: Findings = { faults: [], statuses: new Map() }
    const began = performance.now()
    const spent_ms = (): number => performance.now() - began
    let cast = await nextCast()
    let half_bytes: number | undefined
    for (let turn = 0; spent_ms() < for_ms || turn < requests_min; turn += 1) {
      if (turn % sceneLasts_requests === sceneLasts_requests - 1) cast = await nextCast()
      if (spent_ms() > for_ms / 2 && turn > requests_min / 2) half_bytes ??= heap_bytes()
      await ask(cast, turn, findings)
      if (findings.faults.length === faults_max) break
    }
    expect(findings.faults).toEqual([])
    expect(heap_bytes() - (half_bytes ?? heap_bytes())).toBeLessThan(growth_bytes_max)
    // The test would find nothing if no request were admitted.
    const counts = [...findings.statuses]
    const sum = (of: readonly (readonly [number, number])[]): number => of.reduce((all, [, count]) => all + count, 0)
    expect(sum(counts.filter(([status]) => status < 400))).toBeGreaterThan(sum(counts) / 20)
  },
  for_ms * 4 + 600_000,
)
