import { Refused } from '../../application/commands/refused.ts'
import {
  bannableAddress,
  banNetwork,
  liftNetworkBan,
  networkNamed,
} from '../../application/administration/network-bans/ban-network.ts'
import { protectedAddresses } from '../../application/administration/network-bans/protected-addresses.ts'
import { knownBans_max } from '../../application/administration/network-bans/bans-in-force.ts'
import type { NetworkBanRecord } from '../../application/ports/queries/network-ban-queries.ts'
import { secondsAfter } from '../../domain/kernel/timestamp.ts'
import { networkBanQueries } from '../../projections/network-bans/queries.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { servedSettings } from '../../process/settings/served-settings.ts'
import { besideServer } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'
import { operatorContext } from './operator-context.ts'

export interface BanOptions {
  /** 1-87600; permanent if absent. */
  readonly hours?: string
  /** 1-1024 characters. */
  readonly reason?: string
}

const hours_max = 87_600
const reason_max = 1024
const hour_s = 3600

/** Bans the network of an address, and replaces its current ban. A running server applies it once this resolves. */
export async function banIp(text: string, { hours, reason }: BanOptions, print: (line: string) => void): Promise<void> {
  const address = addressIn(text)
  const duration_hours = hours === undefined ? null : hoursIn(hours)
  if (reason !== undefined && (reason.trim() === '' || reason.length > reason_max))
    throw new Error(`--reason is 1 to ${reason_max} characters`)
  await changeBesideServer({ print, isCopied: true }, async (store) => {
    const isProtected = protectedAddresses((await servedSettings(store)).trustedProxies)
    const { network, expiresAt } = await actAsOperator(store, {
      action: 'ban_ip',
      target: { type: 'ip', id: networkNamed(address) },
      async run(context, aggregates) {
        const ends = duration_hours === null ? null : secondsAfter(context.now, duration_hours * hour_s)
        const wishes = { address, reason: reason ?? null, expiresAt: ends }
        return { network: await banNetwork({ aggregates }, isProtected)(context, wishes), expiresAt: ends }
      },
      metadata: ({ expiresAt: ends }) => ({
        ...(ends !== null && { expires_at: ends }),
        ...(reason !== undefined && { reason }),
      }),
    }).catch(sayingWhy(address))
    print(`${network} is banned ${expiresAt === null ? 'until the ban is lifted' : `until ${expiresAt}`}`)
  })
}

/**
 * Lifts the ban of an address, or of a network as `ip-bans` prints it, and says whether there was one. A running server applies
 * it once this resolves.
 */
export async function unbanIp(text: string, print: (line: string) => void): Promise<void> {
  const address = addressIn(text)
  await changeBesideServer({ print, isCopied: true }, async (store) => {
    const { network, wasBanned } = await actAsOperator(store, {
      action: 'unban_ip',
      target: { type: 'ip', id: networkNamed(address) },
      run: (context, aggregates) => liftNetworkBan({ aggregates })(context, address),
      metadata: (lifted) => ({ was_banned: String(lifted.wasBanned) }),
    })
    print(wasBanned ? `The ban of ${network} is lifted` : `${network} was not banned: nothing has changed`)
  })
}

/** Prints the active bans, one on each line: permanent ones first, then the newest. */
export async function ipBans(print: (line: string) => void): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const bans = await networkBanQueries(store.database).holding(operatorContext().now, knownBans_max)
    if (bans.length === 0) print('Nobody is banned.')
    for (const ban of bans) print(lineOf(ban))
  })
}

function lineOf({ network, cause, reason, bannedAt, expiresAt }: NetworkBanRecord): string {
  const why = cause === 'failures' ? 'failed requests' : (reason ?? 'no reason given')
  return `${network}  since ${bannedAt}  ${expiresAt === null ? 'for good' : `until ${expiresAt}`}  ${why}`
}

function addressIn(text: string): string {
  const address = bannableAddress(text)
  if (address === undefined)
    throw new Error(`${text} is not an address: give one such as 203.0.113.7, or 2001:db8::1 for its /64`)
  return address
}

function hoursIn(text: string): number {
  const hours = Number(text)
  if (!/^\d+$/.test(text) || hours < 1 || hours > hours_max)
    throw new Error(`--hours is a whole number, 1 to ${hours_max}`)
  return hours
}

function sayingWhy(address: string) {
  return (error: unknown): never => {
    if (error instanceof Refused && error.refusal.code === 'IP_BAN_DECLINED')
      throw new Error(`${address} is private or a trusted proxy: those are never banned`)
    throw error
  }
}
