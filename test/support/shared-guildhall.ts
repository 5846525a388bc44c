import { freshPolicy } from '../../application/administration/instance/fresh-policy.js'
import { keptInWorker } from './left-behind.js'
import { startTestGuildhall, type TestGuildhall, type TestOptions } from './test-guildhall.js'

/** The servers that several files use, by name. A file that needs other settings opens its own. */
const settings = {
  stock: {},
  mailing: { withMailServer: true },
  /** X-Forwarded-For chooses the address of a request. */
  proxied: { trustedProxies: ['127.0.0.1'] },
  /** With rate limits, for those of accounts: all its clients have one address. */
  limited: { rateLimits: true },
  hosted: { hosted: true },
  /** Everybody may choose a discriminator. */
  choosing: { limits: { feature_custom_discriminator: 1 } },
  /** People sign in by username, and names have no tags. */
  usernames: { policy: { ...freshPolicy, accountIdentity: { signIn: 'username', tagStyle: 'none' } } },
  /** Background work looks often for what is due, for tests that wait for it. */
  brisk: { looks_ms: 100 },
} as const satisfies Readonly<Record<string, TestOptions>>

export type SharedServer = keyof typeof settings

/** An idle server still works, so a worker keeps few. No file uses more of them. */
const kept_max = 3

interface Kept {
  readonly guildhall: TestGuildhall
  close(): Promise<void>
}

/** The servers of this worker. The one that was asked for last comes last. */
const servers = new Map<SharedServer, Promise<Kept>>()

/**
 * A server of this worker, for all files that need these settings. Accounts and guilds are drawn at random, so its files do not
 * interfere. They must not change what applies to the whole instance (its policy, limits, lists), nor count everything of a kind.
 * The stock server ends with the worker; of the others, the one that was not asked for longest ends when another one opens.
 */
export async function sharedGuildhall(name: SharedServer = 'stock'): Promise<TestGuildhall> {
  const server = servers.get(name) ?? keptInWorker(() => start(name))
  servers.delete(name)
  servers.set(name, server)
  const others = [...servers.keys()].filter((other) => other !== 'stock')
  for (const oldest of others.slice(0, -kept_max)) await end(oldest)
  return (await server).guildhall
}

async function start(name: SharedServer): Promise<Kept> {
  const guildhall = await startTestGuildhall(settings[name])
  const close = () => Promise.reject(new Error('Other files use the shared server too'))
  return { guildhall: { ...guildhall, ports: guildhall.ports, close }, close: () => guildhall.close() }
}

async function end(name: SharedServer): Promise<void> {
  const server = await servers.get(name)
  servers.delete(name)
  await server?.close()
}
