import type { NetworkLookups } from '../../application/ports/network-lookups.ts'
import { geoIpDatabase } from './geoip-database.ts'
import { reverseDns, type ReverseDnsSettings } from './reverse-dns.ts'

export interface NetworkLookupsSettings {
  readonly dnsServers: ReverseDnsSettings['servers']
  /** Undefined if there is none. */
  readonly geoIpDatabase: string | undefined
  readonly onError: (error: unknown) => void
}

export function openNetworkLookups(settings: NetworkLookupsSettings): NetworkLookups {
  const { dnsServers: servers, geoIpDatabase: path, onError } = settings
  return {
    hostName: reverseDns({ servers }),
    location: path === undefined ? () => Promise.resolve(unknown) : geoIpDatabase({ path, onError }),
  }
}

const unknown = { location: null, failed: false } as const
