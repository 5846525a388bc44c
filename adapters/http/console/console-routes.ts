import type { Ports } from '../../../application/ports.ts'
import type { Answer } from '../answer.ts'
import type { Method } from '../route.ts'
import type { Exchange, Work } from '../request/exchange.ts'
import type { ConsoleFiles } from './console-files.ts'
import { consoleAsset, consolePage, toConsole } from './console-page.ts'
import { consoleConfig } from './console-config.ts'
import { consoleSession } from './console-session.ts'

/** A route of the console. Those of its sign-in have buckets of their own. */
export interface ConsoleRoute {
  readonly method: Method
  readonly path: `/${string}`
  readonly queue: 'reads' | 'arrivals'
  readonly isLimited: boolean
  /** Whether people open it: a refusal is then a page. */
  readonly isPage: boolean
  readonly work: Work<Answer>
}

/** The routes of the console; none on an instance without it, or a server without its files. `works` has the operations of its sign-in, by name. */
export function consoleRoutes(
  ports: Ports,
  works: ReadonlyMap<string, Work<Answer>>,
  files: ConsoleFiles | undefined,
): readonly ConsoleRoute[] {
  if (!ports.instance.console || !files) return []
  const run =
    (name: string): Work<Answer> =>
    (exchange: Exchange) => {
      const work = works.get(name)
      if (!work) throw new Error(`There is no operation ${name}`)
      return work(exchange)
    }
  const session = consoleSession(ports.instance, {
    begin: run('Begin console sign-in'),
    refresh: run('Refresh console sign-in'),
    end: run('End console sign-in'),
  })
  const config = consoleConfig(ports)
  const ofSession = { queue: 'arrivals', isLimited: true, isPage: false } as const
  const page = consolePage(ports.instance, files)
  const ofFiles = { method: 'GET', queue: 'reads', isLimited: false } as const
  const assets = '/console/assets/'
  return [
    { path: '/console', work: async () => toConsole(ports.instance), ...ofFiles, isPage: true },
    // The other one does not match it: others begin with it.
    { path: '/console/', work: page, ...ofFiles, isPage: true },
    { path: '/console/*', work: page, ...ofFiles, isPage: true },
    {
      path: `${assets}*`,
      work: async ({ path }) => consoleAsset(files, path.slice(assets.length)),
      ...ofFiles,
      isPage: false,
    },
    { method: 'POST', path: '/console/session', work: session.begin, ...ofSession },
    { method: 'POST', path: '/console/session/refresh', work: session.refresh, ...ofSession },
    { method: 'DELETE', path: '/console/session', work: session.end, ...ofSession },
    { path: '/console/config.json', work: config, ...ofFiles, isPage: false },
  ]
}
