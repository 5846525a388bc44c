import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Timeline } from './timeline.ts'

/** A person's Gateway session. */
export interface GatewayClient {
  /** Resolves with the next dispatch of this name that no call has waited for yet. Rejects after `dispatchWait_ms_max`. */
  waitFor(name: string): Promise<Readonly<Record<string, unknown>>>
  close(): void
}

const dispatchWait_ms_max = 10_000
const opcodes = { dispatch: 0, heartbeat: 1, identify: 2, hello: 10 } as const

const frame = z.object({ op: z.int(), t: z.string().optional(), s: z.int().optional(), d: z.unknown().optional() })
const hello = z.object({ heartbeat_interval: z.int() })
const data = z.record(z.string(), z.unknown())
/** What SESSIONS_REPLACE has, where another session of the account begins or ends meanwhile. The story waits for no such dispatch. */
const list = z.array(z.unknown()).transform(() => undefined)

/** Opens a session and resolves after READY. Each dispatch is written into the timeline as it arrives. */
export async function gatewayClient(
  url: string,
  token: string,
  who: string,
  timeline: Timeline,
): Promise<GatewayClient> {
  const socket = new WebSocket(`${url}?v=1&encoding=json`)
  const dispatches = awaitedDispatches()
  let heartbeat: NodeJS.Timeout | undefined
  let sequence: number | null = null
  const heard = (text: string): void => {
    const { op, t, s, d } = frame.parse(JSON.parse(text))
    sequence = s ?? sequence
    if (op === opcodes.hello) {
      heartbeat = setInterval(
        () => socket.send(JSON.stringify({ op: opcodes.heartbeat, d: sequence })),
        hello.parse(d).heartbeat_interval,
      )
      const identify = { token, properties: { os: 'demo', browser: 'demo', device: 'demo' } }
      socket.send(JSON.stringify({ op: opcodes.identify, d: identify }))
    }
    if (op === opcodes.dispatch && t !== undefined) {
      const body = z.union([data, list]).parse(d)
      timeline.add('dispatch', who, `${t} s=${String(s)}${body ? summary(t, body) : ''}`)
      if (body) dispatches.arrived(t, body)
    }
  }
  const close = (): void => {
    clearInterval(heartbeat)
    socket.close(1000)
  }
  socket.on('message', (bytes: Buffer) => {
    try {
      heard(bytes.toString())
    } catch (error) {
      dispatches.ended(`${who} can't read what the Gateway sends: ${messageOf(error)}`)
    }
  })
  socket.on('close', (code, reason) =>
    dispatches.ended(`The Gateway closed the connection of ${who} with ${code} ${reason.toString()}`),
  )
  socket.on('error', (error) => dispatches.ended(`The Gateway at ${url} can't be reached: ${error.message}`))
  try {
    await dispatches.waitFor('READY')
  } catch (error) {
    close()
    throw error
  }
  return { waitFor: (name) => dispatches.waitFor(name), close }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Body = Readonly<Record<string, unknown>>

/** Dispatches that have arrived, and those that a caller waits for. */
function awaitedDispatches() {
  let endedWith: string | undefined
  const arrivedBodies: { readonly name: string; readonly body: Body }[] = []
  const waiting = new Set<{
    readonly name: string
    readonly resolve: (body: Body) => void
    readonly reject: (error: Error) => void
  }>()
  return {
    arrived(name: string, body: Body): void {
      const waiter = [...waiting].find((one) => one.name === name)
      if (!waiter) arrivedBodies.push({ name, body })
      else {
        waiting.delete(waiter)
        waiter.resolve(body)
      }
    },
    ended(message: string): void {
      endedWith ??= message
      for (const { reject } of waiting) reject(new Error(message))
      waiting.clear()
    },
    waitFor(name: string): Promise<Body> {
      const index = arrivedBodies.findIndex((one) => one.name === name)
      const [found] = index < 0 ? [] : arrivedBodies.splice(index, 1)
      if (found) return Promise.resolve(found.body)
      if (endedWith !== undefined) return Promise.reject(new Error(endedWith))
      return new Promise((resolve, reject) => {
        const deadline = setTimeout(
          () => reject(new Error(`No ${name} came within ${dispatchWait_ms_max} ms`)),
          dispatchWait_ms_max,
        )
        const settle =
          <Value>(act: (value: Value) => void) =>
          (value: Value): void => {
            clearTimeout(deadline)
            act(value)
          }
        waiting.add({ name, resolve: settle(resolve), reject: settle(reject) })
      })
    },
  }
}

const memberUser = z.object({ user: z.object({ username: z.string().optional(), id: z.string() }) })
const guildReady = z.object({ properties: z.object({ name: z.string() }), member_count: z.int() })
const auditEntry = z.object({ action_type: z.int(), target_id: z.string().nullable() })

function summary(name: string, body: Body): string {
  if (name === 'READY') return ` session_id=${String(body['session_id'])}`
  if (name.startsWith('GUILD_MEMBER_')) {
    const { user } = memberUser.parse(body)
    return ` ${user.username ?? user.id}`
  }
  if (name === 'GUILD_CREATE') {
    const ready = guildReady.parse(body)
    return ` ${ready.properties.name}, ${ready.member_count} members`
  }
  if (name === 'GUILD_AUDIT_LOG_ENTRY_CREATE') {
    const entry = auditEntry.parse(body)
    return ` action_type=${entry.action_type} target_id=${String(entry.target_id)}`
  }
  return 'code' in body ? ` code=${String(body['code'])}` : ''
}
