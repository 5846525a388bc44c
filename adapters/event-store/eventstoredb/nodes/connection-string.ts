import { readFileSync } from 'node:fs'
import {
  parseConnectionString,
  type ConnectionOptions,
} from '@eventstore/db-client/dist/Client/parseConnectionString.js'
import type { Endpoint } from './endpoints.js'

/** The files of TLS, as PEM. */
export interface Security {
  /** The authority that vouches for the servers; those that Node knows where it is undefined. */
  readonly authority: Buffer | undefined
  /** The certificate that this client shows, and its key. */
  readonly own: { readonly certificate: Buffer; readonly key: Buffer } | undefined
}

/** What a connection string says. */
export interface Destination {
  readonly seeds: readonly Endpoint[]
  /**
   * How the node that leads is found: `alone` goes to the one that is named, and to another only where that one says so;
   * `gossip` asks all that are named; `dns` asks all addresses behind the first name.
   */
  readonly finding: 'alone' | 'gossip' | 'dns'
  /** Undefined without TLS. */
  readonly security: Security | undefined
  /** The value of the header "authorization". Undefined without TLS: a password is not sent in the clear. */
  readonly authorization: string | undefined
  /** What the server calls this client in its logs. */
  readonly name: string | undefined
  /** The least time between two searches for the node that leads. */
  readonly search_ms: number
}

const search_ms = 100

/**
 * Reads a connection string of EventStoreDB, `esdb://…` or `esdb+discover://…`. Of its options it takes `tls`, `tlsCAFile`,
 * `userCertFile`, `userKeyFile`, `connectionName` and `discoveryInterval`. Throws where it can't be used, without its password.
 */
export function destinationOf(url: string): Destination {
  try {
    return readDestination(parseConnectionString(url))
  } catch (error) {
    // The parser's own error carries the whole string, with the password.
    const reason = error instanceof Error ? error.message : String(error)
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(`The connection string of EventStoreDB can not be used: ${reason}`)
  }
}

function readDestination(options: ConnectionOptions): Destination {
  const { hosts, dnsDiscover, tls = true, defaultCredentials: user } = options
  const seeds = hosts.map(({ address, port }) => ({ host: address, port }))
  const secret = user && Buffer.from(`${user.username}:${user.password}`).toString('base64')
  return {
    seeds,
    finding: dnsDiscover ? 'dns' : seeds.length > 1 ? 'gossip' : 'alone',
    security: tls ? securityOf(options) : undefined,
    authorization: tls && secret !== undefined ? `Basic ${secret}` : undefined,
    name: options.connectionName,
    search_ms: options.discoveryInterval ?? search_ms,
  }
}

function securityOf({ tlsCAFile, userCertFile, userKeyFile }: ConnectionOptions): Security {
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw new Error('userCertFile and userKeyFile belong together')
  }
  const own =
    userCertFile !== undefined && userKeyFile !== undefined
      ? { certificate: readFileSync(userCertFile), key: readFileSync(userKeyFile) }
      : undefined
  return { authority: tlsCAFile === undefined ? undefined : readFileSync(tlsCAFile), own }
}
