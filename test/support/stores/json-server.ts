import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StoreRequestSeen {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  readonly text: string
}

export interface JsonAnswer {
  readonly status: number
  /** Sent as JSON; none if undefined. */
  readonly body?: unknown
}

/**
 * What a store does instead of its work: answers with a status and no purchase, answers nothing, answers after a while, breaks the
 * connection, or answers with what is no JSON, or with other JSON than it should.
 */
export type StoreFault =
  | number
  | 'silence'
  | 'broken'
  | 'nonsense'
  | { readonly late_ms: number }
  | { readonly answer: unknown }

export interface JsonServer {
  readonly url: string
  /** Replaces the work of every request, or of those that it picks, until it is unset. */
  fault: StoreFault | undefined | ((seen: StoreRequestSeen) => StoreFault | undefined)
  /** Every request, oldest first. */
  readonly seen: readonly StoreRequestSeen[]
  close(): Promise<void>
}

/** Serves JSON on a free port of this machine, or on a given one. */
export async function serveJson(
  answerTo: (seen: StoreRequestSeen) => JsonAnswer | Promise<JsonAnswer>,
  errorBody: (status: number) => unknown,
  port = 0,
): Promise<JsonServer> {
  const seen: StoreRequestSeen[] = []
  const server = createServer((request, response) => {
    const send = ({ status, body }: JsonAnswer): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? '' : JSON.stringify(body))
    }
    const act = async (): Promise<void> => {
      const asked = await seenIn(request)
      seen.push(asked)
      const fault = typeof self.fault === 'function' ? self.fault(asked) : self.fault
      if (fault === 'silence') return
      if (fault === 'broken') return void request.socket.destroy()
      if (fault === 'nonsense') return void response.end('<html>')
      if (typeof fault === 'object' && 'answer' in fault) return send({ status: 200, body: fault.answer })
      if (typeof fault === 'number') return send({ status: fault, body: errorBody(fault) })
      const answer = await answerTo(asked)
      if (fault) setTimeout(send, fault.late_ms, answer).unref()
      else send(answer)
    }
    act().catch((error: unknown) => send({ status: 500, body: { double: String(error) } }))
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const self: JsonServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}

async function seenIn(request: IncomingMessage): Promise<StoreRequestSeen> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    authorization: request.headers.authorization,
    text: Buffer.concat(chunks).toString('utf8'),
  }
}
