import { freshPolicy } from '../../domain/instance/fresh-policy.ts'
import { betweenFiles, keptInWorker } from './left-behind.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall, type TestOptions } from './test-guildhall.ts'

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
  /** Answers clients of the family that know no version but 10. */
  clients: { clientVersions: ['10'] },
  /** Background work looks often for what is due, for tests that wait for it. */
  brisk: { looks_ms: 100 },
} as const satisfies Readonly<Record<string, TestOptions>>

export type SharedServer = keyof typeof settings

interface Kept {
  readonly guildhall: TestGuildhall
  close(): Promise<void>
}

/** The servers of this worker. */
const servers = new Map<SharedServer, Promise<Kept>>()
/** Those that the present file has asked for. */
const asked = new Set<SharedServer>()

/**
 * A server of this worker, for all files that need these settings. Accounts and guilds are drawn at random, so its files do not
 * interfere. They must not change what applies to the whole instance (its policy, limits, lists), nor count everything of a kind.
 * The stock server ends with the worker; any other one after the first file that does not ask for it, since an idle server still
 * works.
 */
export async function sharedGuildhall(name: SharedServer = 'stock'): Promise<TestGuildhall> {
  betweenFiles.add(endUnasked)
  asked.add(name)
  const server = servers.get(name) ?? keptInWorker(() => start(name))
  servers.set(name, server)
  return (await server).guildhall
}

async function endUnasked(): Promise<void> {
  const ending = [...servers].filter(([name]) => name !== 'stock' && !asked.has(name))
  asked.clear()
  for (const [name, server] of ending) {
    servers.delete(name)
    await (await server).close()
  }
}

async function start(name: SharedServer): Promise<Kept> {
  const guildhall = await startTestGuildhall(settings[name])
  const close = () => Promise.reject(new Error('Other files use the shared server too'))
  const next = registeredTogether(guildhall)
  const register: TestGuildhall['register'] = (...wishes) =>
    wishes.length === 0 ? next() : guildhall.register(...wishes)
  return { guildhall: { ...guildhall, ports: guildhall.ports, register, close }, close: () => guildhall.close() }
}

/** One after another, accounts take three times the processor's time. */
const together_count = 8

/** Gives one account after another, oldest first. They are registered side by side, and only when somebody wants one. */
function registeredTogether({ register }: Pick<TestGuildhall, 'register'>): () => Promise<TestAccount> {
  const waiting: TestAccount[] = []
  let filling: Promise<unknown> | undefined
  const fill = async (): Promise<void> => {
    const accounts = await Promise.all(Array.from({ length: together_count }, () => register()))
    waiting.push(...accounts.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id))))
  }
  return async () => {
    for (;;) {
      const account = waiting.shift()
      if (account) return account
      await (filling ??= fill().finally(() => (filling = undefined)))
    }
  }
}
