import { isIP, isIPv4 } from 'node:net'

/** How long a provider may take for one answer, including its body. */
export const answer_ms_max = 5000
/** The longest answer, in bytes after decompression. */
export const answer_bytes_max = 262_144

/** A request in the form of oauth4webapi. */
export interface ProviderRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | string | Uint8Array | ArrayBuffer | ReadableStream | null | undefined
}

/**
 * Sends a request to a provider, without following redirects and with bounded time and length. Rejects if a bound is exceeded,
 * if nobody answers, and if the URL does not fit the issuer (`isUsable`).
 */
export function boundedFetch(issuer: string, answer_ms = answer_ms_max) {
  return async (url: string, { method, headers, body }: ProviderRequest): Promise<Response> => {
    if (!isUsable(url, issuer)) throw new Error('the provider names a URL that is not asked')
    const signal = AbortSignal.timeout(answer_ms)
    const answer = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal })
    const bytes = await boundedBody(answer)
    return new Response(bytes.byteLength === 0 ? null : bytes, { status: answer.status, headers: answer.headers })
  }
}

async function boundedBody(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > answer_bytes_max) throw new Error(`the provider's answer has more than ${answer_bytes_max} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/**
 * Whether a URL from the policy, or from the metadata of its issuer, may be used. It must be https; http only on this machine,
 * for an issuer that is on it too. An issuer with a host name may only name hosts, whose certificates identify them: it can't
 * make us call IP addresses, least of all this machine's.
 */
export function isUsable(url: string, issuer: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return !isAddress(url) || isAddress(issuer)
  return protocol === 'http:' && isLoopback(url) && isLoopback(issuer)
}

function isAddress(url: string): boolean {
  return isIP(hostOf(url)) !== 0 || isLoopback(url)
}

function isLoopback(url: string): boolean {
  const host = hostOf(url)
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
}
