import http from 'node:http'

/** What is sent, as it goes out. */
export interface SentRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What came back, with the whole body as text. */
export interface ReceivedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Connections stay open between requests; a server that closes ends its own. */
const agent = new http.Agent({ keepAlive: true })
/** Idle connections end after a minute, by timers on both sides. Where a worker computed for that long, none of them has run yet. */
const quiet_ms_max = 3000
let sent_ms = performance.now()
/** The real one, whatever clock a test has. */
const { setTimeout: later } = globalThis
/** What Node's fetch sends if nobody says otherwise. */
const stockHeaders = { accept: '*/*', 'accept-language': '*', 'user-agent': 'node' }

/**
 * Sends a request and resolves with its whole answer; redirects are not followed. Stands for Node's fetch, which takes three
 * times the processor's time.
 */
export async function sendRequest(url: string, { method, headers, body }: SentRequest): Promise<ReceivedAnswer> {
  await afterIdleTimers()
  return new Promise((resolve, reject) => {
    const sent = new Headers({ ...stockHeaders, ...(body !== undefined && { 'content-type': textType }) })
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    if (body !== undefined || bodied.has(method)) sent.set('content-length', String(Buffer.byteLength(body ?? '')))
    const request = http.request(url, { agent, method, headers: Object.fromEntries(sent) }, (response) => {
      textOf(response).then((text) => {
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text })
      }, reject)
    })
    // As text, it would leave in one piece with the headers, and those would be encoded as the text is.
    request.on('error', reject).end(body === undefined ? undefined : Buffer.from(body))
  })
}

/** Otherwise a request could leave on a connection that its server closes before it reads it. */
async function afterIdleTimers(): Promise<void> {
  const isQuiet = performance.now() - sent_ms > quiet_ms_max
  sent_ms = performance.now()
  // After the first wait they have run, and after the second their connections are gone.
  for (let waits = isQuiet ? 2 : 0; waits > 0; waits -= 1) await new Promise((resolve) => later(resolve, 0))
}

const textType = 'text/plain;charset=UTF-8'
/** Methods whose requests say that they have no body. */
const bodied = new Set(['POST', 'PUT', 'PATCH'])

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function headersOf({ headersDistinct }: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  return headers
}
