import type { AddressInfo } from 'node:net'
import { openStatusServer, type HttpServer } from '../adapters/http/server/open-http-server.js'
import { presenceDirectory } from '../application/presence/presence-directory.js'
import type { Presence } from '../application/ports/presence.js'
import type { ReadModels } from '../application/ports/read-models.js'
import type { Ports } from '../application/ports.js'
import { expectedHandovers } from '../gateway/sessions/expected-handovers.js'
import { processClock } from '../gateway/time/ticker.js'
import { closingList, type ClosingList } from './closing-list.js'
import type { GuildhallSettings } from './guildhall-settings.js'
import { observeJobs } from './observe-jobs.js'
import { observe } from './observe.js'
import { startProcessManagers } from './process-managers.js'
import { productVersion } from './product-version.js'
import { openBase, type Base } from './roles/base.js'
import { forgetEndedSessions, openBesideHistory } from './roles/beside-history.js'
import { openApi } from './roles/open-api.js'
import { openGatewayOn } from './roles/open-gateway-on.js'
import { portsOf } from './roles/ports-of.js'
import { roles as allRoles } from './roles/role.js'
import { openSharedParts } from './roles/shared-parts.js'
import type { Store } from './store.js'

/** One process of an instance. */
export interface Guildhall {
  /** Where it listens: `http://host:port`. */
  readonly url: string
  readonly ports: Ports
  readonly store: Store
  readonly readModels: ReadModels
  /** Ends gracefully: sends Gateway clients elsewhere, finishes the requests at work, then closes everything. Safe to repeat. */
  close(): Promise<void>
}

/** Opens everything in the order in which one part needs the other, and listens. */
export async function openGuildhall(options: GuildhallSettings): Promise<Guildhall> {
  const closings = closingList()
  try {
    return await openIn(options, closings)
  } catch (error) {
    await closings.close()
    throw error
  }
}

async function openIn(options: GuildhallSettings, closings: ClosingList): Promise<Guildhall> {
  const { settings, roles = allRoles } = options
  const base = await openBase(options, closings)
  const { store, readModels, metrics, projections } = base
  const shared = await openSharedParts(base)
  const presenceSeam: { presence?: Presence | undefined } = {}
  let url = settings.publicUrl ?? ''
  const handovers = expectedHandovers()
  const publicUrl = (): string => url
  const beside = await openBesideHistory(base, publicUrl)
  const seams = { presence: presenceIn(presenceSeam), sessionHandovers: handovers, publicUrl }
  const ports = portsOf(base, shared, beside, seams)
  const http = await (roles.includes('api') ? openApi(base, shared, ports) : openStatus(base))
  closings.add(() => http.close())
  const gateway = roles.includes('gateway') ? await openGatewayOn(http.server, base, shared, handovers) : undefined
  presenceSeam.presence = gateway?.presence ?? (roles.includes('api') ? await presenceElsewhere(base) : undefined)
  if (roles.includes('worker')) {
    await forgetEndedSessions(base, beside)
    await openWorker(base, ports)
  }
  observe(metrics, { gateway, projections })
  closings.add(async () => void (await Promise.all([gateway?.drain(), http.drain()])))
  const address = urlOf(settings.http.host, await http.listen(settings.http))
  url = settings.publicUrl ?? address
  return { url: address, ports, store, readModels, close: () => closings.close() }
}

/** Only who plays every role alone knows that nobody else is at work on what is unfinished. */
async function openWorker({ options, closings, metrics }: Base, ports: Ports): Promise<void> {
  const { settings, connection, logger } = options
  const finishesFirst = settings.natsServers === undefined
  const managers = await startProcessManagers({ ports, connection, logger, finishesFirst })
  closings.add(() => managers.stop())
  observeJobs(metrics, managers, logger)
}

/** The listener of a process whose work is not the API. */
function openStatus({ options, metrics }: Base): Promise<HttpServer> {
  const { settings, logger } = options
  return openStatusServer({ logger, metrics, version: productVersion, trustedProxies: settings.trustedProxies })
}

/** The Gateway stands on the HTTP server, which stands on the use cases, which ask who is present: the circle closes here. */
function presenceIn(seam: { readonly presence?: Presence | undefined }): Presence {
  return {
    isPresent: async (account) => (await seam.presence?.isPresent(account)) ?? false,
    onlineCounts: async (guilds) => (await seam.presence?.onlineCounts(guilds)) ?? new Map(),
  }
}

/** Who is present at the Gateways of other processes. Resolves once those have told. */
async function presenceElsewhere({ signals, closings, onError }: Base): Promise<Presence> {
  if (!signals) throw new Error('Without a Gateway in this process there must be a way to others')
  const directory = presenceDirectory({ signals, clock: processClock, onError })
  closings.add(async () => directory.stop())
  await directory.ready
  return directory
}

function urlOf(host: string, { port }: AddressInfo): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
