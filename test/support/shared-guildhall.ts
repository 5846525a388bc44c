import { freshPolicy } from '../../application/administration/instance/fresh-policy.js'
import { betweenFiles, keptInWorker } from './left-behind.js'
import { startTestGuildhall, type TestAccount, type TestGuildhall, type TestOptions } from './test-guildhall.js'

/** The servers that several files use, by name. A file that needs other settings opens its own. */
export const sharedSettings = {
  stock: {},
  /** For files that compare or search everything of the instance. They tolerate what they themselves have left there. */
  apart: {},
  mailing: { withMailServer: true },
  /** X-Forwarded-For chooses the address of a request. */
  proxied: { trustedProxies: ['127.0.0.1'] },
  /** With rate limits, for those of accounts: all its clients have one address. */
  limited: { rateLimits: true },
  hosted: { hosted: true },
  /** Everybody may choose a discriminator, and have a banner and an animated avatar, also for each guild. */
  generous: {
    limits: {
      feature_custom_discriminator: 1,
      feature_animated_avatar: 1,
      feature_animated_banner: 1,
      feature_per_guild_profiles: 1,
    },
  },
  /** With limits that a test reaches soon. */
  narrow: {
    limits: {
      max_group_dm_recipients: 4,
      max_group_dms_per_user: 3,
      max_private_channels_per_user: 4,
      max_guild_invites: 6,
      max_guild_roles: 5,
      max_guild_members: 6,
    },
  },
  /** People sign in by username, and names have no tags. */
  usernames: { policy: { ...freshPolicy, accountIdentity: { signIn: 'username', tagStyle: 'none' } } },
  /** Background work looks often for what is due, for tests that wait for it. */
  brisk: { looks_ms: 100 },
} as const satisfies Readonly<Record<string, TestOptions>>

export type SharedServer = keyof typeof sharedSettings

interface Kept {
  readonly guildhall: TestGuildhall
  close(): Promise<void>
}

/** The servers of this worker. */
const servers = new Map<SharedServer, Promise<Kept>>()
/** How many files have ended since the last one that asked for a server. */
const unasked = new Map<SharedServer, number>()
/** An idle server takes some 10 ms of the processor in a second, a start some 400. */
export const unasked_files_max = 8

/**
 * A server of this worker, for all files that need these settings. Accounts and guilds are drawn at random, so its files do not
 * interfere. They must not change what applies to the whole instance (its policy, limits, lists), nor count everything of a kind.
 * The stock server ends with the worker; any other one after `unasked_files_max` files that do not ask for it.
 */
export async function sharedGuildhall(name: SharedServer = 'stock'): Promise<TestGuildhall> {
  betweenFiles.add(endUnasked)
  unasked.set(name, 0)
  const server = servers.get(name) ?? keptInWorker(() => start(name))
  servers.set(name, server)
  return (await server).guildhall
}

async function endUnasked(): Promise<void> {
  for (const [name, files] of unasked) {
    unasked.set(name, files + 1)
    if (name === 'stock' || files < unasked_files_max) continue
    const server = servers.get(name)
    servers.delete(name)
    unasked.delete(name)
    await (await server)?.close()
  }
}

async function start(name: SharedServer): Promise<Kept> {
  const guildhall = await startTestGuildhall(sharedSettings[name])
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
