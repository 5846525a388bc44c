import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answered {
  readonly status: number
  readonly body: string
  readonly took_ms: number
}

export interface Sent {
  readonly token?: string
  /** Sent as JSON, or as it is where a type is named. */
  readonly body?: unknown
  readonly type?: string
  /** The answer is not kept: the test's own work must not count as the server's. */
  readonly isDropped?: boolean
}

/** A client with an address of its own: one of this machine's, 127.0.0.0/8. */
export interface ClientAt {
  readonly address: string
  send(method: string, path: string, sent?: Sent): Promise<Answered>
  close(): void
}

/** Creates a client that sends to a server. */
export function clientAt(url: string, address: string): ClientAt {
  const agent = new Agent({ keepAlive: true, localAddress: address })
  return {
    address,
    async send(method, path, { token, body, type, isDropped } = {}) {
      const began = performance.now()
      const content = typeof body === 'string' && type !== undefined ? body : JSON.stringify(body)
      const headers = {
        ...(content !== undefined && {
          'Content-Type': type ?? 'application/json',
          'Content-Length': Buffer.byteLength(content),
        }),
        ...(token !== undefined && { Authorization: token }),
      }
      return new Promise((resolve, reject) => {
        const sent = httpRequest(new URL(path, url), { method, agent, headers }, (response) => {
          const whole = isDropped ? once(response.resume(), 'end').then(() => '') : text(response)
          whole.then((answer) => {
            resolve({ status: response.statusCode ?? 0, body: answer, took_ms: performance.now() - began })
          }, reject)
        })
        sent.on('error', reject).end(content)
      })
    },
    close: () => agent.destroy(),
  }
}
