import { WebSocket } from 'ws'
import { patience_ms } from '../../support/pace.ts'

/** What the Gateway sent, as it came. */
export interface Payload {
  readonly op: number
  /** The data, treated as an object: tests check the members that they expect. */
  readonly d: Readonly<Record<string, unknown>>
  readonly s?: number
  readonly t?: string
}

export interface Closed {
  readonly code: number
  readonly reason: string
}

/** Makes the payload of a message, and delivers it after those of all earlier messages. */
export type Inflate = (message: Buffer, isBinary: boolean, deliver: (payload: Buffer) => void) => void

export interface ClientOptions {
  readonly from?: string | undefined
  readonly isSilent?: boolean
  /** By default, messages are payloads. */
  readonly inflating?: () => Inflate
}

const heartbeat = 1
const asTheyAre = (): Inflate => (message, _isBinary, deliver) => {
  deliver(message)
}

/** A websocket client that keeps what it got. It waits for facts, not for time. */
export class Client {
  readonly socket: WebSocket
  /** Everything that came, oldest first. */
  readonly payloads: Payload[] = []
  readonly closed: Promise<Closed>
  #seen = 0
  #onChange: () => void = () => undefined
  #ended: Closed | undefined

  /**
   * `from` is the address of this machine that it connects from. It answers when it is asked for a heartbeat, since a test may
   * take longer than the Gateway waits for a client that `isSilent`.
   */
  constructor(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    { from = '127.0.0.1', isSilent = false, inflating = asTheyAre }: ClientOptions = {},
  ) {
    this.socket = new WebSocket(url, { headers, localAddress: from })
    const take = (data: Buffer): void => {
      const payload = JSON.parse(data.toString()) as Payload
      this.payloads.push(payload)
      if (payload.op === heartbeat && !isSilent) this.send(heartbeat, this.sequence)
      this.#onChange()
    }
    const inflate = inflating()
    this.socket.on('message', (data: Buffer, isBinary: boolean) => {
      inflate(data, isBinary, take)
    })
    this.socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        // After the payloads of all messages.
        inflate(Buffer.alloc(0), true, () => {
          this.#ended = { code, reason: reason.toString() }
          resolve(this.#ended)
          this.#onChange()
        })
      })
    })
  }

  get dispatches(): readonly Payload[] {
    return this.payloads.filter(({ op }) => op === 0)
  }

  /** The session id in the READY that it got. */
  get sessionId(): string {
    return String(this.dispatches.find(({ t }) => t === 'READY')?.d['session_id'])
  }

  /** The number of the last dispatch. */
  get sequence(): number {
    return this.dispatches.at(-1)?.s ?? 0
  }

  send(op: number, d?: unknown): void {
    this.raw(JSON.stringify({ op, d }))
  }

  raw(frame: string | Buffer): void {
    this.socket.send(frame)
  }

  /** Waits for a payload that was not waited for before; returns all payloads up to it, with it as the last. */
  async until(isIt: (payload: Payload) => boolean, what: string): Promise<readonly [...Payload[], Payload]> {
    const deadline = setTimeout(() => {
      this.#ended ??= { code: 0, reason: 'nothing came' }
      this.#onChange()
    }, patience_ms)
    try {
      for (;;) {
        const unseen = this.payloads.slice(this.#seen)
        const index = unseen.findIndex(isIt)
        const found = unseen[index]
        if (found) {
          this.#seen += index + 1
          return [...unseen.slice(0, index), found]
        }
        if (this.#ended) throw new Error(`no ${what}; ${this.#told()}; ended with ${JSON.stringify(this.#ended)}`)
        await new Promise<void>((resolve) => {
          this.#onChange = resolve
        })
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  /** Waits for a payload of an opcode. */
  async op(op: number): Promise<Payload> {
    return last(await this.until((payload) => payload.op === op, `op ${op}`))
  }

  /** Waits for a dispatch. */
  async dispatch(t: string): Promise<Payload> {
    return last(await this.until((payload) => payload.t === t, t))
  }

  close(code = 1000): void {
    this.socket.close(code)
  }

  #told(): string {
    return this.payloads.map(({ op, t }) => t ?? `op ${op}`).join(', ')
  }
}

export function last<Item>(items: readonly [...Item[], Item]): Item {
  const item = items.at(-1)
  if (item === undefined) throw new Error('there is none')
  return item
}
