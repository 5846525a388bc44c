import { z } from 'zod'
import { atOnce } from '../support/at-once.ts'
import { answerParent } from '../support/child.ts'
import { openSession, type RawSession } from './raw-session.ts'
import { gatewayPath, headOf, identify, openReadySession } from './ready-session.ts'

/**
 * Holds many sessions and reports when a dispatch has reached all of them.
 *
 * - open: opens a session for each token, or bare sockets where a token is null, beside those that are open; answers once all have
 *   their READY. Bare sockets have none, unless they `greet`: then each sends a message first.
 * - next: answers with the times of the next dispatch of that name, once every session has it.
 */
const asked = z.union([
  z.object({
    open: z.object({
      port: z.int(),
      path: z.string().default(gatewayPath),
      tokens: z.array(z.string().nullable()),
      dispatch: z.string(),
      greet: z.boolean().default(false),
    }),
  }),
  z.object({ next: z.literal(true) }),
])

/** The times at which the first and the last session got a dispatch, by this process's clock, and its bytes. */
export interface FanOut {
  readonly first_ms: number
  readonly last_ms: number
  readonly payload: Buffer
}

const openAtOnce_max = 32

const sessions: RawSession[] = []
const done: FanOut[] = []
let awaited: ((fanOut: FanOut) => void) | undefined
let count = 0
let first_ms = 0

function noteDispatch(payload: Buffer): void {
  const now = performance.now()
  if (count === 0) first_ms = now
  count += 1
  if (count < sessions.length) return
  count = 0
  const fanOut = { first_ms, last_ms: now, payload: Buffer.from(payload) }
  if (!awaited) done.push(fanOut)
  else {
    awaited(fanOut)
    awaited = undefined
  }
}

interface Place {
  readonly port: number
  readonly path: string
  readonly greet: boolean
}

async function openOne({ port, path, greet }: Place, token: string | null, mark: Buffer): Promise<void> {
  const hear = (payload: Buffer): void => {
    if (headOf(payload).includes(mark)) noteDispatch(payload)
  }
  if (token === null && !greet) sessions.push(await openSession(port, path, hear))
  else {
    const first = token === null ? { op: 1, d: null } : identify(token)
    sessions.push((await openReadySession({ port, path }, first, hear)).session)
  }
}

answerParent(async (question) => {
  const wanted = asked.parse(question)
  if ('open' in wanted) {
    const { tokens, dispatch } = wanted.open
    const mark = Buffer.from(`"${dispatch}"`)
    await atOnce(openAtOnce_max, tokens, (token) => openOne(wanted.open, token, mark))
    return { sessions: sessions.length }
  }
  return done.shift() ?? new Promise<FanOut>((resolve) => (awaited = resolve))
})
