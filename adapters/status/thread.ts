import type * as http from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread, StatusThreadSettings, ToThread } from './messages.ts'
import { healthPage, readyPage, showsToken, text, type Heard, type Page } from './status-pages.ts'

// A program of its own: the status listener, in a thread beside the event loop that it reports on.

// `import` would load Node's fetch too, because node:http exports parts of it: half of what the thread's start takes.
const { createServer } = createRequire(import.meta.url)('node:http') as typeof http

const connections_max = 64
const request_ms_max = 5000
const check_ms = 500
const stockMetrics_ms_max = 2000
/** Metrics are made at most once in this time. */
const metricsAge_ms_max = 1000

type Metrics = Extract<ToThread, { kind: 'metrics' }> & { readonly at_ms: number }

const settings = workerData as StatusThreadSettings
const { metrics_ms_max = stockMetrics_ms_max } = settings
let heard: Heard['state'] = { ready: false, missing: ['starting'], without: [] }
let heard_ms = performance.now()
let metrics: Metrics | undefined
const waiting = new Set<() => void>()
const open = new Set<Socket>()

parentPort?.on('message', (message: ToThread) => {
  heard_ms = performance.now()
  if (message.kind === 'state') {
    heard = message.state
    return
  }
  metrics = { ...message, at_ms: heard_ms }
  for (const go of waiting) go()
})

const server = createServer(
  { requestTimeout: request_ms_max, headersTimeout: request_ms_max, connectionsCheckingInterval: check_ms },
  (request, response) => {
    void pageFor(request).then(({ status, type, body }) => {
      response.writeHead(status, {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        connection: 'close',
      })
      response.end(request.method === 'HEAD' ? undefined : body)
      request.resume()
    })
  },
)
server.on('connection', (socket) => {
  const [longest] = open
  if (longest && open.size >= connections_max) longest.destroy()
  open.add(socket)
  socket.setTimeout(request_ms_max, () => socket.destroy())
  socket.once('close', () => open.delete(socket))
})
server.once('error', (error) => {
  const code = 'code' in error ? String(error.code) : ''
  tell({ kind: 'not listening', code, message: error.message })
})
server.listen({ host: settings.host, port: settings.port }, () => {
  const address = server.address()
  if (typeof address === 'object' && address) tell({ kind: 'listening', port: address.port })
})

async function pageFor({ method, url = '', headers }: http.IncomingMessage): Promise<Page> {
  const [path] = url.split('?', 1)
  if (method !== 'GET' && method !== 'HEAD') return text(404, 'Not found')
  if (path === '/_health' || path === '/_healthz') return healthPage(told(), settings.silent_ms_max)
  if (path === '/_ready') return readyPage(told())
  if (path !== '/_metrics') return text(404, 'Not found')
  if (settings.metricsToken !== undefined && !showsToken(headers.authorization, settings.metricsToken))
    return text(401, 'METRICS_TOKEN is asked for behind Bearer')
  return metricsPage()
}

function told(): Heard {
  return { state: heard, silent_ms: performance.now() - heard_ms }
}

async function metricsPage(): Promise<Page> {
  if (!metrics || performance.now() - metrics.at_ms > metricsAge_ms_max) await newMetrics()
  if (!metrics) return text(503, 'The process has told no metrics yet')
  return { status: 200, type: metrics.contentType, body: metrics.text }
}

/** Resolves once new metrics have arrived, or the time is up. */
function newMetrics(): Promise<void> {
  if (waiting.size === 0) tell({ kind: 'metrics' })
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      waiting.delete(go)
      resolve()
    }
    const timer = setTimeout(go, metrics_ms_max)
    waiting.add(go)
  })
}

function tell(message: FromThread): void {
  parentPort?.postMessage(message)
}
