import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Person } from '../../support/load-api.ts'
import { patience_ms } from '../../support/pace.ts'

/** What a session heard in one life: from its READY until it is told that it cannot be resumed. */
export interface SessionLife {
  /** The facts among its dispatches, as `factIn` names them, in the order of arrival. */
  readonly facts: string[]
  /** Dispatches whose number does not follow the number before. */
  misnumbered: number
}

/** A Gateway session that acts as clients do: it reconnects and resumes, or identifies again if it must. */
export interface WatchingSession {
  /** The newest is last. More than one means that the Gateway could not replay the rest. */
  readonly lives: readonly SessionLife[]
  /** How often it lost its connection and came back with everything that it missed. */
  readonly resumes: number
  /** Resolves at the first READY. */
  readonly ready: Promise<void>
  /** Loses its connection, as on a bad network: neither end says goodbye. */
  cut(): void
  close(): void
}

const frame = z.object({
  op: z.int(),
  d: z.unknown().optional(),
  s: z.int().optional(),
  t: z.string().optional(),
})
type Frame = z.infer<typeof frame>
const readyBody = z.object({ session_id: z.string() })
const helloBody = z.object({ heartbeat_interval: z.number() })

const reconnect_ms = 50

export interface WatchingSettings {
  /** Begins with ws://; called again for each connection. */
  readonly gatewayUrl: () => string
  /** Undefined for a dispatch that is not watched. */
  readonly factIn: (t: string, d: unknown) => string | undefined
}

/** Connects at once. */
export function watchAs(person: Person, settings: WatchingSettings): WatchingSession {
  return new Watching(person, settings)
}

class Watching implements WatchingSession {
  readonly lives: SessionLife[] = []
  readonly ready: Promise<void>
  resumes = 0
  readonly #person: Person
  readonly #settings: WatchingSettings
  #isReady = (): void => undefined
  #isClosed = false
  #sessionId = ''
  #sequence = 0
  #socket: WebSocket | undefined
  #beating: NodeJS.Timeout | undefined

  constructor(person: Person, settings: WatchingSettings) {
    this.#person = person
    this.#settings = settings
    this.ready = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No READY within ${patience_ms} ms`)), patience_ms)
      this.#isReady = () => {
        clearTimeout(late)
        resolve()
      }
    })
    this.#connect()
  }

  cut(): void {
    this.#socket?.terminate()
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.terminate()
  }

  #connect(): void {
    if (this.#isClosed) return
    const socket = new WebSocket(`${this.#settings.gatewayUrl()}?v=1&encoding=json`)
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#hear(frame.parse(JSON.parse(data.toString()))))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(this.#beating)
      if (!this.#isClosed) setTimeout(() => this.#connect(), reconnect_ms)
    })
  }

  #send(op: number, d: unknown): void {
    this.#socket?.send(JSON.stringify({ op, d }))
  }

  #hear(said: Frame): void {
    switch (said.op) {
      case 0:
        return this.#dispatched(said)
      case 1:
        return this.#send(1, this.#sequence)
      case 7:
        return this.#socket?.close(4000)
      case 9:
        return this.#identify()
      case 10:
        return this.#greet(helloBody.parse(said.d).heartbeat_interval)
      default:
    }
  }

  #greet(heartbeat_ms: number): void {
    clearInterval(this.#beating)
    this.#beating = setInterval(() => this.#send(1, this.#sequence), heartbeat_ms)
    const { token } = this.#person
    if (this.#sessionId === '') this.#identify()
    else this.#send(6, { token, session_id: this.#sessionId, seq: this.#sequence })
  }

  #identify(): void {
    this.#sessionId = ''
    this.#sequence = 0
    this.#send(2, { token: this.#person.token, properties: { os: '', browser: '', device: '' } })
  }

  #dispatched({ t = '', d, s = 0 }: Frame): void {
    if (t === 'READY') {
      this.#sessionId = readyBody.parse(d).session_id
      this.lives.push({ facts: [], misnumbered: 0 })
      this.#isReady()
    }
    const life = this.lives.at(-1)
    if (!life) throw new Error(`${t} came before READY`)
    if (t === 'RESUMED') this.resumes += 1
    else if (s !== this.#sequence + 1) life.misnumbered += 1
    this.#sequence = s
    const fact = this.#settings.factIn(t, d)
    if (fact !== undefined) life.facts.push(fact)
  }
}
