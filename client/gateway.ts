import { dataOf, openApi } from './api.ts'
import { startHeartbeat, type Heartbeat } from './heartbeat.ts'
import {
  consequenceOf,
  opcodes,
  type Closing,
  type Command,
  type Consequence,
  type Dispatch,
  type IdentifyOptions,
  type OwnCommand,
  type Payload,
} from './protocol.ts'

export interface GatewaySettings {
  /** The address of the Gateway, as `endpoints.gateway` of `/.well-known/guildhall` has it. */
  readonly gatewayUrl: string
  /** A session token or a bot token, with or without `Bot` before it. */
  readonly token: string
  /** How the session begins, beside its token. Default: a program named guildhall-client. */
  readonly identify?: IdentifyOptions
  /** Called where a connection ends and another one will be opened. */
  readonly onInterruption?: (interruption: Interruption) => void
}

/** The end of a connection that is not the end of everything. */
export interface Interruption extends Closing {
  /** Whether the session is resumed, so that nothing is missed. Otherwise a new one begins: another READY comes. */
  readonly isResumed: boolean
  /** Until the next attempt. */
  readonly pause_ms: number
}

/** Rejects the reading of dispatches: with this close code, no other attempt would fare better. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: number

  constructor({ code, reason }: Closing) {
    super(`The Gateway closed the connection with ${code} ${reason}`)
    this.code = code
  }
}

/** What is used of the global WebSocket, which Node and browsers have. */
interface Socket {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: Closing) => void) | null
  send(text: string): void
  close(code: number): void
}
declare const WebSocket: new (url: string) => Socket

/** Dispatches that the program has not read yet. Beyond it the reading ends with an error, instead of growing without a bound. */
const unread_max = 10_000
const hello_ms_max = 20_000
/** From Identify to READY, or between two dispatches of a Resume: an Identify too many is passed over without an answer. */
const start_ms_max = 60_000
const firstPause_ms = 1000
const longestPause_ms = 60_000
const rateLimitPause_ms = 60_000
/** The server closes a connection five seconds after op 9 if nobody has identified on it. */
const beginAgain_ms_max = 2000
const done = 1000

/** Asks an instance for the address of its Gateway, and gives a Gateway there. Rejects where no instance answers at `url`. */
export async function openGateway({
  url,
  ...settings
}: Omit<GatewaySettings, 'gatewayUrl'> & { readonly url: string }): Promise<Gateway> {
  const { endpoints } = await dataOf(openApi({ url }).GET('/.well-known/guildhall'))
  return new Gateway({ ...settings, gatewayUrl: endpoints.gateway })
}

/**
 * A session at the Gateway. Reading it connects, and goes on until it is closed, whatever happens to connections:
 *
 *     for await (const { t, d } of gateway) if (t === 'MESSAGE_CREATE') console.log(d.content)
 *
 * It resumes where the server lets it, so that each dispatch comes once and in order. Leaving the loop closes it. The loop rejects
 * with a GatewayError where no other attempt would fare better, as with an unknown token.
 */
export class Gateway implements AsyncIterable<Dispatch> {
  readonly #settings: GatewaySettings
  #token: string
  #sessionId: string | undefined
  /** The number of the last dispatch. */
  #sequence: number | null = null
  #socket: Socket | undefined
  #heartbeat: Heartbeat | undefined
  /** Whether READY or RESUMED has come on this connection. */
  #isLive = false
  /** Connections in a row that came to nothing. */
  #failures = 0
  /** The deadline of what is waited for, or the pause before what comes next. */
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #unread: Dispatch[] = []
  #ending: { readonly error?: Error } | undefined
  #wake: () => void = () => undefined

  constructor(settings: GatewaySettings) {
    this.#settings = settings
    this.#token = settings.token.replace(/^Bot /i, '')
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Dispatch, void> {
    this.#connect()
    try {
      for (;;) {
        yield* this.#unread.splice(0)
        if (this.#unread.length > 0) continue
        if (this.#ending?.error) throw this.#ending.error
        if (this.#ending) return
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      this.close()
    }
  }

  /** Sends a command. Gives false, and sends nothing, while there is no session, as between two connections. */
  send(command: Command): boolean {
    if (this.#isLive) this.#transmit(command)
    return this.#isLive
  }

  /** Ends the connection, and the reading after what has come. The server ends the session when nobody resumes it. */
  close(): void {
    this.#end({})
  }

  #connect(): void {
    const socket = new WebSocket(`${this.#settings.gatewayUrl}?v=1&encoding=json`)
    socket.onmessage = ({ data }) => {
      const payload = payloadIn(data)
      if (payload) this.#hear(payload)
      else this.#end({ error: new Error('The Gateway sends what is no payload') })
    }
    socket.onclose = ({ code, reason }) => this.#lose({ code, reason })
    this.#socket = socket
    this.#expect('Hello', hello_ms_max)
  }

  #hear(payload: Payload): void {
    switch (payload.op) {
      case opcodes.hello:
        this.#heartbeat = startHeartbeat({
          interval_ms: payload.d.heartbeat_interval,
          send: () => this.#transmit({ op: opcodes.heartbeat, d: this.#sequence }),
          onSilence: () => this.#lose(unheard('answer to a heartbeat')),
        })
        this.#begin()
        break
      case opcodes.heartbeat:
        this.#heartbeat?.beat()
        break
      case opcodes.heartbeatAck:
        this.#heartbeat?.acknowledged()
        break
      case opcodes.reconnect:
        this.#lose({ code: 4000, reason: 'The server asks for another connection' })
        break
      case opcodes.invalidSession:
        if (payload.d) this.#lose({ code: 4000, reason: 'The server asks for a Resume on another connection' })
        else this.#beginAgain()
        break
      case opcodes.dispatch:
        this.#take(payload)
    }
  }

  /** Resumes the session, or begins one. */
  #begin(): void {
    const token = this.#token
    if (this.#sessionId === undefined || this.#sequence === null)
      this.#transmit({ op: opcodes.identify, d: { ...(this.#settings.identify ?? unnamed), token } })
    else this.#transmit({ op: opcodes.resume, d: { token, session_id: this.#sessionId, seq: this.#sequence } })
    this.#expect('READY', start_ms_max)
  }

  /** Begins another session on the same connection. */
  #beginAgain(): void {
    this.#forget()
    const pause_ms = between(0, beginAgain_ms_max)
    this.#later(pause_ms, () => this.#begin())
    this.#tell({ code: 4000, reason: 'The session cannot be resumed' }, pause_ms)
  }

  #take(dispatch: Dispatch): void {
    this.#sequence = dispatch.s
    if (dispatch.t === 'READY') this.#sessionId = dispatch.d.session_id
    if (dispatch.t === 'AUTH_SESSION_CHANGE') this.#token = dispatch.d.new_token
    if (dispatch.t === 'READY' || dispatch.t === 'RESUMED') {
      clearTimeout(this.#timer)
      this.#isLive = true
      this.#failures = 0
    } else if (!this.#isLive) this.#expect('RESUMED', start_ms_max)
    if (this.#unread.length === unread_max) {
      this.#end({ error: new Error(`The program has left ${unread_max} dispatches unread`) })
      return
    }
    this.#unread.push(dispatch)
    this.#wake()
  }

  /** Leaves this connection, and goes on with another one if that is of any use. */
  #lose(closing: Closing): void {
    const consequence = consequenceOf(closing)
    if (consequence === 'ends') {
      this.#end({ error: new GatewayError(closing) })
      return
    }
    this.#leave()
    if (consequence === 'begins') this.#forget()
    const pause_ms = pauseBefore(consequence, this.#failures)
    this.#failures += 1
    this.#later(pause_ms, () => this.#connect())
    this.#tell(closing, pause_ms)
  }

  #end(ending: { readonly error?: Error }): void {
    this.#ending ??= ending
    this.#leave()
    this.#wake()
  }

  /** Drops the connection without waiting for the other side, which may be gone. */
  #leave(): void {
    clearTimeout(this.#timer)
    this.#heartbeat?.stop()
    this.#isLive = false
    if (!this.#socket) return
    this.#socket.onmessage = null
    this.#socket.onclose = null
    this.#socket.close(done)
    this.#socket = undefined
  }

  #forget(): void {
    this.#isLive = false
    this.#sessionId = undefined
    this.#sequence = null
  }

  #tell(closing: Closing, pause_ms: number): void {
    this.#settings.onInterruption?.({ ...closing, isResumed: this.#sessionId !== undefined, pause_ms })
  }

  #transmit(command: Command | OwnCommand): void {
    this.#socket?.send(JSON.stringify(command))
  }

  #expect(what: string, within_ms: number): void {
    this.#later(within_ms, () => this.#lose(unheard(what)))
  }

  #later(pause_ms: number, act: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(act, pause_ms)
  }
}

const unnamed: IdentifyOptions = {
  properties: { os: 'unknown', browser: 'guildhall-client', device: 'guildhall-client' },
}

/** What a frame says. All frames are JSON as text: the client asks for no compression. */
function payloadIn(data: unknown): Payload | undefined {
  try {
    return JSON.parse(String(data)) as Payload
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** As a connection that broke. */
function unheard(what: string): Closing {
  return { code: 1006, reason: `No ${what} came in time` }
}

/** Pauses grow with each failure, and differ from client to client: those that lose a server together do not come back together. */
function pauseBefore(consequence: Consequence, failures: number): number {
  if (consequence === 'waits') return between(rateLimitPause_ms / 2, rateLimitPause_ms)
  const longest_ms = Math.min(longestPause_ms, firstPause_ms * 2 ** failures)
  return between(longest_ms / 2, longest_ms)
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least)
}
