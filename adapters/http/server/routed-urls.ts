/** Where clients of the family look for the discovery document, beside its own path. */
const otherDiscovery = /^\/\.well-known\/fluxer(?=$|\?)/

/** How some clients write the path of one pin. */
const otherPin = /^(\/v1\/channels\/\d+)\/messages\/pins\/(?=\d)/

/**
 * Gives the URL that stands for another one in routes: `%40` is `@`, a path below one of `clientVersions`, with or without `/api`
 * before it, is one below `/v1`, and the discovery document and pins have a second path (decision 221).
 */
export function routedUrls(clientVersions: readonly string[]): (url: string) => string {
  const version = new RegExp(`^(?:/api)?/v(?:${clientVersions.join('|')})(?=/)`)
  const inOwnVersion = (url: string): string => (clientVersions.length === 0 ? url : url.replace(version, '/v1'))
  return (url) =>
    inOwnVersion(withPlainAt(url)).replace(otherDiscovery, '/.well-known/guildhall').replace(otherPin, '$1/pins/')
}

/**
 * `%40me` is `@me` (RFC 3986, 2.3 and 3.3). `@` is the only character in our paths that routes depend on and clients may
 * encode.
 */
function withPlainAt(url: string): string {
  if (!url.includes('%40')) return url
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.replaceAll('%40', '@') + url.slice(path.length)
}
