import { Worker } from 'node:worker_threads'
import type { ReadyState } from '../../application/ports/readiness.ts'
import type { FromThread, StatusThreadSettings, ToThread } from './messages.ts'

/** A registry of metrics, or something like it. */
export interface MetricsText {
  readonly contentType: string
  metrics(): Promise<string>
}

export interface StatusListenerSettings extends Omit<StatusThreadSettings, 'silent_ms_max'> {
  /** `thread.js`, or its source. */
  readonly program: URL
  readonly state: () => ReadyState
  readonly metrics: () => MetricsText
  /** Called if metrics can't be made, and if the thread ended by itself: another one replaces it. */
  readonly onError: (error: unknown) => void
}

export interface StatusListener {
  readonly port: number
  close(): Promise<void>
}

/** The address can't be listened on. `code` gives the system's reason. */
export class StatusPortUnusable extends Error {
  override readonly name = 'StatusPortUnusable'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const tellEvery_ms = 250
/** How long an event loop may be blocked before a supervisor should end the process: far longer than work takes. */
export const silent_ms_max = 15_000
const startAgain_ms = 1000
const heap_MB_max = 64

/**
 * Answers /_health, /_ready and /_metrics on its own port and in its own thread, so that neither a queue of connections nor a
 * busy event loop keeps a supervisor waiting (decision 60). Rejects with StatusPortUnusable.
 */
export async function openStatusListener(settings: StatusListenerSettings): Promise<StatusListener> {
  const { onError } = settings
  let isClosed = false
  let startingAgain: NodeJS.Timeout | undefined
  let thread = await startThread(settings, settings.port, again)
  const { port } = thread

  function again(error: unknown): void {
    if (isClosed) return
    onError(error)
    startingAgain = setTimeout(() => {
      startThread(settings, port, again).then((started) => (thread = started), again)
    }, startAgain_ms).unref()
  }

  const timer = setInterval(() => thread.tell({ kind: 'state', state: settings.state() }), tellEvery_ms).unref()
  return {
    port,
    async close() {
      isClosed = true
      clearInterval(timer)
      clearTimeout(startingAgain)
      await thread.end()
    },
  }
}

interface Thread {
  readonly port: number
  tell(message: ToThread): void
  end(): Promise<void>
}

/** `onEnd` is called once if the thread ends by itself after it started to listen. */
function startThread(
  { program, host, metricsToken, metrics_ms_max, metrics, onError }: StatusListenerSettings,
  port: number,
  onEnd: (error: unknown) => void,
): Promise<Thread> {
  const workerData: StatusThreadSettings = { host, port, metricsToken, silent_ms_max, metrics_ms_max }
  const worker = new Worker(program, {
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heap_MB_max, maxYoungGenerationSizeMb: 8 },
  })
  const tell = (message: ToThread): void => worker.postMessage(message)
  const end = async (): Promise<void> => void (await worker.terminate())
  return new Promise((resolve, reject) => {
    let ended: (error: unknown) => void = reject
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'metrics') return void tellMetrics(metrics(), tell, onError)
      if (message.kind === 'not listening') {
        void end()
        return reject(new StatusPortUnusable(message.code, message.message))
      }
      worker.unref()
      ended = onEnd
      return resolve({ port: message.port, tell, end })
    })
    worker.once('error', (error) => ended(error))
  })
}

/** If they can't be made, the thread serves the ones it has. */
async function tellMetrics(
  registry: MetricsText,
  tell: (message: ToThread) => void,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    tell({ kind: 'metrics', text: await registry.metrics(), contentType: registry.contentType })
  } catch (error) {
    onError(error)
  }
}
