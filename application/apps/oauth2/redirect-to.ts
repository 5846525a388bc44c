import type { Instance } from '../../ports.js'

type Parameters = Readonly<Record<string, string | null | undefined>>

/**
 * A URL with parameters added to its query, those that are null or undefined left out. The URL stays as it is, letter by letter,
 * since clients compare it; whatever a parameter holds, it can't end the query or the line.
 */
export function redirectTo(url: string, parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, value]],
  )
  if (given.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`
}

/** The page of the web application where an account consents. */
export function consentPage({ publicUrl }: Pick<Instance, 'publicUrl'>, parameters: Parameters): string {
  return redirectTo(`${publicUrl}/oauth2/authorize`, parameters)
}

/** Where the web application begins: who adds a bot, and was sent by nobody, goes there. */
export function webApplication({ publicUrl }: Pick<Instance, 'publicUrl'>): string {
  return `${publicUrl}/`
}
