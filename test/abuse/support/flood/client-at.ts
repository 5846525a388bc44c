import { Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answered {
  readonly status: number
  readonly body: string
  readonly took_ms: number
}

/** A client with an address of its own: one of this machine's, 127.0.0.0/8. */
export interface ClientAt {
  readonly address: string
  send(method: string, path: string, sent?: { readonly token?: string; readonly body?: unknown }): Promise<Answered>
  close(): void
}

/** Creates a client that sends to a server. */
export function clientAt(url: string, address: string): ClientAt {
  const agent = new Agent({ keepAlive: true, localAddress: address })
  return {
    address,
    async send(method, path, { token, body } = {}) {
      const began = performance.now()
      const json = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        ...(json !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }),
        ...(token !== undefined && { Authorization: token }),
      }
      return new Promise((resolve, reject) => {
        const sent = httpRequest(new URL(path, url), { method, agent, headers }, (response) => {
          text(response).then((answer) => {
            resolve({ status: response.statusCode ?? 0, body: answer, took_ms: performance.now() - began })
          }, reject)
        })
        sent.on('error', reject).end(json)
      })
    },
    close: () => agent.destroy(),
  }
}
