import { readFileSync } from 'node:fs'
import {
  parseConnectionString,
  type ConnectionOptions,
} from '@eventstore/db-client/dist/Client/parseConnectionString.js'
import type { Endpoint } from './endpoints.ts'

/** The files of TLS, as PEM. */
export interface Security {
  /** The certificate authority of the servers. If undefined, Node's own list applies. */
  readonly authority: Buffer | undefined
  /** This client's certificate and key. */
  readonly own: { readonly certificate: Buffer; readonly key: Buffer } | undefined
}

/** The contents of a connection string. */
export interface Destination {
  readonly seeds: readonly Endpoint[]
  /**
   * How the leading node is found. `alone` uses the named node, and another one only if that node says so; `gossip` asks all
   * named nodes; `dns` asks all addresses of the first name.
   */
  readonly finding: 'alone' | 'gossip' | 'dns'
  /** Undefined without TLS. */
  readonly security: Security | undefined
  /** The value of the header "authorization". Undefined without TLS: passwords are never sent in the clear. */
  readonly authorization: string | undefined
  /** The name of this client in the server's logs. */
  readonly name: string | undefined
  /** The minimum time between two searches for the leading node. */
  readonly search_ms: number
}

const search_ms = 100

/**
 * Parses a connection string of EventStoreDB, `esdb://…` or `esdb+discover://…`. Of its options it reads `tls`, `tlsCAFile`,
 * `userCertFile`, `userKeyFile`, `connectionName` and `discoveryInterval`. Throws an error without the password if the string
 * can't be used.
 */
export function destinationOf(url: string): Destination {
  try {
    return readDestination(parseConnectionString(url))
  } catch (error) {
    // The parser's own error contains the whole string, with the password.
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
