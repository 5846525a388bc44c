import { readFile, stat } from 'node:fs/promises'
import type { Reader, Response } from 'mmdb-lib'
import type { Located, NetworkLookups } from '../../application/ports/network-lookups.ts'
import { plainAddress } from '../../application/content-rules/address-list.ts'
import { parseLocation } from './location.ts'

export interface GeoIpSettings {
  /** The path of an MMDB file with cities or countries. */
  readonly path: string
  readonly onError: (error: unknown) => void
  /** Milliseconds; for tests. */
  readonly now?: () => number
}

const file_bytes_max = 1024 ** 3
/** How often the file is looked at: operators replace it while the server runs. */
const recheck_ms = 60_000

const failed: Located = { location: null, failed: true }

/** Reads where addresses are from a file, which is opened with the first look-up. A file that gets unreadable leaves the one before. */
export function geoIpDatabase({
  path,
  onError,
  now = () => performance.now(),
}: GeoIpSettings): NetworkLookups['location'] {
  let held: { readonly reader: Reader<Response>; readonly version: string } | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    try {
      const { mtimeMs, size } = await stat(path)
      const version = `${mtimeMs} ${size}`
      if (held?.version !== version) held = { reader: await open(path, size), version }
    } catch (error) {
      onError(unreadable(path, error))
    }
    lookedAt = now()
  }

  async function current(): Promise<Reader<Response> | undefined> {
    if (now() - lookedAt >= recheck_ms) await (looking ??= look().finally(() => (looking = undefined)))
    return held?.reader
  }

  return async (text) => {
    const address = plainAddress(text)
    if (address === undefined) return { location: null, failed: false }
    const reader = await current()
    if (!reader) return failed
    try {
      return { location: parseLocation(reader.get(address)), failed: false }
    } catch (error) {
      onError(error)
      return failed
    }
  }
}

function unreadable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`GEOIP_DATABASE ${path} cannot be read: ${reason}`, { cause })
}

/** Only who sets a file needs the package that reads it. */
async function open(path: string, size_bytes: number): Promise<Reader<Response>> {
  if (size_bytes > file_bytes_max) throw new Error(`${path} has more than ${file_bytes_max} bytes`)
  const { Reader } = await import('mmdb-lib')
  return new Reader(await readFile(path))
}
