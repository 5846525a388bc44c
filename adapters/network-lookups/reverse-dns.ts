import { NODATA, NOTFOUND } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import type { NetworkLookups } from '../../application/ports/network-lookups.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import { parseHostName } from './host-name.ts'
import { pointerName } from './pointer-name.ts'
import { turns } from '../../application/concurrency/turns.ts'

/** The most milliseconds that a look-up takes: a list of accounts waits for those of its page. */
export const lookup_ms_max = 700

export interface ReverseDnsSettings {
  /** Addresses of name servers, each with or without a port; those of the system if undefined, none to ask nobody. */
  readonly servers: readonly string[] | undefined
  /** Milliseconds; for tests. */
  readonly now?: () => number
}

/** How long a name is used without being looked up again. */
const known_ms = 24 * 3_600_000
/** How long an address is not asked about again after nobody has answered. */
const unanswered_ms = 60_000
/** After so many addresses in a row that nobody has answered for, all others wait no longer: nobody is asked for a while. */
const silent_max = 3
const silence_ms = 10_000
export const hostNames_max = 10_000
const queriesAtOnce_max = 32
const queriesWaiting_max = 4000
const query_ms = 300
const queries_max = 2
/** An address may have several names. Only so many are looked at. */
const namesPerAddress_max = 10

/**
 * Looks up the host names of addresses, with a resolver of its own. Answers of name servers are cached, `no such name` too. While
 * no name server answers, one address in ten seconds waits for it.
 */
export function reverseDns({ servers, now = () => performance.now() }: ReverseDnsSettings): NetworkLookups['hostName'] {
  const names = new LRUCache<string, { readonly name: string | null }>({
    ...growsTo(hostNames_max),
    perf: { now },
    ttlResolution: 0,
    ttl: known_ms,
  })
  const silence = { count: 0, until_ms: -Infinity }
  const underway = new Map<string, Promise<string | null>>()
  const queue = turns({ atOnce_max: queriesAtOnce_max, waiting_max: queriesWaiting_max })

  async function look(pointer: string): Promise<string | null> {
    const until = performance.now() + lookup_ms_max
    const answer = (await queue.next(lookup_ms_max))
      ? await ask(pointer, servers, Math.max(0, until - performance.now())).finally(() => {
          queue.done()
        })
      : undefined
    if (answer === undefined) {
      silence.count += 1
      if (silence.count >= silent_max) silence.until_ms = now() + silence_ms
    } else silence.count = 0
    const name = answer ?? null
    names.set(pointer, { name }, answer === undefined ? { ttl: unanswered_ms } : {})
    return name
  }

  return async (address) => {
    const pointer = servers?.length === 0 ? undefined : pointerName(address)
    if (pointer === undefined) return null
    const known = names.get(pointer)
    if (known) return known.name
    if (!underway.has(pointer) && now() < silence.until_ms) return null
    const begun = underway.get(pointer) ?? look(pointer).finally(() => underway.delete(pointer))
    underway.set(pointer, begun)
    return begun
  }
}

/** The name; null if the name server says that there is none; undefined if none answers in time. */
async function ask(
  pointer: string,
  servers: readonly string[] | undefined,
  answer_ms_max: number,
): Promise<string | null | undefined> {
  const resolver = new Resolver({ timeout: query_ms, tries: queries_max })
  if (servers) resolver.setServers(servers)
  const deadline = setTimeout(() => {
    resolver.cancel()
  }, answer_ms_max)
  try {
    const found = await resolver.resolvePtr(pointer)
    const [name = null] = found.slice(0, namesPerAddress_max).flatMap((text) => parseHostName(text) ?? [])
    return name
  } catch (error) {
    return isNoSuchName(error) ? null : undefined
  } finally {
    clearTimeout(deadline)
  }
}

function isNoSuchName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === NOTFOUND || error.code === NODATA)
}
