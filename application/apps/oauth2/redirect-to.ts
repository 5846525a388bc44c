import type { Instance } from '../../ports.ts'

type Parameters = Readonly<Record<string, string | null | undefined>>

/**
 * A URL with parameters added to its query; null and undefined ones are left out. The URL itself stays unchanged byte by byte,
 * since clients compare it. Parameter values are encoded, so they cannot end the query or the line.
 */
export function redirectTo(url: string, parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, value]],
  )
  if (given.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`
}

/** The web application's page where an account consents. */
export function consentPage({ webappUrl }: Pick<Instance, 'webappUrl'>, parameters: Parameters): string {
  return redirectTo(`${webappUrl}/oauth2/authorize`, parameters)
}

/** The start page of the web application. A browser goes there after adding a bot without a redirect URL. */
export function webApplication({ webappUrl }: Pick<Instance, 'webappUrl'>): string {
  return `${webappUrl}/`
}
