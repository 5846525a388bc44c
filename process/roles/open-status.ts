import { openStatusListener, StatusPortUnusable, type MetricsText } from '../../adapters/status/open-status-listener.ts'
import type { ReadyState } from '../../application/ports/readiness.ts'
import type { ClosingList } from '../closing-list.ts'
import type { GuildhallSettings } from '../settings/guildhall-settings.ts'

/** The status listener. Until a state is set, it reports that the process is starting, and it has no metrics. */
export interface Status {
  /** Its address; undefined if no port is set for it. */
  readonly url: string | undefined
  readonly state: () => ReadyState
  /** Sets what it reports from now on. */
  tell(state: () => ReadyState): void
  show(metrics: MetricsText): void
}

/** The source, where the product runs from its sources. */
const threadProgram = new URL(
  `../../adapters/status/thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

const starting: ReadyState = { ready: false, missing: ['starting'], without: [] }
const noMetrics = { contentType: 'text/plain', metrics: () => Promise.resolve('') }

/** Opens before everything else, so that a supervisor gets an answer while a start waits. It closes last. */
export async function openStatus(
  { settings: { status, metricsToken }, logger }: Pick<GuildhallSettings, 'settings' | 'logger'>,
  closings: ClosingList,
): Promise<Status> {
  let tellState = (): ReadyState => starting
  let metrics: MetricsText = noMetrics
  const told = {
    state: () => tellState(),
    tell(state: () => ReadyState) {
      tellState = state
    },
    show(shown: MetricsText) {
      metrics = shown
    },
  }
  if (!status) return { ...told, url: undefined }
  const listener = await openStatusListener({
    ...status,
    metricsToken,
    program: threadProgram,
    state: told.state,
    metrics: () => metrics,
    onError: (error) => logger.error({ err: error }, 'the status listener failed'),
  }).catch((error: unknown) => explained(error, status))
  closings.add(() => listener.close())
  const host = status.host.includes(':') ? `[${status.host}]` : status.host
  return { ...told, url: `http://${host}:${listener.port}` }
}

const whys: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'is in use: end what listens there, or set STATUS_PORT'],
  ['EADDRNOTAVAIL', 'is not an address of this machine: set STATUS_HOST, or HTTP_HOST if that is unset'],
  ['ENOTFOUND', 'is not an address of this machine: set STATUS_HOST, or HTTP_HOST if that is unset'],
  ['EACCES', 'may not be used by this account: set STATUS_PORT'],
])

/** The message names the settings, which an operator knows. */
function explained(error: unknown, { host, port }: NonNullable<GuildhallSettings['settings']['status']>): never {
  const why = error instanceof StatusPortUnusable ? whys.get(error.code) : undefined
  throw why === undefined ? error : new Error(`STATUS_PORT ${port} on STATUS_HOST ${host} ${why}`, { cause: error })
}
