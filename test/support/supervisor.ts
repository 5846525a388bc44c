import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { paced } from './pace.ts'

/** What a supervisor saw of a process since it started, or since `forget`. */
export interface Seen {
  /** How often it would have ended the process: health failed this often in a row, by the defaults of docker and Kubernetes. */
  readonly kills: number
  /** Answers of /_health, by status; 0 if there was none in time. */
  readonly health: ReadonlyMap<number, number>
  readonly slowestHealth_ms: number
  /** Everything that /_ready ever named as missing, with the number of looks in which it did. */
  readonly missing: ReadonlyMap<string, number>
  readonly without: ReadonlySet<string>
  readonly looks: number
}

export interface Supervisor {
  readonly seen: Seen
  /** The current answer of /_ready. */
  ready(): Promise<Readiness>
  forget(): void
  stop(): Promise<void>
}

const failures_max = 3
const answer_ms_max = paced(1000)
const every_ms = 100

const readiness = z.object({
  ready: z.boolean(),
  missing: z.array(z.string()),
  without: z.array(z.string()),
})
export type Readiness = z.output<typeof readiness>

const nothingSeen = () => ({
  kills: 0,
  health: new Map<number, number>(),
  slowestHealth_ms: 0,
  missing: new Map<string, number>(),
  without: new Set<string>(),
  looks: 0,
})

/** Asks a process for health and readiness ten times a second, over a new connection each time. Ends nothing. */
export function watchOver(statusUrl: string): Supervisor {
  let seen = nothingSeen()
  let failures = 0
  let isOver = false

  async function look(): Promise<void> {
    const began = performance.now()
    const { status } = await ask(`${statusUrl}/_health`)
    seen.slowestHealth_ms = Math.max(seen.slowestHealth_ms, performance.now() - began)
    seen.health.set(status, (seen.health.get(status) ?? 0) + 1)
    failures = status === 200 ? 0 : failures + 1
    if (failures === failures_max) seen.kills += 1
    const { missing, without } = await ready()
    for (const part of missing) seen.missing.set(part, (seen.missing.get(part) ?? 0) + 1)
    for (const part of without) seen.without.add(part)
    seen.looks += 1
  }

  async function ready(): Promise<Readiness> {
    const { status, body } = await ask(`${statusUrl}/_ready`)
    if (status === 0) return { ready: false, missing: ['no answer'], without: [] }
    const said = readiness.parse(JSON.parse(body))
    if (said.ready !== (status === 200)) throw new Error(`Ready says ${body} with ${status}`)
    return said
  }

  const looking = (async () => {
    while (!isOver) {
      await look()
      await sleep(every_ms)
    }
  })()
  return {
    get seen() {
      return seen
    },
    ready,
    forget() {
      seen = nothingSeen()
    },
    async stop() {
      isOver = true
      await looking
    },
  }
}

/** Status 0 if there is no answer in time. */
function ask(url: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, timeout: answer_ms_max }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')))
    asked.once('error', () => resolve({ status: 0, body: '' }))
    asked.end()
  })
}
