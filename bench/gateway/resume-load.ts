import { z } from 'zod'
import { answerParent } from '../support/child.ts'
import { atOnce } from '../support/at-once.ts'
import { openSession, type RawSession } from './raw-session.ts'
import { gatewayPath, headOf, identify, openReadySession } from './ready-session.ts'

/**
 * Holds sessions, cuts their sockets, and resumes them.
 *
 * - open: opens a session for each token; answers once all have their READY.
 * - cut: destroys every socket.
 * - resume: opens a socket for each session and resumes it, or as many bare sockets as given, which only listen. Answers once each
 *   has so many dispatches of that name and then RESUMED, with what the first one got.
 */
const asked = z.union([
  z.object({ open: z.object({ port: z.int(), tokens: z.array(z.string()), initialGuild: z.string() }) }),
  z.object({ cut: z.literal(true) }),
  z.object({
    resume: z.object({
      port: z.int(),
      path: z.string().default(gatewayPath),
      bare_count: z.int().optional(),
      dispatch: z.string(),
      missed_count: z.int(),
    }),
  }),
])
type Resume = Extract<z.output<typeof asked>, { readonly resume: unknown }>['resume']

const openAtOnce_max = 32
const resumedMark = Buffer.from('"t":"RESUMED"')
const readyPayload = z.object({ d: z.object({ session_id: z.string() }), s: z.int() })
const resumedPayload = z.object({ s: z.int() })

/** A session, and the number of the last dispatch that it has. */
interface Held {
  readonly token: string
  readonly id: string
  seq: number
}

const held: Held[] = []
let sockets: RawSession[] = []

answerParent(async (question) => {
  const wanted = asked.parse(question)
  if ('open' in wanted) {
    const { port, tokens, initialGuild } = wanted.open
    await atOnce(openAtOnce_max, tokens, async (token) => {
      const { session, ready } = await openReadySession({ port }, identify(token, initialGuild))
      const { d, s } = readyPayload.parse(JSON.parse(ready.toString()))
      sockets.push(session)
      held.push({ token, id: d.session_id, seq: s })
    })
    return {}
  }
  if ('cut' in wanted) {
    for (const socket of sockets) socket.close()
    sockets = []
    return {}
  }
  return resumeAll(wanted.resume)
})

async function resumeAll(resume: Resume): Promise<{ readonly first: readonly Buffer[] }> {
  const first: Buffer[] = []
  const { bare_count } = resume
  const some = bare_count === undefined ? held : Array.from({ length: bare_count }, () => undefined)
  await atOnce(openAtOnce_max, some, (one, index) => resumeOne(resume, one, index === 0 ? first : undefined))
  return { first }
}

async function resumeOne(
  { port, path, dispatch, missed_count }: Resume,
  one: Held | undefined,
  kept: Buffer[] | undefined,
): Promise<void> {
  const mark = Buffer.from(`"t":"${dispatch}"`)
  let count = 0
  let end: (resumed: unknown) => void = () => undefined
  const resumed = new Promise((resolve) => (end = resolve))
  const socket = await openSession(port, path, (payload) => {
    const head = headOf(payload)
    const isLast = head.includes(resumedMark)
    if (head.includes(mark)) count += 1
    else if (!isLast) return
    kept?.push(Buffer.from(payload))
    if (isLast) end(JSON.parse(payload.toString()))
  })
  sockets.push(socket)
  if (one) socket.send({ op: 6, d: { token: one.token, session_id: one.id, seq: one.seq } })
  const { s } = resumedPayload.parse(await resumed)
  if (one) one.seq = s
  if (count !== missed_count) throw new Error(`A session was sent ${count} dispatches, not ${missed_count}`)
}
